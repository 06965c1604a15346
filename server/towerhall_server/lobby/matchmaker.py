"""Seeks, from the asking to the room.

The store pairs, in one script; pairings.py makes the room. A node keeps the seeks of its
connections alive, and learns while doing so what became of those that no longer wait.
"""

import asyncio
from collections.abc import Callable, Sized
from contextlib import AbstractAsyncContextManager, nullcontext, suppress

from towerhall_protocol.lobby import Seek
from towerhall_server import metrics
from towerhall_server.lobby import pool
from towerhall_server.lobby.pairings import Pairings, RatingOf
from towerhall_server.lobby.usher import Guest, Usher
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Settings, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import (
    GRACE_MS,
    NoAnswer,
    PairedMeanwhile,
    RedisStore,
    Sought,
    Unavailable,
    read_news,
)

RENEW_S = 2.0
UNRATED = 1500
"""What a player without a rating is taken for."""

MOST_TRIES = 10
"""How often a player who seeks may be paired by other seeks meanwhile."""

Place = Callable[[], AbstractAsyncContextManager[None]]
"""Keeps a place among a player's rooms for the one that a seek leads to, until the seek itself is
counted; raises Refused where there are too many."""


class _Hold:
    """A seek that connections of this node keep alive."""

    def __init__(
        self, settings: Settings, rating: int | None, name: str, since_ms: int, place: Place
    ) -> None:
        self.settings = settings
        self.rating = rating
        self.name = name
        self.place = place
        self.since_ms = since_ms
        self.guests: set[Guest] = set()


class Matchmaker:
    def __init__(
        self,
        store: RedisStore,
        referee: Referee,
        usher: Usher,
        pairings: Pairings,
        rating_of: RatingOf,
        here: Sized,
    ) -> None:
        """`here` are the players who are on this node."""
        self._store = store
        self._referee = referee
        self._usher = usher
        self._pairings = pairings
        self._rating_of = rating_of
        self._here = here
        self._holds: dict[str, _Hold] = {}

    async def seek(
        self,
        guest: Guest,
        player: Sitter,
        settings: Settings,
        key: str,
        place: Place,
        *,
        is_known: bool = False,
    ) -> Seek:
        """`place` is taken when all pairings so far have rooms, and is kept while the seek takes
        its own; not for a key that is known, whose seek has been counted."""
        followed = frozenset(guest.rooms)
        with self._usher.answering(guest):
            found, hold = await self._place(player, settings, key, place, is_known)
            if not found.again:
                self._hold(guest, player.player, hold)
        if found.pairing and found.again:
            again = self._tell_again(guest, player.player, found.pairing, followed)
            self._usher.spawn(again)
        elif found.pairing:
            self._pairings.take_up(found.pairing)
        return pool.seek_of(hold.settings, found.since_ms)

    async def unseek(self, player: str) -> None:
        # Let go first, or it might be found to have lapsed, and be taken up again behind this.
        hold = self._holds.pop(player, None)
        try:
            await self._store.seeks.unseek(player)
        except NoAnswer:
            if hold and hold.guests:
                self._holds.setdefault(player, hold)
            raise

    async def resume(self, guest: Guest, player: Sitter, place: Place) -> Seek | None:
        """The seek of a player who is here again: from now on this connection keeps it, too."""
        found = await self._store.seeks.waiting(player.player)
        if found is None:
            return None
        settings, since_ms = pool.settings_of(found.pool), found.since_ms
        hold = _Hold(settings, found.rating, player.name, since_ms, place)
        self._hold(guest, player.player, hold)
        return pool.seek_of(settings, since_ms)

    def lost(self, guest: Guest, player: str) -> None:
        """The connection is gone: without another that keeps it, the seek has its grace left."""
        hold = self._holds.get(player)
        if hold and guest in hold.guests:
            hold.guests.remove(guest)
            if not hold.guests:
                del self._holds[player]
                self._usher.spawn(self._let_go(player, hold.since_ms))

    def hear(self, payload: bytes) -> None:
        """A pairing's room was made, here or on another node."""
        news = read_news(payload)
        for player, since_ms in news.seeks:
            hold = self._holds.get(player)
            if hold and hold.since_ms == since_ms:
                del self._holds[player]
            self._usher.tell(player, news.room)

    async def keep_leases(self) -> None:
        """Say again who seeks here, before the leases run out."""
        while True:
            holds = dict(self._holds)
            seeks = {player: hold.since_ms for player, hold in holds.items()}
            try:
                gone = await self._store.seeks.renew(seeks, len(self._here))
                for player, found in gone.items():
                    if self._holds.get(player) is holds[player]:
                        await self._mend(player, holds[player], found)
            except NoAnswer:
                pass  # the store's time stands still, too, or others see to it
            metrics.SEEKS.set(len(self._holds))
            await asyncio.sleep(RENEW_S)

    async def _rating(self, player: str, settings: Settings) -> int | None:
        if not settings.rated:
            return None
        rating = await self._rating_of(player, settings.game)
        return rating.value if rating else UNRATED

    async def _place(
        self, player: Sitter, settings: Settings, key: str, place: Place, is_known: bool
    ) -> tuple[Sought, _Hold]:
        """The seek, in its place; where the key was used for another one before, that one."""
        who, seeks = player.player, self._store.seeks
        for _ in range(MOST_TRIES):
            if last := await seeks.last_pairing(who):
                await self._pairings.make_room(last)
            rating, name = await self._rating(who, settings), pool.name_of(settings)
            try:
                async with nullcontext() if is_known else place():
                    found = await seeks.seek(who, name, rating, player.name, key, last)
            except PairedMeanwhile:
                continue
            if found.instead:
                settings = pool.settings_of(found.instead)
            if found.again or not found.instead:
                return found, _Hold(settings, rating, player.name, found.since_ms, place)
        raise Unavailable("the player was paired again and again")

    def _hold(self, guest: Guest, player: str, hold: _Hold) -> None:
        known = self._holds.get(player)
        if known and known.since_ms == hold.since_ms:
            hold = known
        self._holds[player] = hold
        hold.guests.add(guest)
        if not guest.open:
            self.lost(guest, player)

    async def _let_go(self, player: str, since_ms: int) -> None:
        await self._store.seeks.renew({player: since_ms}, lease_ms=GRACE_MS)

    async def _mend(self, player: str, hold: _Hold, found: Sought) -> None:
        """The seek no longer waits, and this node has not heard why."""
        if found.given_up:
            del self._holds[player]
        elif found.pairing:
            match = await self._referee.paired(found.pairing)
            if match and self._holds.get(player) is hold:
                del self._holds[player]
                self._usher.tell(player, match.room)
        else:
            # With too many rooms it is left for the next time: some may be over by then.
            with suppress(Refused):
                async with hold.place():
                    await self._place_again(player, hold)

    async def _place_again(self, player: str, hold: _Hold) -> None:
        """It lapsed while this node was cut off or too slow; its guest is still here."""
        if there := await self._store.seeks.waiting(player):
            # Another node was quicker, or the player seeks something else by now.
            hold.settings = pool.settings_of(there.pool)
            hold.rating, hold.since_ms = there.rating, there.since_ms
        elif self._holds.get(player) is hold:
            wanted = pool.name_of(hold.settings)
            again = await self._store.seeks.seek(player, wanted, hold.rating, hold.name)
            hold.since_ms = again.since_ms
            if again.pairing:
                self._pairings.take_up(again.pairing)

    async def _tell_again(
        self, guest: Guest, player: str, pairing: str, followed: frozenset[str]
    ) -> None:
        await self._pairings.make_room(pairing)
        await self._usher.tell_again(guest, player, pairing, followed)
