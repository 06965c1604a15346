"""Clocks in real games: they run, they are credited, they stand still while the hall is away."""

import asyncio
import os
import subprocess
import sys
import time

import pytest

from end_to_end.client import Message
from end_to_end.node import Node
from faults.conftest import Shim
from faults.guest import Guest
from faults.hall import Hall
from faults.stream import Stream, assert_gapless
from faults.table import Table, assert_kept
from store.valkey import Valkey
from towerhall_server.store import RedisStore

PULSE_MS = 1000
"""The hall stands still from its last sign of life on, which is about that old at most."""
HOUR_S = 3600


def clock(initial_ms: int, increment_ms: int = 0) -> Message:
    return {"initial_ms": initial_ms, "increment_ms": increment_ms}


def spent_ms(stream: Stream) -> int:
    """What the mover of the latest move spent on it, the increment not counted."""
    before, after = stream.of_kind("moved")[-2:]
    seat = after["seat"]
    spent = before["clocks"]["remaining_ms"][seat] - after["clocks"]["remaining_ms"][seat]
    return int(spent)


def flag_ms(clocks: Message) -> int:
    """The moment at which the running clock is at zero."""
    return int(clocks["at_ms"] + clocks["remaining_ms"][clocks["running"]])


def assert_timed_out(finished: Message, winner: int, flag: int) -> None:
    assert (finished["reason"], finished["winner"]) == ("timeout", winner)
    assert 500 <= finished["at_ms"] - flag <= 2000


async def test_a_clock_that_runs_out_ends_the_game_half_a_second_later(hall: Hall) -> None:
    node = await hall.start()
    table = await Table.seat(hall.guest("ann", node), hall.guest("bob", node), clock(1000))
    await table.play(1)
    ann, bob = table.streams
    flag = flag_ms(bob.clocks)
    assert_timed_out(await ann.finished(4), 0, flag)
    assert await bob.finished() == await ann.finished()
    with pytest.raises(Exception, match="game_over"):
        await table.move()


async def test_a_move_earns_its_increment(hall: Hall) -> None:
    node = await hall.start()
    table = await Table.seat(hall.guest("ann", node), hall.guest("bob", node), clock(5000, 700))
    await table.play(2)
    for _ in range(3):
        await asyncio.sleep(0.4)
        accepted = await table.move()
        stream = table.streams[0]
        await stream.reaches(accepted["seq"])
        assert 380 <= spent_ms(stream) + 700 <= 550


async def test_row_30_a_node_with_a_wrong_clock_keeps_the_halls_time(
    hall: Hall, shim: Shim
) -> None:
    ahead, behind = (_wrong_by(seconds, shim) for seconds in (HOUR_S, -HOUR_S))
    here, there = await hall.start(env=ahead), await hall.start(env=behind)
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there), clock(2500))
    for guest in table.guests:
        assert abs(guest.welcome["now_ms"] - _store_now_ms(hall.store)) < 2000
    await table.play(2)
    for _ in range(2):
        await asyncio.sleep(0.5)
        accepted = await table.move()
        for stream in table.streams:
            await stream.reaches(accepted["seq"])
            assert 480 <= spent_ms(stream) <= 700
    flag = flag_ms(table.streams[0].clocks)
    began = time.monotonic()
    finished = await table.streams[1].finished(5)
    assert 2.0 < time.monotonic() - began < 4.0
    assert_timed_out(finished, 1, flag)
    assert abs(finished["at_ms"] - _store_now_ms(hall.store)) < 1500


def _wrong_by(seconds: int, shim: Shim) -> dict[str, str]:
    env = {"LD_PRELOAD": shim("wrong_clock"), "WRONG_CLOCK_S": str(seconds)}
    asked = [sys.executable, "-c", "import time; print(time.time())"]
    told = subprocess.run(asked, env={**os.environ, **env}, capture_output=True, check=True)
    assert abs(float(told.stdout) - time.time() - seconds) < 60, "the clock is not wrong"
    return env


def _store_now_ms(store: Valkey) -> int:
    seconds, micros = store.call("TIME")
    return int(seconds) * 1000 + int(micros) // 1000


async def test_row_31_a_flag_falls_though_the_node_that_saw_the_game_is_dead(hall: Hall) -> None:
    seen, other = await hall.start(), await hall.start()
    # The other node has seen the room before there was a game in it, and has an old idea of it.
    ann, bob = hall.guest("ann", seen), hall.guest("bob", seen)
    table = await _seat_after_a_look(hall, other, ann, bob, clock(1500))
    await table.play(1)
    flag = flag_ms(table.streams[0].clocks)
    await hall.kill(seen)
    await asyncio.sleep(1.5 + 2.0)
    (finished,) = [event for event in await assert_kept(hall, table) if event["kind"] == "finished"]
    assert_timed_out(finished, 0, flag)


async def test_row_31_also_when_it_died_with_the_deadline_in_its_hands(hall: Hall) -> None:
    node = await hall.start()
    # A node in this process takes what is due, and is never heard of again.
    dying = await RedisStore.open(hall.store.url, "dying", lambda *_: None, lambda: None)
    for _ in range(5):
        table = await Table.seat(hall.guest("ann", node), hall.guest("bob", node), clock(1000))
        await table.play(1)
        flag = flag_ms(table.streams[0].clocks)
        if await _claims(dying, table):
            break
    else:
        pytest.fail("five times the other node was quicker")
    await dying.close()
    assert_timed_out(await table.streams[0].finished(5), 0, flag)


async def _claims(store: RedisStore, table: Table) -> bool:
    """Whether it was this one that got the table's deadline."""
    until = time.monotonic() + 4
    while time.monotonic() < until:
        if table.room in await store.pulse():
            return True
        await asyncio.sleep(0.005)
    return False


async def _seat_after_a_look(
    hall: Hall, looking: Node, ann: Guest, bob: Guest, clock: Message
) -> Table:
    opened = await ann.enter("create", game="chain", first="creator", clock=clock, listed=True)
    looker = hall.guest("lou", looking)
    await looker.enter("watch", room=opened.room)
    await looker.ask("unwatch", room=opened.room)
    await asyncio.sleep(0.1)
    await bob.enter("join", room=opened.room)
    return Table((ann, bob), opened.room)


async def test_a_player_whose_node_died_finds_the_seat_on_a_node_that_last_saw_it_empty(
    hall: Hall,
) -> None:
    seen, other = await hall.start(), await hall.start()
    ann, bob = hall.guest("ann", seen), hall.guest("bob", seen)
    table = await _seat_after_a_look(hall, other, ann, bob, clock(60_000))
    await hall.kill(seen)
    await bob.line()
    await table.play(2)
    assert bob.welcome["seats"] == [{"room": table.room, "seat": 1}]
    assert ann.welcome["seats"] == [{"room": table.room, "seat": 0}]
    shown = await bob.ask("watch", room=table.room)
    assert shown["you"] == 1
    assert [seat["online"] for seat in shown["seats"]] == [True, True]


async def test_row_32_nobody_loses_on_time_while_the_store_is_away(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there), clock(3000))
    for guest in table.guests:
        guest.attend()
    await table.play(2)
    moved_at = time.monotonic()
    await asyncio.sleep(0.8)
    hall.store.kill()
    died_at = time.monotonic()
    await asyncio.sleep(20)
    await asyncio.to_thread(hall.store.start)
    back_at = time.monotonic()
    # Time goes on with the first node that finds the store again.
    await asyncio.gather(*(guest.line() for guest in table.guests))
    accepted = await table.move(within_s=5)
    resumed_at = time.monotonic()
    await table.streams[1].reaches(accepted["seq"])
    _assert_stood_still(table, died_at - moved_at, resumed_at - back_at)
    await table.play(1)
    assert not any(stream.of_kind("finished") for stream in table.streams)
    assert_gapless(*table.streams)
    await assert_kept(hall, table)


async def test_everything_is_started_again_and_unfinished_games_go_on(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there), clock(3000))
    await table.play(2)
    moved_at = time.monotonic()
    await asyncio.sleep(0.8)
    died_at = time.monotonic()
    for node in list(hall.nodes):
        await hall.kill(node)
    hall.store.kill()
    await asyncio.sleep(5)
    await asyncio.to_thread(hall.store.start)
    await hall.start()
    back_at = time.monotonic()
    await table.move(within_s=5)
    _assert_stood_still(table, died_at - moved_at, time.monotonic() - back_at)
    for seat, guest in enumerate(table.guests):
        await guest.line()
        assert guest.welcome["seats"] == [{"room": table.room, "seat": seat}]
    await table.play(1)
    await assert_kept(hall, table)


def _assert_stood_still(table: Table, before_s: float, after_s: float) -> None:
    """Of the move's time only what the hall was open counts, to within a pulse."""
    mover = table.guests[(table.ply - 1) % 2].streams[table.room]
    left = mover.clocks["remaining_ms"][(table.ply - 1) % 2]
    spent = 3000 - left
    assert before_s * 1000 - PULSE_MS <= spent <= (before_s + after_s) * 1000 + 300, spent
