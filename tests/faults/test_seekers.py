"""Rows 26 to 29: seeks over several nodes, and what becomes of them when something dies."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable

import pytest

from end_to_end.client import Client, Message
from end_to_end.node import Node
from faults.hall import Hall
from faults.seekers import Crowd, Plan
from towerhall_server.games import game
from towerhall_server.lobby.pool import name_of, sought
from towerhall_server.match.clock import Clock
from towerhall_server.match.state import Settings, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import Pairing, RedisStore

GRACE_S = 10.0
NOTICED_S = 2.0
"""A node that died is missed after this."""
SLACK_S = 3.0
DUEL: Settings = sought(
    game("duel"), game("duel").resolve({}), Clock(180_000, 2_000), rounds=2, rated=True
)


@pytest.fixture
async def clients() -> AsyncIterator[list[Client]]:
    clients: list[Client] = []
    yield clients
    for client in clients:
        client.drop()


@pytest.fixture
def arrive(clients: list[Client]) -> Callable[..., "asyncio.Task[Client]"]:
    """`await arrive(node, "ann")`: a client that has said hello."""

    async def hello(node: Node, name: str, token: str | None = None) -> Client:
        client = await Client.hello(node.url, name, token=token)
        clients.append(client)
        return client

    return lambda *args, **more: asyncio.ensure_future(hello(*args, **more))


@pytest.fixture
async def dead(hall: Hall) -> AsyncIterator[RedisStore]:
    """A node as the store knows it, which does what the test says and nothing more."""
    node = await RedisStore.open(hall.store.url, "dead", lambda *_: None, lambda: None)
    yield node
    await node.close()


Arrive = Callable[..., "asyncio.Task[Client]"]


async def seek(client: Client, **fields: object) -> Message:
    found: Message = (await client.ask("seek", game="duel", **fields))["seek"]
    return found


async def paired(client: Client, within_s: float = 10.0) -> str:
    told = await client.until(lambda message: message["type"] == "paired", within_s)
    return str(told["room"])


def rooms_told(client: Client) -> list[str]:
    return [message["room"] for message in client.pushed if message["type"] == "paired"]


async def seconds_until_unsought(watcher: Client, within_s: float) -> float:
    """Until nobody seeks, as the lobby shows it."""
    began = time.monotonic()
    while (await watcher.ask("lobby", on=False))["seeks"]:
        assert time.monotonic() - began < within_s, "the seek is still there"
        await asyncio.sleep(0.2)
    return time.monotonic() - began


async def test_row_26_a_player_who_seeks_on_several_nodes_at_once_has_one_seek(
    hall: Hall, arrive: Arrive
) -> None:
    nodes = [await hall.start() for _ in range(3)]
    ann = await arrive(nodes[0], "ann")
    all_of_ann = [ann, *[await arrive(node, "ann", ann.token) for node in nodes]]
    seeks = await asyncio.gather(*(seek(one) for one in all_of_ann for _ in range(3)))
    assert all(one == seeks[0] for one in seeks)
    lobby = await ann.ask("lobby", on=False)
    assert [row["count"] for row in lobby["seeks"]] == [1]
    bob, cid = await arrive(nodes[1], "bob"), await arrive(nodes[2], "cid")
    await seek(bob)
    room = await paired(bob)
    assert [await paired(one) for one in all_of_ann] == [room] * 4
    await seek(cid)
    await asyncio.sleep(2)
    assert [rooms_told(one) for one in (cid, bob, *all_of_ann)] == [[], *[[room]] * 5]


async def test_row_26_of_two_different_seeks_at_once_one_is_left(
    hall: Hall, arrive: Arrive
) -> None:
    nodes = [await hall.start() for _ in range(2)]
    ann = await arrive(nodes[0], "ann")
    also = await arrive(nodes[1], "ann", ann.token)
    for number in range(20):
        await asyncio.gather(seek(ann, rounds=2), seek(also, rounds=4))
        # Each look may be a second old.
        seeks = (await ann.ask("lobby", on=False))["seeks"] if number % 5 == 4 else []
        assert sum(row["count"] for row in seeks) <= 1
    bob, cid = await arrive(nodes[0], "bob"), await arrive(nodes[1], "cid")
    await asyncio.gather(seek(bob, rounds=2), seek(cid, rounds=4))
    await asyncio.wait(
        [asyncio.ensure_future(paired(one)) for one in (bob, cid)],
        return_when=asyncio.FIRST_COMPLETED,
    )
    await asyncio.sleep(1)
    assert sorted(len(rooms_told(one)) for one in (bob, cid)) == [0, 1]
    assert len(rooms_told(ann)) == len(rooms_told(also)) == 1


@pytest.mark.timeout(240)
async def test_row_27_each_of_many_seekers_is_in_exactly_one_room(hall: Hall) -> None:
    """The long form, with 10,000, is seekers.py."""
    report = await Crowd(hall, Plan(seekers=600, nodes=4, kills=2)).run()
    sys.stdout.write(f"{report}\n")
    assert (report.rooms, report.kills) == (300, 2)


async def test_row_28_a_seek_ends_ten_seconds_after_its_client(hall: Hall, arrive: Arrive) -> None:
    here, there = await hall.start(), await hall.start()
    ann, wes = await arrive(here, "ann"), await arrive(there, "wes")
    await seek(ann)
    await asyncio.sleep(2.5)
    ann.drop()
    lasted = await seconds_until_unsought(wes, GRACE_S + NOTICED_S + SLACK_S)
    assert lasted > GRACE_S - 1
    bob = await arrive(there, "bob")
    await seek(bob)
    again = await arrive(there, "ann", ann.token)
    assert again.welcome["seeking"] is None
    assert again.welcome["seats"] == []
    assert rooms_told(bob) == []


async def test_row_28_a_seek_ends_soon_after_its_node(hall: Hall, arrive: Arrive) -> None:
    here, there = await hall.start(), await hall.start()
    ann, wes = await arrive(here, "ann"), await arrive(there, "wes")
    await seek(ann)
    await asyncio.sleep(2.5)
    await hall.kill(here)
    await seconds_until_unsought(wes, GRACE_S + NOTICED_S + SLACK_S)
    bob = await arrive(there, "bob")
    await seek(bob)
    await asyncio.sleep(1)
    assert rooms_told(bob) == []


async def test_row_28_who_returns_in_time_keeps_the_place(hall: Hall, arrive: Arrive) -> None:
    here, there = await hall.start(), await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(there, "bob")
    # Neither is near enough to the other to be paired, but for a third.
    first = await seek(ann, rounds=4)
    await seek(bob)
    await hall.kill(here)
    await asyncio.sleep(GRACE_S - 3)
    again = await arrive(there, "ann", ann.token)
    assert again.welcome["seeking"] == first
    await asyncio.sleep(GRACE_S - 3)
    cid = await arrive(there, "cid")
    await seek(cid, rounds=4)
    assert await paired(again) == await paired(cid)


async def test_row_28_a_pairing_while_away_is_found_in_the_seats(
    hall: Hall, arrive: Arrive
) -> None:
    here, there = await hall.start(), await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(there, "bob")
    await seek(ann)
    await hall.kill(here)
    await seek(bob)
    room = await paired(bob)
    again = await arrive(there, "ann", ann.token)
    assert [seat["room"] for seat in again.welcome["seats"]] == [room]
    assert again.welcome["seeking"] is None


async def pair(dead: RedisStore, ann: Client, bob: Client) -> Pairing:
    """What a node does that dies right after it has paired Bob with Ann, who waits."""
    await seek(ann)
    found = await dead.seeks.seek(bob.player, name_of(DUEL), 1500, "bob")
    assert found.pairing
    pairing = await dead.seeks.pairing(found.pairing)
    assert pairing
    return pairing


async def test_row_29_the_room_of_a_pairing_is_made_by_another_node(
    hall: Hall, dead: RedisStore, arrive: Arrive
) -> None:
    here, there = await hall.start(), await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(there, "bob")
    await pair(dead, ann, bob)
    room = await paired(bob, 10)
    assert await paired(ann) == room
    await assert_only_room(hall, room)


async def test_row_29_a_room_that_was_made_and_not_told_is_told_by_another_node(
    hall: Hall, dead: RedisStore, arrive: Arrive
) -> None:
    here, there = await hall.start(), await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(there, "bob")
    pairing = await pair(dead, ann, bob)
    referee = Referee(dead, lambda *_: None, lambda _: None)
    sitters = (Sitter(ann.player, "ann"), Sitter(bob.player, "bob"))
    made = await referee.pair(pairing.id, DUEL, sitters, 0)
    assert await paired(bob, 10) == await paired(ann, 10) == made.room
    await assert_only_room(hall, made.room)


async def test_row_29_with_every_node_dead_the_room_is_made_by_the_next(
    hall: Hall, dead: RedisStore, arrive: Arrive
) -> None:
    here = await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(here, "bob")
    await seek(ann)
    await hall.kill(here)
    found = await dead.seeks.seek(bob.player, name_of(DUEL), 1500, "bob")
    assert found.pairing
    await asyncio.sleep(4)
    there = await hall.start()
    async with asyncio.timeout(10):
        while not (again := await arrive(there, "ann", ann.token)).welcome["seats"]:
            again.drop()
            await asyncio.sleep(0.2)
    also = await arrive(there, "bob", bob.token)
    assert [one["room"] for one in also.welcome["seats"]] == [
        one["room"] for one in again.welcome["seats"]
    ]


async def assert_only_room(hall: Hall, room: str) -> None:
    """There is one room, and both have been told of it once."""
    await asyncio.sleep(2.5)
    here = await Client.hello(hall.nodes[0].url, "wes")
    lobby = await here.ask("lobby", on=False)
    here.drop()
    assert [row["room"] for row in lobby["live"]] == [room]
    assert lobby["seeks"] == []


async def test_who_lost_the_news_of_a_pairing_is_told_all_the_same(
    hall: Hall, arrive: Arrive
) -> None:
    here, there = await hall.start(), await hall.start()
    ann, bob = await arrive(here, "ann"), await arrive(there, "bob")
    await seek(ann)
    cutting = asyncio.create_task(_cut_wake_ups(hall))
    await seek(bob)
    rooms = [await paired(one, 15) for one in (ann, bob)]
    cutting.cancel()
    assert rooms[0] == rooms[1]


async def _cut_wake_ups(hall: Hall) -> None:
    while True:
        await asyncio.to_thread(hall.store.kill_clients, "pubsub")
        await asyncio.sleep(0.005)
