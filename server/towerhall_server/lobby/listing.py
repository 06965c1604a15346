"""What is on in the hall: pools, open rooms, matches to watch, and the one that is on TV.

Nothing of it is kept. Once a second at most, and only while somebody follows the lobby here, the
ends of the lists are read and the few rooms in them looked at; what did not move on since the last
time is not read again. Everybody who follows gets the same bytes.
"""

import asyncio
import time
from collections.abc import Sized
from contextlib import suppress

from msgspec.structs import replace

from towerhall_protocol.replies import LobbyState
from towerhall_server import metrics
from towerhall_server.channel import Reader
from towerhall_server.frames import Frames
from towerhall_server.lobby import pool, rows
from towerhall_server.match.state import Match, NewerFormat
from towerhall_server.proposal import match_of
from towerhall_server.store import Listed, NoAnswer, RedisStore

EVERY_S = 1.0
MOST = 100
MOST_WATCHED = 50
"""Of the matches that are shown; the newest fill the rest."""
LOOKED_AT = 10
"""Matches of which one may be on TV."""
NOTHING = LobbyState(seeks=[], open=[], live=[], featured=None, online=0)


class Listing:
    def __init__(self, store: RedisStore, here: Sized) -> None:
        """`here` are the players who are on this node."""
        self._store = store
        self._here = here
        self._followers: dict[Reader, int] = {}
        """Each with the version it was told."""
        self._matches: dict[str, Match] = {}
        self._shown, self._version = NOTHING, 0
        self._frames = Frames.of_message(NOTHING)
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()

    async def look(self, re: int) -> LobbyState:
        """The lobby as it is, or was a second ago."""
        async with self._reading:
            if time.monotonic() - self._read_at >= EVERY_S:
                await self._refresh()
        return replace(self._shown, re=re)

    def follow(self, reader: Reader) -> None:
        self._followers[reader] = self._version

    def unfollow(self, reader: Reader) -> None:
        self._followers.pop(reader, None)

    async def run(self) -> None:
        """Tell those who follow, when something has changed."""
        while True:
            await asyncio.sleep(EVERY_S)
            if not self._followers:
                self._matches.clear()
                continue
            try:
                async with self._reading:
                    await self._refresh()
            except NoAnswer:
                continue  # they keep what they have
            self._tell()

    def _tell(self) -> None:
        for reader, version in self._followers.items():
            # The latest counts: who cannot take it now is given a later one.
            if version != self._version and reader.has_room(seated=False):
                reader.write(self._frames.of(reader.codec))
                self._followers[reader] = self._version

    async def _refresh(self) -> None:
        began = time.monotonic()
        listed = await self._store.lists.read(MOST, len(self._here))
        live, waiting = await self._live(listed), await self._waiting(listed)
        await self._load([*waiting, *live])
        shown = LobbyState(
            seeks=[pool.count_of(pool.settings_of(name), count) for name, count in listed.pools],
            open=[
                rows.open_room(match)
                for room in waiting
                if (match := self._matches.get(room)) and match.status == "open"
            ],
            live=[
                rows.live_room(match, watchers, since_ms - self._store.now(room).down_ms)
                for room, (watchers, since_ms) in live.items()
                if (match := self._matches.get(room)) and match.status == "live"
            ],
            featured=None,
            online=listed.online,
        )
        shown = replace(shown, featured=await self._featured([one.room for one in shown.live]))
        if shown != self._shown:
            self._shown, self._version = shown, self._version + 1
            self._frames = Frames.of_message(shown)
        self._read_at = time.monotonic()
        metrics.LOBBY_SECONDS.observe(self._read_at - began)

    async def _waiting(self, listed: Listed) -> list[str]:
        """The open rooms to show: nobody is to sit down across from somebody who has left."""
        rooms = [one.room for one in listed.open]
        seen = await asyncio.gather(*map(self._store.read_presence, rooms))
        return [room for room, one in zip(rooms, seen, strict=True) if one.online[0]]

    async def _live(self, listed: Listed) -> dict[str, tuple[int, int]]:
        """The matches to show: how many watch, and since when each is on, by the store's clock.
        The most watched come first, and of these the newest."""
        watched = [one.room for one in listed.watched[:MOST_WATCHED]]
        # A count may be of a node that is gone: to ask is to have it counted again.
        seen = await asyncio.gather(*map(self._store.read_presence, watched))
        watchers = {room: one.watchers for room, one in zip(watched, seen, strict=True)}
        since = await self._store.lists.since(watched)
        others = [one for one in listed.newest if one.room not in since]
        since |= {one.room: one.since_ms for one in others[: MOST - len(since)]}
        live = {room: (watchers.get(room, 0), since[room]) for room in since}
        return dict(sorted(live.items(), key=lambda item: item[1], reverse=True))

    async def _featured(self, live: list[str]) -> str | None:
        """The first of these that somebody plays: whoever came to see one that both have left would
        be counted for it, and keep it on TV for the next."""
        rooms = live[:LOOKED_AT]
        seen = await asyncio.gather(*map(self._store.read_presence, rooms))
        played = (room for room, one in zip(rooms, seen, strict=True) if any(one.online))
        return next(played, live[0] if live else None)

    async def _load(self, rooms: list[str]) -> None:
        known = {room: self._matches[room].seq if room in self._matches else 0 for room in rooms}
        matches = {room: self._matches[room] for room in rooms if room in self._matches}
        for room, kept in (await self._store.lists.moved(known)).items():
            matches.pop(room, None)
            # What a newer node keeps in a format of its own, only newer nodes can show.
            with suppress(NewerFormat):
                if kept is not None:
                    matches[room] = match_of(kept)
        self._matches = matches
