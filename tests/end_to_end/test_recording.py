"""Records and replays, and the time of the hall."""

import asyncio
from typing import Any

import pytest

from end_to_end.requests import assert_refused, seated, two
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_record_of_a_round_can_be_stepped_through(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await assert_refused(ann, "stale_round", "record", room=table.room, round=2)
    await table.moves(4)
    running = await bob.ask("record", room=table.room)
    assert [frame["move"] for frame in running["frames"]] == [None, "2", "3", "2", "3"]
    await ann.ask("resign", room=table.room, round=1)
    for client in (ann, bob):
        await client.ask("rematch", room=table.room, round=1)
    await ann.event("started", round=2)
    watcher = await hall.connect("eve", 1)
    record = await watcher.ask("record", room=table.code, round=1)
    assert (record["room"], record["round"]) == (table.room, 1)
    assert record["frames"] == running["frames"]
    assert [frame["ply"] for frame in record["frames"]] == [None, 0, 1, 2, 3]
    assert [frame["seat"] for frame in record["frames"]] == [None, 0, 1, 0, 1]
    for count, frame in enumerate(record["frames"]):
        assert len(frame["view"]["stacks"][0]["items"]) == count
    assert '[Player1 "ann"]' in record["text"] and '[Reason "resigned"]' in record["text"]
    assert (await ann.ask("record", room=table.room))["round"] == 2


async def test_an_open_room_has_no_record(hall: Hall) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", game="duel")
    await assert_refused(ann, "not_allowed", "record", room=opened["room"])


async def test_a_game_from_a_file_is_replayed(hall: Hall) -> None:
    ann = await hall.connect("ann")
    record = await ann.ask(
        "replay", game="duel", options={"tiles": 5}, first=1, moves=["2A", "1B", "3A"]
    )
    assert (record["type"], record["room"]) == ("record", None)
    assert [frame["move"] for frame in record["frames"]] == [None, "2A", "1B", "3A"]
    assert [frame["seat"] for frame in record["frames"]] == [None, 1, 0, 1]


UNREPLAYABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown game": ("no_such_game", {"game": "chess"}),
    "bad options": ("bad_options", {"options": {"tiles": 99}}),
    "unreadable": ("unreadable_move", {"moves": ["2A", "up"]}),
    "illegal": ("illegal_move", {"moves": ["2A", "1A"]}),
}


@pytest.mark.parametrize("reason", UNREPLAYABLE)
async def test_a_game_that_cannot_be_replayed(hall: Hall, reason: str) -> None:
    code, fields = UNREPLAYABLE[reason]
    ann = await hall.connect("ann")
    asked: dict[str, Any] = {"game": "duel", "options": {}, "first": 0, "moves": []} | fields
    error = await assert_refused(ann, code, "replay", **asked)
    assert "moves" not in fields or "Move 2" in error["message"]


async def test_records_are_limited(hall: Hall) -> None:
    ann = await hall.connect("ann")
    asked = {"game": "duel", "options": {}, "first": 0, "moves": ["2A"]}
    answers = [await ann.asked("replay", **asked) for _ in range(8)]
    assert [answer["type"] for answer in answers[:5]] == ["record"] * 5
    assert answers[-1]["code"] == "rate_limited"
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_ping_tells_the_time_of_the_hall(hall: Hall) -> None:
    one, other = await two(hall)
    first, second = await one.ask("ping"), await other.ask("ping")
    assert first["type"] == "pong"
    assert abs(second["now_ms"] - first["now_ms"]) < 1000


async def test_replies_come_in_the_order_of_the_requests(hall: Hall) -> None:
    table = await seated(hall)
    ann, _ = table.players
    order: list[int] = []

    async def note(number: int, kind: str, **fields: Any) -> None:
        await ann.ask(kind, **fields)
        order.append(number)

    # Each but the pings goes to the store and back.
    requests: list[tuple[str, dict[str, Any]]] = [
        ("move", {"room": table.room, "round": 1, "ply": 0, "move": "2"}),
        ("ping", {}),
        ("watch", {"room": table.room}),
        ("ping", {}),
        ("say", {"room": table.room, "text": "your turn"}),
        ("ping", {}),
        ("resign", {"room": table.room, "round": 1}),
        ("ping", {}),
    ]
    await asyncio.gather(*(note(n, kind, **more) for n, (kind, more) in enumerate(requests)))
    assert order == list(range(len(requests)))
