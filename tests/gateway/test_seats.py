"""The list of a player's seats, where it and a room change at the same time."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from lobby.conftest import node, open_hall, server, shared_server
from lobby.node import DUEL, Node
from towerhall_server.gateway.seats import MOST_SEATS, held_seats, seat_of_seek, take_seat
from towerhall_server.lobby.pool import name_of
from towerhall_server.match.actions import Rematch, Resign
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Match, Sitter
from towerhall_server.store import new_code, new_room

__all__ = ["node", "open_hall", "server", "shared_server"]


async def test_a_rematch_that_begins_while_its_seat_is_dropped_keeps_the_seat(node: Node) -> None:
    ann, robert = node.arrive("ann").player, node.arrive("robert").player
    referee, store = node.referee, node.store
    once = replace(DUEL, rounds=1)
    room = (await referee.pair("a pairing", once, (ann, robert), 0)).room
    await referee.apply(room, Resign(ann.player, 1))
    looks = 0

    async def load(room: str) -> Match:
        """The match as it was, and right after that both have asked for another."""
        nonlocal looks
        match, looks = await referee.load(room), looks + 1
        if looks == 1:
            for player in (ann, robert):
                await referee.apply(room, Rematch(player.player, match.round))
            await store.add_seat(ann.player, room, 0)
        return match

    hall = SimpleNamespace(store=store, referee=SimpleNamespace(load=load))
    session: Any = SimpleNamespace(hall=hall)
    assert [seat.room for seat in await held_seats(session, ann)] == [room]
    assert await store.seats(ann.player) == {room: 0}


async def sit_down(node: Node, player: Sitter, rooms: int) -> None:
    for number in range(rooms):
        await node.referee.create(DUEL, player, 0, f"key {number}")


async def seek(node: Node, session: Any, player: Sitter) -> None:
    async with seat_of_seek(session, player):
        found = await node.store.seeks.seek(player.player, name_of(DUEL), None, player.name)
    if found.pairing:
        await node.pairings.make_room(found.pairing)


def session_on(node: Node) -> Any:
    return SimpleNamespace(hall=SimpleNamespace(store=node.store, referee=node.referee))


@pytest.mark.parametrize("is_paired", [False, True])
async def test_a_seek_that_comes_while_the_last_seat_is_taken_is_seen(
    node: Node, monkeypatch: pytest.MonkeyPatch, is_paired: bool
) -> None:
    ann, robert, session = node.arrive("ann").player, node.arrive("robert").player, session_on(node)
    await sit_down(node, ann, MOST_SEATS - 1)
    if is_paired:
        await seek(node, session, robert)
    hold_seat, room = node.store.hold_seat, new_room(new_code())

    async def late(player: str, wanted: str, seat: int, most: int) -> bool:
        if wanted == room:
            monkeypatch.setattr(node.store, "hold_seat", hold_seat)
            await seek(node, session, ann)
        return await hold_seat(player, wanted, seat, most)

    monkeypatch.setattr(node.store, "hold_seat", late)
    with pytest.raises(Refused) as refused:
        await take_seat(session, ann, room, 1)
    assert refused.value.code == "too_many"
    assert room not in await node.store.seats(ann.player)


async def test_a_seek_sees_the_last_seat_while_it_is_taken(node: Node) -> None:
    """In the list, its room not made yet."""
    ann, session = node.arrive("ann").player, session_on(node)
    await sit_down(node, ann, MOST_SEATS - 1)
    await take_seat(session, ann, new_room(new_code()), 1)
    with pytest.raises(Refused):
        await seek(node, session, ann)
    assert not await node.store.seeks.waits(ann.player)


async def test_the_last_seat_is_not_taken_while_a_seek_takes_its_place(node: Node) -> None:
    ann, session = node.arrive("ann").player, session_on(node)
    await sit_down(node, ann, MOST_SEATS - 1)
    async with seat_of_seek(session, ann):
        with pytest.raises(Refused):
            await take_seat(session, ann, new_room(new_code()), 1)
        assert len(await held_seats(session, ann)) == MOST_SEATS - 1, "nobody is shown its seat"
    await take_seat(session, ann, new_room(new_code()), 1)
