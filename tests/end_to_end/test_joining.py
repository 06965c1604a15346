"""Who finds a room, and who may sit down."""

import asyncio

import pytest

from end_to_end.requests import assert_refused, seated, two
from gateway.hall import Hall
from towerhall_server.store.keys import keys_of_player

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_join_reads_a_code_in_any_case_with_or_without_the_dash(hall: Hall) -> None:
    ann = await hall.connect("ann")
    for dash in ("", "-"):
        opened = await ann.ask("create", game="duel")
        bob = await hall.connect("bob", 1)
        typed = opened["code"][:3].lower() + dash + opened["code"][3:]
        joined = await bob.ask("join", room=typed)
        assert (joined["room"], joined["you"], joined["status"]) == (opened["room"], 1, "live")
        seated = await ann.event("seated", room=opened["room"], seat=1)
        assert (seated["player"], seated["name"]) == (bob.player, "bob")


async def test_join_again_is_the_same_seat(hall: Hall) -> None:
    table = await seated(hall)
    await table.move()
    ann, bob = table.players
    for client, seat in ((bob, 1), (ann, 0), (await hall.connect("bob", token=bob.token), 1)):
        for name in (table.room, table.code):
            joined = await client.ask("join", room=name)
            assert (joined["room"], joined["you"], joined["ply"]) == (table.room, seat, 1)
    kinds = [event["kind"] for event in ann.events(table.room)]
    assert kinds == ["seated", "started", "moved"]


async def test_a_third_player_finds_the_room_full(hall: Hall) -> None:
    table = await seated(hall)
    eve = await hall.connect("eve")
    await assert_refused(eve, "room_full", "join", room=table.code)
    assert not hall.store.call("EXISTS", keys_of_player(eve.player).seats)
    assert (await hall.connect("eve", token=eve.token)).welcome["seats"] == []
    assert (await eve.ask("watch", room=table.code))["you"] is None


async def test_of_two_who_join_at_once_on_two_nodes_one_sits(hall: Hall) -> None:
    ann = await hall.connect("ann")
    for _ in range(5):
        opened = await ann.ask("create", game="duel")
        rivals = [await hall.connect("bob", 0), await hall.connect("eve", 1)]
        answers = await asyncio.gather(*(r.asked("join", room=opened["code"]) for r in rivals))
        told = sorted(str(answer.get("you", answer.get("code"))) for answer in answers)
        assert told == ["1", "room_full"]


async def test_joining_a_closed_room(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel")
    await ann.ask("abort", room=opened["room"], round=1)
    await assert_refused(bob, "game_over", "join", room=opened["code"])


@pytest.mark.parametrize("room", ["", "x", "UUU-UUU", "AAAA-AA", "0" * 20, "zz" * 10, "é" * 6])
async def test_an_unknown_room(hall: Hall, room: str) -> None:
    ann = await hall.connect("ann")
    for kind in ("join", "watch", "record"):
        await assert_refused(ann, "no_such_room", kind, room=room)
    await assert_refused(ann, "no_such_room", "move", room=room, round=1, ply=0, move="2A")
    await assert_refused(ann, "no_such_room", "say", room=room, text="hello?")


async def test_a_private_room_is_found_by_its_id_only_by_its_players(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    eve = await hall.connect("eve")
    await assert_refused(eve, "no_such_room", "watch", room=table.room)
    await assert_refused(eve, "no_such_room", "join", room=table.room)
    for token, seat in ((ann.token, 0), (bob.token, 1)):
        for node in (0, 1):
            back = await hall.connect("back", node, token=token)
            assert (await back.ask("watch", room=table.room))["you"] == seat
    # The code lets in; after that the id is known, until one leaves.
    await eve.ask("watch", room=table.code)
    assert (await eve.ask("watch", room=table.room))["you"] is None
    await eve.ask("unwatch", room=table.room)
    await assert_refused(eve, "no_such_room", "watch", room=table.room)


async def test_a_listed_room_is_found_by_its_id_by_anybody(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", listed=True)
    assert (await bob.ask("watch", room=opened["room"]))["you"] is None
    assert (await bob.ask("join", room=opened["room"]))["you"] == 1


async def test_who_joined_elsewhere_is_no_stranger_to_a_node_that_knew_the_room_before(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann", 0)
    opened = await ann.ask("create", game="duel")
    await ann.close()
    bob = await hall.connect("bob", 1)
    await bob.ask("join", room=opened["code"])
    moved = await hall.connect("bob", 0, token=bob.token)
    assert moved.welcome["seats"] == [{"room": opened["room"], "seat": 1}]
    assert (await moved.ask("watch", room=opened["room"]))["you"] == 1
