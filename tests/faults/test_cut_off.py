"""Rows 4 to 7 and 11: the store is there, and what comes from it is not, or is a refusal."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from end_to_end.client import Message
from end_to_end.node import Node
from faults.guest import refused_upgrade
from faults.hall import Hall, status_of
from faults.line import Line
from faults.proxy import Proxy
from faults.stream import assert_same
from faults.table import LONGEST, Table, assert_kept, assert_played_out, text_of
from store.valkey import Valkey
from towerhall_server.store.scripts import COMMIT

READY_LOST_WITHIN_S = 3.0
FROZEN_S = 6.0


@pytest.fixture
async def proxy(store: Valkey) -> AsyncIterator[Proxy]:
    async with Proxy(store.socket.with_name("proxy"), store.socket) as proxy:
        yield proxy


async def ask_once(table: Table) -> Message:
    """The next move, asked once: the reply, whatever it is."""
    line = await table.mover.line()
    assert isinstance(line, Line)
    ply = table.ply
    return await line.asked("move", room=table.room, round=1, ply=ply, move=text_of(ply))


def assert_unavailable(reply: Message) -> None:
    assert (reply["type"], reply.get("code")) == ("error", "unavailable")
    assert reply["temporary"]


async def test_row_4_a_move_whose_reply_from_the_store_is_cut_is_accepted_all_the_same(
    hall: Hall, proxy: Proxy
) -> None:
    here, there = await hall.start(url=proxy.url), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    cuts = 4
    for cut in range(1, cuts + 1):
        proxy.cut_reply_to(COMMIT.sha.encode(), table.room.encode())
        accepted = await ask_once(table)
        assert (accepted["type"], proxy.cuts) == ("accepted", cut)
        again = await table.move()
        assert {**again, "re": 0} == {**accepted, "re": 0}
        await table.move()
    assert_same(*table.streams)
    assert table.guests[0].returns == 1
    await assert_kept(hall, table)


async def test_row_5_a_frozen_store_is_unavailable_and_then_applies_the_move_once(
    hall: Hall,
) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    watcher = await hall.watcher("wes", table.room, there)
    await table.play(2)
    hall.store.freeze()
    thaw_at = time.monotonic() + FROZEN_S
    assert_unavailable(await ask_once(table))
    assert time.monotonic() < thaw_at - 1
    asked_at = time.monotonic()
    assert_unavailable(await ask_once(table))
    assert time.monotonic() - asked_at < 1.5
    await asyncio.sleep(thaw_at - time.monotonic())
    hall.store.thaw()
    await table.move(within_s=5)
    await table.play(2)
    watched = watcher.streams[table.room]
    await watched.reaches(table.accepted[-1]["seq"])
    assert_same(*table.streams, watched)
    assert [guest.returns for guest in (*table.guests, watcher)] == [1, 1, 1]
    await assert_kept(hall, table)


async def test_row_5_a_move_asked_again_elsewhere_while_the_store_stands_still_is_applied_once(
    hall: Hall,
) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    ann = table.guests[0]
    again = hall.guest("ann", there)
    again.token = ann.token
    lines = [await ann.line(), await again.line()]
    await table.play(2)
    for _ in range(3):
        fields = {"room": table.room, "round": 1, "ply": table.ply, "move": text_of(table.ply)}
        hall.store.freeze()
        asked = [asyncio.create_task(line.asked("move", **fields)) for line in lines]
        await asyncio.sleep(0.5)
        hall.store.thaw()
        first, second = await asyncio.gather(*asked)
        assert first["type"] == "accepted"
        assert {**first, "re": 0} == {**second, "re": 0}
        table.accepted.append(first)
        await table.move()
    await assert_kept(hall, table)


async def test_row_6_a_node_cut_off_from_its_store_sends_its_guests_elsewhere(
    hall: Hall, proxy: Proxy
) -> None:
    cut_off, well = await hall.start(url=proxy.url), await hall.start()
    table = await Table.seat(hall.guest("ann", cut_off), hall.guest("bob", well))
    watcher = await hall.watcher("wes", table.room, cut_off)
    await table.play(2)
    proxy.stop()
    stopped_at = time.monotonic()
    while await status_of(cut_off, "/readyz") != 503:
        assert time.monotonic() - stopped_at < READY_LOST_WITHIN_S
        await asyncio.sleep(0.05)
    assert await status_of(cut_off, "/healthz") == 200
    assert await status_of(well, "/readyz") == 200
    assert await refused_upgrade(cut_off.url) == 503
    for within_s in (3.0, 1.5, 0.2, 0.2):
        asked_at = time.monotonic()
        assert_unavailable(await ask_once(table))
        assert time.monotonic() - asked_at < within_s
    ann = table.guests[0]
    line = await ann.line()
    assert await line.closed(patience=15) == 4002
    assert 10 < time.monotonic() - stopped_at < 14
    await table.play(4)
    watched = watcher.streams[table.room]
    await watched.reaches(table.accepted[-1]["seq"])
    assert_same(*table.streams, watched)
    await watcher.line()
    assert (ann.returns, watcher.returns, table.guests[1].returns) == (2, 2, 1)
    proxy.go_on()
    await _until_ready(cut_off)
    assert await refused_upgrade(cut_off.url) == 101
    await assert_kept(hall, table)


async def _until_ready(node: Node) -> None:
    until = time.monotonic() + 5
    while await status_of(node, "/readyz") != 200:
        assert time.monotonic() < until
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("setting", ["min-replicas-to-write", "maxmemory"])
async def test_row_7_a_store_that_refuses_writes_loses_nothing_and_nobody(
    hall: Hall, setting: str
) -> None:
    here, there = await hall.start(), await hall.start()
    clock = {"initial_ms": 2500, "increment_ms": 0}
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there), clock)
    watcher = await hall.watcher("wes", table.room, here)
    await table.play(2)
    hall.store.call("CONFIG", "SET", setting, 1)
    for _ in range(3):
        assert_unavailable(await ask_once(table))
        await asyncio.sleep(1.2)
    looker = hall.guest("lou", there)
    hall.store.call("CONFIG", "SET", setting, 0)
    await table.move(within_s=5)
    await table.play(3)
    watched = watcher.streams[table.room]
    await watched.reaches(table.accepted[-1]["seq"])
    assert_same(*table.streams, watched)
    assert [guest.returns for guest in (*table.guests, watcher)] == [1, 1, 1]
    await looker.enter("watch", room=table.room)
    assert not looker.streams[table.room].is_over
    await assert_kept(hall, table)


async def test_row_11_wake_ups_are_lost_and_events_are_not(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    watchers = [
        await hall.watcher(f"w{number}", table.room, node)
        for number, node in enumerate((here, there, here, there))
    ]
    killed = 0
    playing = asyncio.create_task(table.play(LONGEST, pause_s=0.05))
    while not playing.done():
        killed += hall.store.kill_clients("pubsub")
        await asyncio.sleep(0.05)
    await playing
    streams = [*table.streams, *(watcher.streams[table.room] for watcher in watchers)]
    for stream in streams:
        await stream.finished(within_s=3)
    assert killed > 20
    assert_same(*streams)
    assert [len(stream.snapshots) for stream in streams] == [1] * 6
    assert [watcher.returns for watcher in watchers] == [1] * 4
    await assert_played_out(hall, table)
