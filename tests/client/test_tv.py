"""What is on TV, and where it goes from there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.hall import Hall
from client.test_lost_lines import connected
from towerhall_client.commands.watch import Channel
from towerhall_client.connection import Connection
from towerhall_protocol.replies import LobbyState, Ok, Room
from towerhall_protocol.requests import Create, Join, LobbyRequest, RematchRequest, Resign, Watch

GONE = "0" * 20


@pytest.fixture
async def people(hall: Hall, tmp_path: Path) -> AsyncIterator[list[Connection]]:
    """Ann, Bob and Cleo, who watches."""
    people = [await connected(hall.server, tmp_path, name) for name in ("ann", "bob", "cleo")]
    yield people
    for person in people:
        await person.close()


@asynccontextmanager
async def played(ann: Connection, bob: Connection) -> AsyncIterator[str]:
    """A room where a match is on; it is over for the hall's next guests."""
    opened = await ann.ask_keyed(Room, Create, game="duel", clock=None, listed=True)
    await bob.ask(Room, Join, room=opened.room)
    yield opened.room
    last = await ann.ask(Room, Watch, room=opened.room)
    await ann.ask(Ok, Resign, room=opened.room, round=last.round)


async def lobby(person: Connection, featured: str) -> LobbyState:
    """As it is in two seconds, with that room on TV, whatever else the hall's other guests do."""
    await asyncio.sleep(2)
    told = await person.ask(LobbyState, LobbyRequest, on=False)
    return replace(told, featured=featured)


async def test_tv_moves_on_from_a_room_that_is_gone(people: list[Connection]) -> None:
    ann, bob, cleo = people
    channel = Channel(cleo)
    channel.hear(LobbyState(seeks=[], open=[], live=[], featured=GONE, online=3))
    waiting = asyncio.create_task(channel.next_room(None))
    async with played(ann, bob) as room:
        told = await lobby(ann, GONE)
        channel.hear(told)
        assert not waiting.done()
        channel.hear(replace(told, featured=room))
        assert (await asyncio.wait_for(waiting, 30)).room == room


async def test_tv_leaves_the_room_it_comes_from_also_when_that_is_gone(
    people: list[Connection],
) -> None:
    ann, bob, cleo = people
    channel = Channel(cleo)
    async with played(ann, bob) as room:
        last = replace(await cleo.ask(Room, Watch, room=room), room=GONE)
        channel.hear(await lobby(ann, room))
        assert (await asyncio.wait_for(channel.next_room(last), 30)).room == room


async def test_tv_shows_a_rematch_in_the_same_room_and_not_the_match_that_is_over(
    people: list[Connection],
) -> None:
    ann, bob, cleo = people
    channel = Channel(cleo)
    async with played(ann, bob) as room:
        channel.hear(await lobby(ann, room))
        await ann.ask(Ok, Resign, room=room, round=1)
        last = await cleo.ask(Room, Watch, room=room)
        waiting = asyncio.create_task(channel.next_room(last))
        await asyncio.sleep(0.5)
        assert not waiting.done(), "the lobby may be told a second later"
        for person in (ann, bob):
            await person.ask(Ok, RematchRequest, room=room, round=1)
        channel.hear(await lobby(ann, room))
        again = await asyncio.wait_for(waiting, 30)
        assert (again.room, again.round, again.status) == (room, 2, "live")
