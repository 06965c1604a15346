"""Rows 2, 3 and 10: the store dies, is slow, comes back, forgets its scripts."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from faults.conftest import Shim
from faults.guest import eventually
from faults.hall import Hall
from faults.stream import assert_gapless
from faults.table import Table, assert_kept

RESUMES_WITHIN_S = 5.0


async def _two_nodes(hall: Hall) -> Table:
    here, there = await hall.start(), await hall.start()
    return await Table.seat(hall.guest("ann", here), hall.guest("bob", there))


async def _kill_store_in_play(hall: Hall, table: Table, moves: int, away_s: float) -> list[int]:
    """kill -9 while moves are made. Play resumes soon after its return; the numbers of the moves
    that were asked for only then."""
    playing = asyncio.create_task(table.play(moves, pause_s=0.03))
    await asyncio.sleep(random.uniform(0.0, 0.1))
    await hall.restart_store(away_s)
    ply = table.ply
    assert await eventually(lambda: table.ply > ply, within_s=20) < RESUMES_WITHIN_S
    await playing
    return [accepted["seq"] for accepted in table.accepted[ply + 1 :]]


async def test_row_2_a_killed_store_comes_back_with_every_accepted_move(hall: Hall) -> None:
    table = await _two_nodes(hall)
    watcher = await hall.watcher("wes", table.room)
    streams = (*table.streams, watcher.streams[table.room])
    epochs: dict[int, str] = {}
    for _ in range(3):
        asked_after = await _kill_store_in_play(hall, table, 8, random.uniform(0, 1.5))
        looked = await hall.guest("lou").enter("watch", room=table.room)
        epochs |= dict.fromkeys(asked_after, looked.epoch)
    for stream in streams:
        await stream.reaches(table.accepted[-1]["seq"])
        # Some may have been told by a snapshot in their place.
        told = {one["seq"]: one["epoch"] for one in stream.events if one["seq"] in epochs}
        assert told == {seq: epochs[seq] for seq in told}
        assert {one["epoch"] for one in stream.snapshots} >= {*epochs.values()}
    assert len({*epochs.values()}) == 3 and watcher.returns == 1
    assert_gapless(*streams)
    await assert_kept(hall, table)


async def test_row_2_another_run_of_the_store_is_told_at_once(hall: Hall) -> None:
    """What was told before may not be what happened: it is replaced, without being asked for."""
    table = await _two_nodes(hall)
    watcher = await hall.watcher("wes", table.room)
    streams = (*table.streams, watcher.streams[table.room])
    await table.play(2)
    for stream in streams:
        await stream.reaches(table.accepted[-1]["seq"])
    before = streams[0].epoch
    await hall.restart_store()
    for stream in streams:
        await stream.until(lambda told: told.snapshots[-1]["epoch"] != before)
    await table.play(2)
    assert_gapless(*streams)
    assert len({stream.epoch for stream in streams}) == 1
    assert [guest.returns for guest in (*table.guests, watcher)] == [1, 1, 1]


@pytest.mark.parametrize("sync_ms", [300, 900])
async def test_row_2_nor_is_one_lost_on_a_slow_disk(
    hall: Hall, shim: Shim, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sync_ms: int
) -> None:
    table = await _two_nodes(hall)
    hall.store.kill()
    counted = tmp_path / "syncs"
    with monkeypatch.context() as slow:
        slow.setenv("LD_PRELOAD", shim("slow_sync"))
        slow.setenv("SLOW_SYNC_MS", str(sync_ms))
        slow.setenv("SLOW_SYNC_LOG", str(counted))
        hall.store.start()
    await table.play(2)
    assert counted.stat().st_size >= 2, "the store's syncs are not slowed"
    playing = asyncio.create_task(table.play(2))
    await asyncio.sleep(random.uniform(0.0, 1.5))
    await hall.restart_store()
    ply = table.ply
    await eventually(lambda: table.ply > ply or playing.done(), RESUMES_WITHIN_S)
    await playing
    await assert_kept(hall, table)


async def test_row_3_node_and_store_die_together(hall: Hall) -> None:
    table = await _two_nodes(hall)
    for _ in range(3):
        starting = asyncio.create_task(hall.start())
        playing = asyncio.create_task(table.play(5))
        await asyncio.sleep(random.uniform(0.0, 0.1))
        hall.store.kill()
        await hall.kill(hall.nodes[0])
        await asyncio.gather(starting, return_exceptions=True)
        await asyncio.to_thread(hall.store.start)
        back_at = time.monotonic()
        if len(hall.nodes) < 2:
            await hall.start()
        await playing
        assert time.monotonic() - back_at < RESUMES_WITHIN_S
    assert_gapless(*table.streams)
    await assert_kept(hall, table)


async def test_row_10_flushed_scripts_and_a_restarted_store_are_not_noticed(hall: Hall) -> None:
    table = await _two_nodes(hall)
    for _ in range(5):
        hall.store.call("SCRIPT", "FLUSH")
        await table.play(2)
    await hall.restart_store()
    await table.play(4)
    refusals = [guest.refusals for guest in table.guests]
    assert refusals == [[], []]
    assert [guest.returns for guest in table.guests] == [1, 1]
    await assert_kept(hall, table)
