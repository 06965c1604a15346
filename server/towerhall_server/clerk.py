"""Writes down what comes of a match when it is over: ratings, and both players' histories.

The commit that ends a match leaves a note that it is to be settled, in the same script; the
timekeepers see to it that somebody does, until it is done. So every step here may be taken again,
by another node, at the same time or after this one died half-way: each is written once.
"""

import asyncio
from contextlib import suppress

from towerhall_server.games import GAMES, Seat
from towerhall_server.lifetimes import DAY_MS, Lifetimes
from towerhall_server.match import past, rating
from towerhall_server.match.actions import Rate
from towerhall_server.match.past import Past, past_of
from towerhall_server.match.rating import Reckoning, is_rated, reckon
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Rating, Record
from towerhall_server.referee import Referee
from towerhall_server.store import Best, NoAnswer, RatingChange, RedisStore, Unavailable

GAME_IDS = [rules.id for rules in GAMES]
MOST_LEADERS = 50
PAGE = 50
SEATS: tuple[Seat, Seat] = (0, 1)
MOST_TRIES = 20
"""How often one of two players may be rated elsewhere meanwhile before this is put off."""
SWEEP_S = 60.0


class Clerk:
    def __init__(self, store: RedisStore, referee: Referee, keep: Lifetimes) -> None:
        self._store = store
        self._referee = referee
        # Longer than any note to settle it can lie about, even where rooms are kept for minutes.
        self._remember_ms = max(keep.record_ms, DAY_MS)

    async def rating_of(self, player: str, game: str) -> Rating | None:
        """None for who has no rated match of it."""
        (blob,) = await self._store.ratings.of(game, player)
        return rating.decode(blob).shown if blob else None

    async def ratings_of(self, player: str) -> dict[str, Rating]:
        """By game; those of which the player has a rated match."""
        found = await self._store.ratings.all_of(player, GAME_IDS)
        return {game: rating.decode(blob).shown for game, blob in found.items()}

    async def leaders(self, game: str, player: str) -> Best:
        return await self._store.ratings.best(game, MOST_LEADERS, player)

    async def history(self, player: str, before: str | None) -> tuple[list[Past], str | None]:
        """A page of the player's matches, the newest first, and what the next one comes before."""
        page = await self._store.history.page(player, before, PAGE)
        return [past.decode(blob) for blob in page.entries], page.last

    async def settle(self, room: str, round_: int) -> None:
        """Write down what came of the match that ended with this round."""
        record = await self._referee.record(room, round_)
        if record:
            reckoning = await self._rate(record) if is_rated(record) else None
            for seat in SEATS:
                entry = past_of(record, seat, reckoning)
                blob = past.encode(entry)
                await self._store.history.add(record.players[seat], entry.id, entry.at_ms, blob)
            if reckoning:
                await self._tell(record, reckoning)
        await self._store.settled(room, round_)

    async def sweep(self) -> None:
        """Take those who are players no longer out of the ratings, a few now and then."""
        cursors = dict.fromkeys(GAME_IDS, 0)
        while True:
            for game, cursor in cursors.items():
                try:
                    cursors[game] = await self._store.ratings.sweep(game, cursor)
                except NoAnswer:
                    break
            await asyncio.sleep(SWEEP_S)

    async def _rate(self, record: Record) -> Reckoning:
        ratings, game = self._store.ratings, record.settings.game
        match = f"{record.room}:{record.match}"
        for _ in range(MOST_TRIES):
            if done := await ratings.reckoned(game, match):
                return rating.decode_reckoning(done)
            blobs = await ratings.of(game, *record.players)
            one, two = (rating.decode(blob) for blob in blobs)
            after = reckon(one, two, record.match_winner, record.ended_ms + record.down_ms)
            told = Reckoning((one.shown, two.shown), (after[0].shown, after[1].shown))
            first, second = (
                RatingChange(
                    record.players[seat],
                    blobs[seat],
                    rating.encode(after[seat]),
                    after[seat].value if after[seat].has_place else None,
                )
                for seat in SEATS
            )
            written = await ratings.rate(
                game, match, (first, second), rating.encode(told), self._remember_ms
            )
            if written:
                return rating.decode_reckoning(written)
        raise Unavailable("a player's rating changed again and again")

    async def _tell(self, record: Record, reckoning: Reckoning) -> None:
        action = Rate(record.match, reckoning.before, reckoning.after)
        # Refused: the room is gone, and with it all who would have been told.
        with suppress(Refused):
            await self._referee.apply(record.room, action)
