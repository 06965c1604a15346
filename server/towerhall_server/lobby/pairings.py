"""Pairings, from the moment in which the store has made them to the room.

Whichever node is told of a pairing first makes its room and tells all others; if it dies before
that, any other finds the pairing due.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from towerhall_server import metrics
from towerhall_server.games import Seat
from towerhall_server.lobby import pool
from towerhall_server.lobby.usher import Usher
from towerhall_server.match.state import Rating, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import LOBBY, LOOK, NoAnswer, RedisStore

PULSE_S = 0.5
MOST_AT_WORK = 100
"""Pairings that a node takes up of those that are due."""

RatingOf = Callable[[str, str], Awaitable[Rating | None]]


class Pairings:
    def __init__(
        self, store: RedisStore, referee: Referee, usher: Usher, rating_of: RatingOf
    ) -> None:
        self._store = store
        self._referee = referee
        self._usher = usher
        self._rating_of = rating_of
        self._at_work: set[str] = set()

    async def run(self) -> None:
        """Keep the lobby's time, look after those who wait, make the rooms that are due."""
        await self._store.subscribe(LOBBY)
        while True:
            try:
                # Who has enough to do leaves the rest to others, and what others do to them.
                for due in await self._store.seeks.pulse(max(0, MOST_AT_WORK - len(self._at_work))):
                    self.take_up(due)
            except NoAnswer:
                pass  # what is due stays so
            await asyncio.sleep(PULSE_S)

    def take_up(self, due: str) -> None:
        if due not in self._at_work:
            work = self._look_again() if due == LOOK else self.make_room(due)
            self._at_work.add(due)
            self._usher.spawn(work).add_done_callback(lambda _: self._at_work.discard(due))

    async def _look_again(self) -> None:
        for pairing in await self._store.seeks.look_again():
            self.take_up(pairing)

    async def make_room(self, identity: str) -> None:
        """The pairing's room, with both players in it. All nodes are told when it is there."""
        pairing = await self._store.seeks.pairing(identity)
        if pairing is None:
            return
        settings = pool.settings_of(pairing.pool)
        partners = pairing.partners
        ratings = await asyncio.gather(
            *(self._rating_of(each.player, settings.game) for each in partners)
        )
        one, other = [
            Sitter(each.player, each.name, rating)
            for each, rating in zip(partners, ratings, strict=True)
        ]
        first: Seat = 1 if secrets.randbelow(2) else 0
        match = await self._referee.pair(identity, settings, (one, other), first)
        # Another node may have been as quick.
        if await self._store.seeks.settle(pairing, match.room):
            metrics.PAIRINGS.inc()
