"""Who is at a room, over all nodes."""

import asyncio

from store.conftest import Open
from store.hall import Hall, eventually
from store.valkey import Valkey
from towerhall_server.store import Presence, new_room, read_payload
from towerhall_server.store.keys import keys_of_room

NOBODY = Presence((False, False), (None, None), 0)
ROOM = new_room("K7Q2MX")


async def two(server: Valkey, open_hall: Open) -> tuple[Hall, Hall]:
    return await open_hall(server, "a", True), await open_hall(server, "b", True)


async def test_what_nodes_see_is_joined(server: Valkey, open_hall: Open) -> None:
    one, other = await two(server, open_hall)
    await one.store.presence(ROOM, (True, False), 2)
    seen = await other.store.presence(ROOM, (False, True), 3)
    assert seen == Presence((True, True), (None, None), 5)
    assert await one.store.read_presence(ROOM) == seen


async def test_a_seat_is_online_while_any_node_says_so(server: Valkey, open_hall: Open) -> None:
    one, other = await two(server, open_hall)
    await one.store.presence(ROOM, (True, False), 0)
    await other.store.presence(ROOM, (True, False), 0)
    seen = await one.store.presence(ROOM, (False, False), 0)
    assert seen == Presence((True, False), (None, None), 0)


async def test_who_leaves_is_away_since_then_until_back(hall: Hall) -> None:
    await hall.store.presence(ROOM, (True, False), 0)
    before = hall.store.now(ROOM).now_ms
    left = await hall.store.presence(ROOM, (False, False), 1)
    since = left.away_since_ms[0]
    assert since is not None
    assert before <= since <= hall.store.now(ROOM).now_ms
    await asyncio.sleep(0.05)
    assert (await hall.store.presence(ROOM, (False, False), 0)).away_since_ms == (since, None)
    assert (await hall.store.read_presence(ROOM)).away_since_ms == (since, None)
    back = await hall.store.presence(ROOM, (True, False), 0)
    assert back == Presence((True, False), (None, None), 0)


async def test_a_silent_node_is_dropped_and_its_people_left_when_it_last_spoke(
    server: Valkey, open_hall: Open
) -> None:
    one, other = await two(server, open_hall)
    before = one.store.now(ROOM).now_ms
    await one.store.presence(ROOM, (False, True), 4, lease_ms=300)
    spoke = one.store.now(ROOM).now_ms
    assert (await other.store.read_presence(ROOM)).online == (False, True)
    await asyncio.sleep(0.4)
    seen = await other.store.read_presence(ROOM)
    assert (seen.online, seen.watchers) == ((False, False), 0)
    since = seen.away_since_ms[1]
    assert since is not None
    assert before <= since <= spoke


async def test_a_change_is_published_once(hall: Hall) -> None:
    await hall.store.subscribe(ROOM)
    for _ in range(3):
        await hall.store.presence(ROOM, (True, False), 2)
    await hall.store.presence(ROOM, (True, False), 3)
    await eventually(lambda: len(hall.payloads) >= 2)
    told = [read_payload(payload) for _, payload in hall.payloads]
    assert told == [
        Presence((True, False), (None, None), 2),
        Presence((True, False), (None, None), 3),
    ]


async def test_a_look_at_an_empty_room_writes_nothing(server: Valkey, hall: Hall) -> None:
    assert await hall.store.read_presence(ROOM) == NOBODY
    assert server.call("EXISTS", keys_of_room(ROOM).here) == 0


async def test_what_is_known_of_a_room_expires(server: Valkey, hall: Hall) -> None:
    await hall.store.presence(ROOM, (True, False), 0)
    assert 0 < server.call("PTTL", keys_of_room(ROOM).here) <= 86_400_000
