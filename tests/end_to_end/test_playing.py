"""Moves, and what ends a round."""

import pytest

from end_to_end.requests import assert_refused, seated, two
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_errors_of_a_move_in_their_order(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", first="creator", listed=True)
    room = opened["room"]
    await assert_refused(ann, "not_your_turn", "move", room=room, round=1, ply=0, move="2A")
    eve = await hall.connect("eve")
    await assert_refused(eve, "not_seated", "move", room=room, round=9, ply=9, move="x")
    await bob.ask("join", room=room)
    stale = await assert_refused(ann, "stale_round", "move", room=room, round=2, ply=5, move="x")
    assert stale["round"] == 1
    stale = await assert_refused(bob, "stale_ply", "move", room=room, round=1, ply=5, move="x")
    assert stale["ply"] == 0
    await assert_refused(bob, "not_your_turn", "move", room=room, round=1, ply=0, move="x")
    await assert_refused(ann, "unreadable_move", "move", room=room, round=1, ply=0, move="x")
    await assert_refused(ann, "illegal_move", "move", room=room, round=1, ply=0, move="9A")
    accepted = await ann.move(room, 0, "2a")
    assert accepted["type"] == "accepted"
    assert (accepted["room"], accepted["round"], accepted["ply"]) == (room, 1, 0)
    event = await bob.event("moved")
    assert (event["seq"], event["move"], event["turn"]) == (accepted["seq"], "2A", 1)
    await ann.ask("resign", room=room, round=1)
    await assert_refused(bob, "game_over", "move", room=room, round=1, ply=1, move="x")


async def test_resign_ends_the_round_and_may_be_asked_again(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await table.moves(2)
    for client in (bob, await hall.connect("bob", 0, token=bob.token)):
        assert (await client.ask("resign", room=table.room, round=1))["type"] == "ok"
    finished = await ann.event("finished")
    assert (finished["winner"], finished["reason"]) == (0, "resigned")
    assert (finished["score"], finished["match_over"]) == ([1, 0], True)
    assert (finished["match_winner"], finished["next_ms"]) == (0, None)
    await assert_refused(ann, "game_over", "resign", room=table.room, round=1)
    error = await assert_refused(ann, "stale_round", "resign", room=table.room, round=2)
    assert error["round"] == 1
    eve = await hall.connect("eve")
    await eve.ask("watch", room=table.code)
    await assert_refused(eve, "not_seated", "resign", room=table.room, round=1)


async def test_abort_closes_an_open_room(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel")
    await bob.ask("watch", room=opened["code"])
    await assert_refused(bob, "not_seated", "abort", room=opened["room"], round=1)
    for _ in range(2):
        assert (await ann.ask("abort", room=opened["room"], round=1))["type"] == "ok"
    assert (await bob.event("closed"))["reason"]
    assert (await bob.ask("watch", room=opened["code"]))["status"] == "over"
    assert (await hall.connect("ann", token=ann.token)).welcome["seats"] == []
    await assert_refused(ann, "game_over", "rematch", room=opened["room"], round=1)


async def test_abort_before_both_have_moved(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await table.move()
    for _ in range(2):
        assert (await bob.ask("abort", room=table.room, round=1))["type"] == "ok"
    finished = await ann.event("finished")
    assert (finished["winner"], finished["reason"]) == (None, "aborted")
    assert (finished["score"], finished["match_over"]) == ([0, 0], True)


async def test_abort_after_both_have_moved_is_not_allowed(hall: Hall) -> None:
    table = await seated(hall)
    await table.moves(2)
    await assert_refused(table.players[0], "not_allowed", "abort", room=table.room, round=1)
    await table.move()


async def test_claim_waits_for_the_opponent(hall: Hall) -> None:
    clock = {"initial_ms": 600_000, "increment_ms": 0}
    table = await seated(hall, clock=clock)
    ann, bob = table.players
    here = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert here["wait_ms"] == 60_000
    await bob.close()
    await ann.until(lambda m: m["type"] == "presence" and m["seats"][1]["away_since_ms"])
    gone = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert 50_000 < gone["wait_ms"] <= 60_000
    await table.move()


async def test_claim_in_an_untimed_game_waits_a_day(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await bob.close()
    await ann.until(lambda m: m["type"] == "presence" and m["seats"][1]["away_since_ms"])
    gone = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert 86_000_000 < gone["wait_ms"] <= 86_400_000


async def test_a_rematch_starts_when_both_have_asked(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await assert_refused(ann, "not_allowed", "rematch", room=table.room, round=1)
    await table.moves(2)
    await ann.ask("resign", room=table.room, round=1)
    for _ in range(2):
        assert (await ann.ask("rematch", room=table.room, round=1))["type"] == "ok"
    assert (await bob.event("rematch"))["seat"] == 0
    assert (await bob.ask("watch", room=table.room))["rematch"] == [True, False]
    await bob.ask("rematch", room=table.room, round=1)
    started = await ann.event("started", round=2)
    assert (started["match"], started["first"]) == (2, 1)
    # Asked again after it began, it is the same request.
    for client in (ann, bob):
        assert (await client.ask("rematch", room=table.room, round=1))["type"] == "ok"
    room = await ann.ask("watch", room=table.room)
    assert (room["match"], room["round"], room["score"]) == (2, 2, [0, 0])
    assert (room["status"], room["rematch"]) == ("live", [False, False])
    for client, seat in ((ann, 0), (bob, 1)):
        back = await hall.connect("back", 1 - seat, token=client.token)
        assert back.welcome["seats"] == [{"room": table.room, "seat": seat}]
    kinds = [event["kind"] for event in bob.events(table.room) if event["seq"] > 5]
    assert kinds == ["finished", "rematch", "rematch", "started"]


async def test_the_next_round_of_a_match_starts_by_itself(hall: Hall) -> None:
    table = await seated(hall, rounds=2)
    ann, bob = table.players
    await ann.ask("resign", room=table.room, round=1)
    finished = await bob.event("finished")
    assert (finished["match_over"], finished["score"]) == (False, [0, 1])
    assert finished["next_ms"] > finished["at_ms"]
    await assert_refused(ann, "not_allowed", "rematch", room=table.room, round=1)
    started = await bob.event("started", round=2)
    assert (started["match"], started["first"]) == (1, 1)
    assert started["at_ms"] >= finished["next_ms"]
    await bob.move(table.room, 0, "2", round_=2)
