"""Wake-ups: in order while the connection lives, a gap told when it did not."""

import asyncio

import pytest

from store.conftest import Open
from store.hall import Hall, eventually
from store.valkey import Valkey
from towerhall_server.store import Publication, Unavailable, new_code, new_room, read_payload
from towerhall_server.store.keys import keys_of_room

ROOM = new_room("K7Q2MX")


def publish(server: Valkey, room: str, text: str) -> int:
    """How many heard it."""
    return int(server.call("PUBLISH", keys_of_room(room).channel, text))


async def test_a_subscription_is_there_when_it_returns(server: Valkey, hall: Hall) -> None:
    await hall.store.subscribe(ROOM)
    assert publish(server, ROOM, "e1") == 1
    hall.store.unsubscribe(ROOM)
    await asyncio.sleep(0.05)
    assert publish(server, ROOM, "e2") == 0


async def test_payloads_come_in_order(hall: Hall) -> None:
    first = await hall.make_room()
    await hall.store.subscribe(first.room)
    commit = first
    for _ in range(50):
        commit = hall.next(commit)
        await hall.store.commit(commit)
    await hall.store.presence(first.room, (True, True), 0)
    await eventually(lambda: len(hall.payloads) == 51)
    told = [read_payload(payload) for _, payload in hall.payloads[:50]]
    assert [one.top for one in told if isinstance(one, Publication)] == list(range(2, 52))


async def test_a_room_given_up_and_taken_again_at_once_is_subscribed_to(
    server: Valkey, hall: Hall
) -> None:
    for _ in range(20):
        await hall.store.subscribe(ROOM)
        hall.store.unsubscribe(ROOM)
    await asyncio.gather(hall.store.subscribe(ROOM), hall.store.subscribe(ROOM))
    assert publish(server, ROOM, "e1") == 1
    await eventually(lambda: hall.payloads == [(ROOM, b"e1")])


async def test_after_a_lost_connection_there_is_a_gap_and_all_rooms_again(
    server: Valkey, hall: Hall
) -> None:
    rooms = [new_room(new_code()) for _ in range(1200)]
    await asyncio.gather(*map(hall.store.subscribe, rooms))
    assert server.kill_clients("pubsub") == 1
    await eventually(lambda: hall.gaps == 1)
    assert all(publish(server, room, "e1") == 1 for room in rooms[::100])
    await eventually(lambda: len(hall.payloads) == 12)


async def test_a_room_asked_for_while_there_is_no_connection_follows(
    own_server: Valkey, open_hall: Open
) -> None:
    hall = await open_hall(own_server)
    own_server.kill()
    await asyncio.sleep(0.05)
    task = asyncio.create_task(hall.store.subscribe(ROOM))
    await asyncio.sleep(0.1)
    own_server.start()
    await task
    assert publish(own_server, ROOM, "e1") == 1


async def test_a_subscription_that_is_not_confirmed_fails(
    own_server: Valkey, open_hall: Open
) -> None:
    hall = await open_hall(own_server)
    own_server.kill()
    with pytest.raises(Unavailable):
        await hall.store.subscribe(ROOM)
    own_server.start()
    await eventually(lambda: hall.gaps > 0)
    assert publish(own_server, ROOM, "e1") == 0


async def test_a_callback_that_fails_ends_nothing(
    server: Valkey, hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[bytes] = []

    def refuse_the_first(room: str, payload: bytes) -> None:
        heard.append(payload)
        if len(heard) == 1:
            raise RuntimeError("not mine")

    hall.store._subscriber._on_payload = refuse_the_first
    await hall.store.subscribe(ROOM)
    publish(server, ROOM, "e1")
    publish(server, ROOM, "e2")
    await eventually(lambda: heard == [b"e1", b"e2"])
    assert "not mine" in caplog.text
