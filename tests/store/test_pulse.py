"""Pulses: time goes on while nodes live, and each due deadline is given to one of them."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from store.conftest import Open
from store.hall import Hall
from store.valkey import Valkey
from towerhall_server.store.keys import keys_of_room


async def due_in(hall: Hall, after_ms: int) -> str:
    first = hall.first()
    first = replace(first, deadline_ms=first.now.now_ms + after_ms)
    await hall.store.commit(first)
    return first.room


def shift_last(server: Valkey, room: str, by_ms: int) -> None:
    """As if the last sign of life were that much later."""
    server.call("HINCRBY", keys_of_room(room).pulse, "last", by_ms)


async def test_a_due_deadline_goes_to_one_of_two_nodes(server: Valkey, open_hall: Open) -> None:
    one, other = await open_hall(server, "a"), await open_hall(server, "b")
    room = await due_in(one, -600)
    # At once: a claim lasts for half a second.
    claimed = await asyncio.gather(other.store.pulse(), one.store.pulse(), other.store.pulse())
    assert sorted(claimed) == [[], [], [room]]


async def test_a_deadline_is_due_half_a_second_late(hall: Hall) -> None:
    await due_in(hall, -300)
    assert await hall.store.pulse() == []


async def test_a_claim_that_led_to_nothing_is_given_again(server: Valkey, open_hall: Open) -> None:
    one, other = await open_hall(server, "a"), await open_hall(server, "b")
    room = await due_in(one, -600)
    began = time.monotonic()
    assert await one.store.pulse() == [room]
    deadlines = keys_of_room(room).deadlines
    claimed_until = int(server.call("ZSCORE", deadlines, room)) + 500
    left_ms = claimed_until - one.store.now(room).now_ms
    took_ms = (time.monotonic() - began) * 1000
    assert 490 - took_ms < left_ms <= 500
    server.call("ZINCRBY", deadlines, -600, room)
    assert await other.store.pulse() == [room]


async def test_at_most_a_hundred_of_a_shard_are_claimed_at_once(server: Valkey, hall: Hall) -> None:
    room = await due_in(hall, -600)
    for number in range(150):
        server.call("ZADD", keys_of_room(room).deadlines, 1, f"{room[:2]}{number:018}")
    assert len(await hall.store.pulse()) == 100
    assert len(await hall.store.pulse()) == 51


@pytest.mark.parametrize("by_ms", [-20_000, 3_600_000], ids=["outage", "clock set back"])
async def test_the_hall_goes_on_from_where_it_stood(server: Valkey, hall: Hall, by_ms: int) -> None:
    room, began = hall.first().room, time.monotonic()
    shift_last(server, room, by_ms)
    stood = int(server.call("HGET", keys_of_room(room).pulse, "last"))
    await hall.store.pulse()
    now = hall.store.now(room)
    took_ms = (time.monotonic() - began) * 1000
    assert 0 <= now.now_ms - stood < 200 + took_ms
    assert abs(now.down_ms + by_ms) < 200 + took_ms


async def test_a_pause_of_less_than_two_seconds_is_no_downtime(server: Valkey, hall: Hall) -> None:
    room = hall.first().room
    shift_last(server, room, -1500)
    await hall.store.pulse()
    assert hall.store.now(room).down_ms == 0


async def test_a_commit_is_a_sign_of_life(server: Valkey, hall: Hall) -> None:
    first = hall.first()
    shift_last(server, first.room, -1500)
    before = int(server.call("HGET", keys_of_room(first.room).pulse, "last"))
    await hall.store.commit(first)
    assert int(server.call("HGET", keys_of_room(first.room).pulse, "last")) - before >= 1500


async def test_many_nodes_write_no_more_pulses_than_one(server: Valkey, hall: Hall) -> None:
    key = keys_of_room(hall.first().room).pulse
    before = server.call("HGET", key, "last")
    await hall.store.pulse()
    assert server.call("HGET", key, "last") == before
