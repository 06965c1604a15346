"""Row 37: however many want to end a game at once, it ends once, and is recorded once."""

import asyncio
from collections import Counter

from end_to_end.client import Message
from faults.hall import Hall
from faults.line import Line
from faults.stream import assert_same
from faults.table import Table, assert_kept

ON_TIME = [-0.4 + 0.1 * number for number in range(17)]
"""Seconds after the flag at which both resign: the deadline is carried out 0.5 to 1 s after it. The
first are early enough, and the last late enough, for a busy machine."""


async def test_row_37_a_deadline_two_nodes_and_both_players_end_a_game_once(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()
    reasons: Counter[str] = Counter()

    async def race(number: int, after_s: float) -> None:
        ann, bob = hall.guest(f"ann{number}", here), hall.guest(f"bob{number}", there)
        table = await Table.seat(ann, bob, {"initial_ms": 1000, "increment_ms": 0})
        await table.play(2)
        await asyncio.sleep(1.0 + after_s)
        answers = await asyncio.gather(*(_resign(table, seat) for seat in (0, 1)))
        reasons[await _assert_ended_once(hall, table, answers)] += 1

    await asyncio.gather(*(race(number, after_s) for number, after_s in enumerate(ON_TIME)))
    assert set(reasons) == {"timeout", "resigned"}, "they did not race"


async def test_row_37_both_resign_at_once_and_one_of_them_did(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()

    async def race(number: int) -> None:
        ann, bob = hall.guest(f"ann{number}", here), hall.guest(f"bob{number}", there)
        table = await Table.seat(ann, bob)
        await table.play(2)
        answers = await asyncio.gather(*(_resign(table, seat) for seat in (0, 1, 0, 1)))
        assert await _assert_ended_once(hall, table, answers) == "resigned"

    await asyncio.gather(*(race(number) for number in range(10)))


async def _resign(table: Table, seat: int) -> Message:
    line = await table.guests[seat].line()
    assert isinstance(line, Line)
    return {"seat": seat, **await line.asked("resign", room=table.room, round=1)}


async def _assert_ended_once(hall: Hall, table: Table, answers: list[Message]) -> str:
    """The reason for which it ended."""
    for stream in table.streams:
        await stream.finished()
    assert_same(*table.streams)
    log = await assert_kept(hall, table)
    (finished,) = [event for event in log if event["kind"] == "finished"]
    assert finished == log[-1]
    for answer in answers:
        mine = finished["reason"] == "resigned" and finished["winner"] != answer["seat"]
        assert (answer["type"], answer.get("code")) == (
            ("ok", None) if mine else ("error", "game_over")
        )
    records = hall.store.call("HLEN", f"{{th:{table.room[:2]}}}:records:{table.room}")
    assert records == 1
    return str(finished["reason"])
