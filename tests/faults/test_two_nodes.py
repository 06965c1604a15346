"""No game is pinned to a process."""

from faults.hall import Hall
from faults.stream import assert_same
from faults.table import LONGEST, Table, assert_played_out


async def test_two_nodes_tell_one_story(hall: Hall) -> None:
    here, there = await hall.start(), await hall.start()
    table = await Table.seat(hall.guest("ann", here), hall.guest("bob", there))
    watchers = [await hall.watcher("wes", table.room, here)]
    watchers += [await hall.watcher("wim", table.room, there)]
    await table.play(LONGEST)
    streams = [*table.streams, *(watcher.streams[table.room] for watcher in watchers)]
    for stream in streams:
        await stream.finished()
    assert_same(*streams)
    watched = [[event["seq"] for event in stream.events] for stream in streams[2:]]
    assert watched == [list(range(4, 4 + LONGEST + 1))] * 2
    await assert_played_out(hall, table)
