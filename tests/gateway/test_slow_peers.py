"""Peers that do not read, do not answer, or do not come to the point."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest

from end_to_end.client import Client, Message
from end_to_end.node import Node
from gateway.conftest import StartNode
from gateway.hall import LARGE, Hall, Table, figure, memory, stranger
from gateway.peer import BINARY, Peer, frame, upgrade
from gateway.proxy import cable_to

pytestmark = pytest.mark.asyncio(loop_scope="session")

MEGABYTE = 1_000_000


def is_away(seat: int, room: str) -> Callable[[Message], bool]:
    def wanted(message: Message) -> bool:
        here = message["type"] == "presence" and message["room"] == room
        return here and not message["seats"][seat]["online"]

    return wanted


async def seconds_until_away(watcher: Client, table: Table, seat: int) -> float:
    began = time.monotonic()
    watcher.pushed.clear()
    seen = await watcher.until(is_away(seat, table.room), patience=20)
    assert seen["seats"][seat]["away_since_ms"] is not None
    return time.monotonic() - began


async def assert_may_resume(hall: Hall, table: Table, seat: int, token: str, at: Node) -> None:
    back = await hall.connect("back", at, token=token)
    assert {"room": table.room, "seat": seat} in back.welcome["seats"]
    assert (await back.ask("watch", room=table.room))["you"] == seat
    assert await back.move(table.room, table.ply, "23"[seat])


async def test_row_12_watchers_that_never_read_harm_nobody(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node("--requests-per-second", "1000", "--requests-burst", "1000")
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", node)
    table = await hall.table(ann, bob, options=LARGE)
    crowd = [await Peer.hello(node) for _ in range(100)]
    for peer in crowd:
        assert (await peer.ask("watch", room=table.code))["type"] == "room"
        peer.stop_reading()
    assert (await ann.ask("watch", room=table.room))["watchers"] == 100
    ann.pushed.clear()  # before they came, nobody watched either
    before, began, slowest = memory(node), time.monotonic(), 0.0
    for round_ in range(1, 6):
        mover = (round_ + 1) % 2
        for ply in range(70):
            asked = time.monotonic()
            player = (ann, bob)[(mover + ply) % 2]
            await player.move(table.room, ply, stranger(ply), round_)
            slowest = max(slowest, time.monotonic() - asked)
        await ann.ask("resign", room=table.room, round=round_)
        for player in (ann, bob):
            await player.ask("rematch", room=table.room, round=round_)
    # 350 events of two kilobytes for each of the hundred: 70 MB, if all were kept.
    assert memory(node) - before < 25 * MEGABYTE
    assert slowest < 1
    while await figure(node, "towerhall_connections") > 2:
        assert time.monotonic() - began < 15
        await asyncio.sleep(0.5)
    seen = await ann.until(lambda m: m["type"] == "presence" and m["watchers"] == 0)
    assert all(seat["online"] for seat in seen["seats"])


async def never_read(hall: Hall, *, talks: bool) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    await table.moves(2)
    await ann.close()
    stuck = await Peer.hello(hall.nodes[0], token=ann.token)
    assert (await stuck.ask("watch", room=table.room))["you"] == 0
    stuck.stop_reading()

    async def talk() -> None:
        while True:
            stuck.say("ping")
            await asyncio.sleep(0.5)

    talking = asyncio.create_task(talk() if talks else asyncio.sleep(0))
    assert await seconds_until_away(bob, table, 0) < 10
    await assert_may_resume(hall, table, 0, ann.token, hall.nodes[0])
    talking.cancel()


async def test_row_13_a_player_that_never_reads_is_cut_and_may_resume(hall: Hall) -> None:
    await asyncio.gather(never_read(hall, talks=False), never_read(hall, talks=True))


async def test_row_13_who_asks_for_much_and_reads_nothing_is_not_given_it(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node("--requests-per-second", "1000", "--requests-burst", "1000")
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", node)
    table = await hall.table(ann, bob, options=LARGE)
    await table.moves(90)
    greedy = [await Peer.hello(node) for _ in range(5)]
    for peer in greedy:
        peer.stop_reading()
    before = memory(node)
    for _ in range(500):
        for peer in greedy:
            peer.say("watch", room=table.code)
        await asyncio.sleep(0.01)
    snapshot = await ann.ask("watch", room=table.room)
    assert len(repr(snapshot)) > 6_000
    await table.moves(4)
    # 2,500 snapshots of some kilobytes, or a few for each of the five.
    assert memory(node) - before < 8 * MEGABYTE


async def test_row_14_a_half_open_connection_is_noticed(hall: Hall) -> None:
    bob = await hall.connect("bob", 1)
    async with cable_to(hall.nodes[0].port) as cable:
        ann = hall.closing(await Client.hello(cable.url, "ann"))
        table = await hall.table(ann, bob)
        await table.moves(4)
        cable.cut()
        assert await seconds_until_away(bob, table, 0) < 15
        await assert_may_resume(hall, table, 0, ann.token, hall.nodes[1])


async def drip(peer: Peer, data: bytes) -> None:
    """A byte at a time, for ever."""
    with contextlib.suppress(ConnectionError):
        for byte in data:
            peer.writer.write(bytes([byte]))
            await peer.writer.drain()
            await asyncio.sleep(0.3)


async def test_row_22_whoever_does_not_come_to_the_point_is_closed(hall: Hall) -> None:
    node = hall.nodes[0]
    half = frame(BINARY, bytes(1000))[:500]
    silent, headers, asks, upgraded, stays = [await Peer.connect(node.port) for _ in range(5)]
    half_heard, halting, half_greeted, slow_frame = [await Peer.open(node) for _ in range(4)]
    greeted = [await Peer.hello(node) for _ in range(2)]
    asks.writer.write(upgrade(node)[:-2])
    upgraded.writer.write(upgrade(node))
    stays.writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    half_heard.writer.write(half)
    halting.send(BINARY, b"x", fin=False)
    greeted[0].writer.write(half)
    half_greeted.writer.write(half[:1])
    drips = [
        asyncio.create_task(drip(headers, upgrade(node))),
        asyncio.create_task(drip(slow_frame, half)),
        asyncio.create_task(drip(greeted[1], half)),
    ]
    unnamed = await hall.connect_silent()
    assert (await unnamed.asked("ping"))["code"] == "hello_first"
    peers = [silent, headers, asks, upgraded, stays, half_heard, halting, half_greeted, slow_frame]
    seconds = await asyncio.gather(*(peer.seconds_to_end() for peer in [*peers, *greeted]))
    assert max(seconds) < 10, seconds
    assert await unnamed.closed() == 4003
    for task in drips:
        task.cancel()
