"""What a node does for those who seek on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lobby.node import DUEL, Node, may
from store.hall import eventually
from store.valkey import Valkey
from towerhall_server import metrics
from towerhall_server.lobby import matchmaker
from towerhall_server.lobby.pool import name_of
from towerhall_server.match.refusal import Refused
from towerhall_server.store.keys import LOBBY_KEYS, seek_key


async def test_an_unseek_behind_a_lapsed_lease_is_not_undone(
    node: Node, server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seek lapses, and the node finds that while the unseek is on its way."""
    monkeypatch.setattr(matchmaker, "RENEW_S", 0.02)
    seeks, renewals, answered = node.store.seeks, 0, asyncio.Event()
    unseek, renew = seeks.unseek, seeks.renew

    async def slow_unseek(*args: object) -> None:
        await unseek(*args)  # type: ignore[arg-type]
        await answered.wait()

    async def counted_renew(*args: object) -> object:
        nonlocal renewals
        renewals += 1
        return await renew(*args)  # type: ignore[arg-type]

    ann = node.arrive("ann")
    await node.matchmaker.seek(ann, ann.player, DUEL, "", may)
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann.player.player)
    await renew({})
    monkeypatch.setattr(seeks, "unseek", slow_unseek)
    monkeypatch.setattr(seeks, "renew", counted_renew)
    unseeking = asyncio.create_task(node.matchmaker.unseek(ann.player.player))
    renewing = asyncio.create_task(node.matchmaker.keep_leases())
    await eventually(lambda: renewals > 3)
    answered.set()
    await unseeking
    await eventually(lambda: renewals > 6)
    renewing.cancel()
    assert server.call("EXISTS", seek_key(ann.player.player)) == 0


async def test_a_seek_that_lapsed_is_placed_again_while_its_guest_is_here(
    node: Node, server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaker, "RENEW_S", 0.02)
    ann = node.arrive("ann")
    await node.matchmaker.seek(ann, ann.player, DUEL, "", may)
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann.player.player)
    await node.store.seeks.renew({})
    assert server.call("EXISTS", seek_key(ann.player.player)) == 0
    renewing = asyncio.create_task(node.matchmaker.keep_leases())
    await eventually(lambda: server.call("EXISTS", seek_key(ann.player.player)) == 1)
    renewing.cancel()


async def test_a_seek_that_lapsed_is_placed_again_when_there_are_not_too_many_rooms(
    node: Node, server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaker, "RENEW_S", 0.02)
    is_full, refusals = False, 0

    @asynccontextmanager
    async def place() -> AsyncIterator[None]:
        nonlocal refusals
        if is_full:
            refusals += 1
            raise Refused("too_many", "You have 20 unfinished rooms; finish one first.")
        yield

    ann = node.arrive("ann")
    await node.matchmaker.seek(ann, ann.player, DUEL, "", place)
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann.player.player)
    await node.store.seeks.renew({})
    is_full = True
    renewing = asyncio.create_task(node.matchmaker.keep_leases())
    await eventually(lambda: refusals > 3)
    assert server.call("EXISTS", seek_key(ann.player.player)) == 0
    is_full = False
    await eventually(lambda: server.call("EXISTS", seek_key(ann.player.player)) == 1)
    renewing.cancel()


async def test_who_seeks_again_before_the_last_room_is_made_is_checked_when_it_is(
    node: Node,
) -> None:
    """Or what is checked, the player's seats, would not have it yet."""
    ann, robert = node.arrive("ann"), node.arrive("robert")
    await node.store.seeks.seek(robert.player.player, name_of(DUEL), None, "robert")
    found = await node.store.seeks.seek(ann.player.player, name_of(DUEL), None, "ann")
    assert found.pairing
    seats: list[dict[str, int]] = []

    @asynccontextmanager
    async def place() -> AsyncIterator[None]:
        seats.append(await node.store.seats(ann.player.player))
        yield

    await node.matchmaker.seek(ann, ann.player, DUEL, "", place)
    room = await node.referee.paired(found.pairing)
    assert room
    assert [list(one) for one in seats] == [[room.room]]


async def test_who_is_paired_while_it_is_checked_is_checked_again(node: Node) -> None:
    ann, robert = node.arrive("ann"), node.arrive("robert")
    seats: list[int] = []

    @asynccontextmanager
    async def place() -> AsyncIterator[None]:
        seats.append(len(await node.store.seats(ann.player.player)))
        if len(seats) == 1:
            for guest in (robert, ann):
                who = guest.player
                await node.store.seeks.seek(who.player, name_of(DUEL), None, who.name)
        yield

    await node.matchmaker.seek(ann, ann.player, DUEL, "", place)
    assert seats == [0, 1]


async def test_a_pairing_whose_room_is_made_twice_is_counted_once(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(metrics.PAIRINGS, "inc", lambda: counted.append("one"))
    ann, robert = node.arrive("ann").player, node.arrive("robert").player
    await node.store.seeks.seek(robert.player, name_of(DUEL), None, "robert")
    found = await node.store.seeks.seek(ann.player, name_of(DUEL), None, "ann")
    assert found.pairing
    await asyncio.gather(*(node.pairings.make_room(found.pairing) for _ in range(2)))
    assert counted == ["one"]
