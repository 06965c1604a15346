"""A rolling upgrade: some rooms are already kept in a form that this node does not know."""

import time

from faults.hall import Hall
from faults.table import Table, assert_kept
from towerhall_server.match.state import FORMAT
from towerhall_server.store.keys import keys_of_room


async def test_a_room_in_a_newer_format_is_refused_and_left_as_it_is(hall: Hall) -> None:
    here = await hall.start()
    ann, bob = hall.guest("ann", here), hall.guest("bob", here)
    table = await Table.seat(ann, bob, clock={"initial_ms": 1000, "increment_ms": 0})
    other = await Table.seat(ann, bob)
    await table.play(2)
    key = keys_of_room(table.room).room
    state = hall.store.call("HGET", key, "state")
    newer = bytes([FORMAT + 1]) + b"of another shape"
    hall.store.call("HSET", key, "state", newer)
    here = await hall.start()
    line = await hall.guest("lou", here).line()
    for kind in ("watch", "join", "record"):
        refused = await line.asked(kind, room=table.room)
        assert (refused["code"], refused["temporary"]) == ("unavailable", True)
        assert "newer" in refused["message"]
    # Its deadline passes, and no node that cannot read it does anything about that.
    until = time.monotonic() + 3
    while time.monotonic() < until:
        await other.play(1, pause_s=0.3)
    assert hall.store.call("HGET", key, "state") == newer
    returned = hall.guest("ann", here)
    returned.token = ann.token
    await returned.line()
    assert table.room in [seat["room"] for seat in returned.welcome["seats"]]
    hall.store.call("HSET", key, "state", state)
    finished = await ann.streams[table.room].finished(within_s=5)
    assert finished["reason"] == "timeout"
    await assert_kept(hall, table)
    await assert_kept(hall, other)
