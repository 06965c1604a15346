"""Ratings of a game: who has which, who is best, and what each rated match did, once.

Everything here may be done twice with the same outcome, as in players.py.
"""

from typing import NamedTuple

from . import scripts
from .keys import RatingKeys, keys_of_player, keys_of_ratings
from .lane import Lane

SWEPT_AT_ONCE = 50


class Change(NamedTuple):
    """One player's part in a match."""

    player: str
    before: bytes | None
    """As it was read; None where there was none."""
    after: bytes
    value: float | None
    """By which the player is placed among the best; None: has no place."""


class Place(NamedTuple):
    rank: int
    player: str
    name: str
    rating: bytes


class Best(NamedTuple):
    places: list[Place]
    own: Place | None
    players: int


class Ratings:
    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    async def of(self, game: str, *players: str) -> list[bytes | None]:
        """Each one's rating; None for who has none."""
        found: list[bytes | None] = await self._lane.call(
            "HMGET", keys_of_ratings(game).ratings, *players
        )
        return found

    async def all_of(self, player: str, games: list[str]) -> dict[str, bytes]:
        found = await self._lane.call_all(
            ("HGET", keys_of_ratings(game).ratings, player) for game in games
        )
        return {game: blob for game, blob in zip(games, found, strict=True) if blob is not None}

    async def reckoned(self, game: str, match: str) -> bytes | None:
        """What the match did, if that is written."""
        found: bytes | None = await self._lane.call("GET", keys_of_ratings(game).applied + match)
        return found

    async def rate(
        self, game: str, match: str, changes: tuple[Change, Change], told: bytes, keep_ms: int
    ) -> bytes | None:
        """Write what the match did, unless that was done: returns what was told of it then. None
        where one of the ratings is no longer what it was."""
        keys = keys_of_ratings(game)
        one, two = changes
        kind, first = await self._lane.run(
            scripts.RATE,
            (keys.ratings, keys.best, keys.applied + match),
            (
                *(one.player, two.player, one.before or b"", two.before or b""),
                *(one.after, two.after, _score(one), _score(two), told, keep_ms),
            ),
        )
        return None if kind == b"stale" else bytes(first)

    async def best(self, game: str, most: int, player: str) -> Best:
        """The best players of a game, with the names they have now, and where one player is.
        Whoever is no longer a player loses the place when that is seen."""
        keys = keys_of_ratings(game)
        found, rank, count = await self._lane.call_all(
            (
                ("ZREVRANGE", keys.best, 0, most - 1),
                ("ZREVRANK", keys.best, player),
                ("ZCARD", keys.best),
            )
        )
        ids = [one.decode() for one in found]
        ranks = dict(enumerate(ids, 1)) | ({} if rank is None else {rank + 1: player})
        if not ranks:
            return Best([], None, count)
        ratings, *names = await self._lane.call_all(
            (
                ("HMGET", keys.ratings, *ranks.values()),
                *(("HGET", keys_of_player(one).player, "name") for one in ranks.values()),
            )
        )
        gone = [one for one, name in zip(ranks.values(), names, strict=True) if name is None]
        if gone:
            await self._forget(keys, gone)
            return await self.best(game, most, player)
        places = [
            Place(number, one, name.decode(), rating)
            for (number, one), rating, name in zip(ranks.items(), ratings, names, strict=True)
        ]
        own = next((place for place in places if place.player == player), None)
        return Best([place for place in places if place.rank <= most], own, count)

    async def sweep(self, game: str, cursor: int) -> int:
        """Take out some of those who are no longer players. Returns where to go on; 0: all seen."""
        keys = keys_of_ratings(game)
        following, found = await self._lane.call(
            "HSCAN", keys.ratings, cursor, "COUNT", SWEPT_AT_ONCE
        )
        players = [one.decode() for one in found[::2]]
        there = await self._lane.call_all(("EXISTS", keys_of_player(one).player) for one in players)
        gone = [one for one, exists in zip(players, there, strict=True) if not exists]
        if gone:
            await self._forget(keys, gone)
        return int(following)

    async def _forget(self, keys: RatingKeys, players: list[str]) -> None:
        await self._lane.call_all((("ZREM", keys.best, *players), ("HDEL", keys.ratings, *players)))


def _score(change: Change) -> str:
    return "" if change.value is None else repr(change.value)
