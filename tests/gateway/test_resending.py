"""A move that comes again, late, or for another place in the game."""

import asyncio

import pytest

from end_to_end.client import Client, Message
from gateway.hall import Hall, Table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def table_on_two_nodes(hall: Hall) -> Table:
    return await hall.table(await hall.connect("ann", 0), await hall.connect("bob", 1))


async def assert_untouched(table: Table, before: Message) -> None:
    after = await table.players[0].ask("watch", room=table.room)
    del before["re"], after["re"]
    assert after == before


async def refusal(client: Client, table: Table, **fields: object) -> Message:
    asked = {"room": table.room, "round": 1, "ply": table.ply, "move": "2"} | fields
    answer = await client.asked("move", **asked)
    assert answer["type"] == "error"
    return answer


async def test_row_15_the_same_move_ten_times_over_two_nodes_is_applied_once(hall: Hall) -> None:
    table = await table_on_two_nodes(hall)
    ann, bob = table.players
    elsewhere = await hall.connect("ann", 1, token=ann.token)
    askers = [ann, elsewhere] * 5
    answers = await asyncio.gather(*(asker.move(table.room, 0, " 2") for asker in askers))
    told = {(a["type"], a["room"], a["round"], a["ply"], a["seq"]) for a in answers}
    assert told == {("accepted", table.room, 1, 0, answers[0]["seq"])}
    table.ply = 1
    await table.moves(3)
    assert (await elsewhere.move(table.room, 0, "2"))["seq"] == answers[0]["seq"]
    await bob.ask("resign", room=table.room, round=1)
    assert (await elsewhere.move(table.room, 0, "2"))["seq"] == answers[0]["seq"]
    await bob.event("finished", room=table.room)
    moved = [event["ply"] for event in bob.events(table.room) if event["kind"] == "moved"]
    assert moved == [0, 1, 2, 3]


async def test_row_15_a_move_of_an_earlier_round_gets_its_answer_again(hall: Hall) -> None:
    table = await table_on_two_nodes(hall)
    ann, bob = table.players
    first = await table.move()
    await bob.ask("resign", room=table.room, round=1)
    await ann.ask("rematch", room=table.room, round=1)
    await bob.ask("rematch", room=table.room, round=1)
    await ann.event("started", round=2)
    for client in (ann, await hall.connect("ann", 1, token=ann.token)):
        assert (await client.move(table.room, 0, "2"))["seq"] == first["seq"]


async def test_row_16_a_move_for_a_taken_old_or_future_ply_changes_nothing(hall: Hall) -> None:
    table = await table_on_two_nodes(hall)
    ann, bob = table.players
    await table.moves(4)
    before = await ann.ask("watch", room=table.room)
    for asker, ply, move in ((ann, 2, "5"), (ann, 0, "3"), (bob, 0, "2"), (ann, 5, "2")):
        error = await refusal(asker, table, ply=ply, move=move)
        assert (error["code"], error["ply"]) == ("stale_ply", 4)
    assert (await refusal(ann, table, round=2))["code"] == "stale_round"
    assert (await refusal(ann, table, round=2))["round"] == 1
    await assert_untouched(table, before)


async def test_row_16_a_move_for_a_round_that_is_over_changes_nothing(hall: Hall) -> None:
    table = await table_on_two_nodes(hall)
    ann, bob = table.players
    await table.moves(2)
    await bob.ask("resign", room=table.room, round=1)
    assert (await refusal(ann, table))["code"] == "game_over"
    await ann.ask("rematch", room=table.room, round=1)
    await bob.ask("rematch", room=table.room, round=1)
    await ann.event("started", round=2)
    before = await ann.ask("watch", room=table.room)
    error = await refusal(ann, table, move="5")
    assert (error["code"], error["round"]) == ("stale_round", 2)
    await assert_untouched(table, before)


async def test_row_16_two_different_moves_for_one_ply_at_once_are_one_move(hall: Hall) -> None:
    table = await table_on_two_nodes(hall)
    ann, bob = table.players
    elsewhere = await hall.connect("ann", 1, token=ann.token)
    for ply in range(0, 20, 2):
        answers = await asyncio.gather(
            ann.asked("move", room=table.room, round=1, ply=ply, move="2"),
            elsewhere.asked("move", room=table.room, round=1, ply=ply, move="5"),
        )
        assert sorted(answer["type"] for answer in answers) == ["accepted", "error"]
        [error] = [answer for answer in answers if answer["type"] == "error"]
        assert (error["code"], error["ply"]) == ("stale_ply", ply + 1)
        await bob.move(table.room, ply + 1, "3")
