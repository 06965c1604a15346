"""What a room's followers are given: in order, of one run of the store, as much as they take."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from store.conftest import server, shared_server
from store.hall import eventually
from store.valkey import Valkey
from towerhall_protocol import MSGPACK, Codec
from towerhall_protocol.replies import Events, Room
from towerhall_protocol.requests import Since
from towerhall_server.games import game
from towerhall_server.hub import Hub
from towerhall_server.match import happenings
from towerhall_server.match.actions import Say
from towerhall_server.match.state import Match, Settings, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import RedisStore
from towerhall_server.store.keys import keys_of_room
from towerhall_server.store.publication import line_of

__all__ = ["server", "shared_server"]

ANN = Sitter("00" + "a" * 18, "ann")


class Reader:
    """Somebody who takes this many bytes."""

    codec: Codec = MSGPACK

    def __init__(self, most: int = 1_000_000) -> None:
        self.most = most
        self.got: list[Any] = []

    def write(self, frame: bytes) -> None:
        self.got.append(MSGPACK.decode_server_message(frame[4 if frame[1] == 126 else 2 :]))

    def has_room(self, *, seated: bool, more: int = 0) -> bool:
        return more < self.most

    def cut_slow(self) -> None:
        raise AssertionError("it reads fast enough")


class Node:
    def __init__(self, store: RedisStore) -> None:
        self.store = store
        self.referee = Referee(store, self._announce, lambda room: None)
        self.hub = Hub(store, self.referee.load, self.referee.moved_on)

    def _announce(self, *told: Any) -> None:
        self.hub.announce(*told)

    async def open_room(self) -> Match:
        rules = game("duel")
        settings = Settings(
            game="duel",
            preset="classic",
            options=rules.resolve({}),
            clock=None,
            rounds=1,
            listed=True,
        )
        return await self.referee.create(settings, ANN, 0, "key")

    async def say(self, room: str, text: str) -> None:
        await self.referee.apply(room, Say(ANN.player, ANN.name, text), text)


@pytest.fixture
async def node(server: Valkey) -> AsyncIterator[Node]:
    def wake(room: str, payload: bytes) -> None:
        opened.hub.wake(room, payload)

    store = await RedisStore.open(server.url, "a", wake, lambda: None)
    opened = Node(store)
    yield opened
    await opened.hub.close()
    await store.close()


def published(epoch: str, seq: int, text: str) -> bytes:
    """What another node tells of a commit, in that run of the store."""
    said = happenings.Said(seat=None, name="bob", text=text)
    event = happenings.encode(happenings.entry(seq, 1, said))
    return line_of("b", epoch, seq, [event]) + event


async def test_an_event_of_another_run_of_the_store_is_not_told_as_one_of_this(node: Node) -> None:
    """A node may hear of it before its own lane is there again."""
    match = await node.open_room()
    reader = Reader()
    await node.hub.follow(reader, match.room, None, None, 1)
    node.hub.wake(match.room, published("another-run", match.seq + 1, "of another run"))
    await asyncio.sleep(0.1)
    assert reader.got == []
    await node.say(match.room, "of this one")
    await eventually(lambda: len(reader.got) == 1)
    told = reader.got[0]
    assert (told.seq, told.text, told.epoch) == (match.seq + 1, "of this one", node.store.epoch)


async def test_an_event_of_another_node_is_told_as_it_comes(node: Node) -> None:
    match = await node.open_room()
    reader = Reader()
    await node.hub.follow(reader, match.room, None, None, 1)
    node.hub.wake(match.room, published(node.store.epoch, match.seq + 1, "hello"))
    assert [(told.seq, told.text) for told in reader.got] == [(match.seq + 1, "hello")]


@pytest.mark.parametrize("seat", [0, None], ids=["player", "watcher"])
async def test_more_events_than_fit_are_answered_with_a_snapshot(node: Node, seat: Any) -> None:
    match = await node.open_room()
    for number in range(10):
        await node.say(match.room, f"{number} " + "x" * 190)
    since = Since(epoch=node.store.epoch, seq=match.seq)
    few = await node.hub.follow(Reader(5_000), match.room, seat, since, 1)
    assert isinstance(few, Events)
    assert [event.seq for event in events_of(few)] == list(range(2, 12))
    many = await node.hub.follow(Reader(1_000), match.room, seat, since, 2)
    assert isinstance(many, Room) and many.seq == 11


def events_of(reply: Events) -> list[Any]:
    """As a client reads them."""
    read = MSGPACK.decode_server_message(MSGPACK.encode(reply))
    assert isinstance(read, Events)
    return list(read.events)


async def test_events_that_cannot_be_read_are_made_up_for_by_a_snapshot(
    server: Valkey, node: Node
) -> None:
    match = await node.open_room()
    await node.say(match.room, "hello")
    log = keys_of_room(match.room).log
    server.call("XDEL", log, "2-0")
    server.call("XADD", log, "3-0", "e", b"\xc1 of another shape")
    since = Since(epoch=node.store.epoch, seq=match.seq)
    reply = await node.hub.follow(Reader(), match.room, None, since, 1)
    assert isinstance(reply, Room) and reply.seq == 2


async def test_who_needs_an_event_that_cannot_be_read_is_shown_the_room(
    server: Valkey, node: Node
) -> None:
    match = await node.open_room()
    reader = Reader()
    await node.hub.follow(reader, match.room, None, None, 1)
    node.hub.announce = lambda *told: None  # type: ignore[method-assign]  # the news is lost
    await node.say(match.room, "hello")
    log = keys_of_room(match.room).log
    server.call("XDEL", log, "2-0")
    server.call("XADD", log, "3-0", "e", b"\xc1 of another shape")
    await node.hub.follow(Reader(), match.room, None, None, 2)
    await eventually(lambda: bool(reader.got))
    assert isinstance(reader.got[0], Room) and reader.got[0].seq == 2
    channel = node.hub._channels[match.room]
    await eventually(lambda: not channel.needs_repair and not channel.repairing)


async def test_many_events_that_fit_come_piece_by_piece_and_whole(node: Node) -> None:
    match = await node.open_room()
    for number in range(250):
        await node.say(match.room, str(number))
    since = Since(epoch=node.store.epoch, seq=match.seq)
    reply = await node.hub.follow(Reader(), match.room, None, since, 1)
    assert isinstance(reply, Events)
    assert [event.seq for event in events_of(reply)] == list(range(2, 252))
