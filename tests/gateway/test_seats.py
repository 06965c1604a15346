"""The list of a player's seats, where it and a room change at the same time."""

from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

from lobby.conftest import node, open_hall, server, shared_server
from lobby.node import DUEL, Node
from towerhall_server.gateway.seats import held_seats
from towerhall_server.match.actions import Rematch, Resign
from towerhall_server.match.state import Match

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
