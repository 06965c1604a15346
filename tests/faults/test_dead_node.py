"""Row 1: kill -9 of a node in the middle of a move."""

import asyncio
import random

from faults.hall import Hall
from faults.line import Line
from faults.stream import assert_same
from faults.table import LONGEST, Table, assert_played_out

KILLS = 10
LONGEST_WAIT_S = 0.004


async def test_row_1_a_move_whose_node_dies_is_resent_elsewhere_and_applied_once(
    hall: Hall,
) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    watchers = [await hall.watcher("wes", table.room, here)]
    watchers += [await hall.watcher("wim", table.room, there)]
    for _ in range(KILLS):
        await _move_and_kill(hall, table)
        await table.move()
    await table.play(LONGEST - table.ply)
    streams = [*table.streams, *(watcher.streams[table.room] for watcher in watchers)]
    for stream in streams:
        await stream.finished()
    assert_same(*streams)
    assert len({stream.epoch for stream in streams}) == 1
    await assert_played_out(hall, table)


async def _move_and_kill(hall: Hall, table: Table) -> None:
    """The move is sent, its reply is not read, and the node is gone."""
    line = await table.mover.line()
    assert isinstance(line, Line)
    node = next(node for node in hall.nodes if node.port == line.socket.remote_address[1])
    starting = asyncio.create_task(hall.start())
    await asyncio.sleep(random.uniform(0, 0.2))
    await line.send(table.next_move())
    await asyncio.sleep(random.uniform(0, LONGEST_WAIT_S))
    await hall.kill(node)
    await starting
