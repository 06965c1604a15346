"""What the lobby shows: the rooms of each shard's lists, the pools, and how many players there are.

The lists are written by the scripts that change the rooms, so there is nothing to be mended. Of
each shard only the ends of its lists are read: what it costs does not depend on how many there are.
"""

import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from . import scripts
from .halltime import HallClock
from .kept import Kept, kept_of
from .keys import LOBBY_KEYS, SHARDS, ShardKeys, keys_of_room, keys_of_shard
from .lane import Lane

PER_SHARD = 4
"""Rooms that are read of each list. Of a hundred in 64 shards few have more; those are read on."""


_LISTS = [ShardKeys._fields.index(kind) for kind in ("open", "games", "watched")]


class ListedRoom(NamedTuple):
    room: str
    since_ms: int
    """By the store's clock: hall time and the shard's downtime together."""
    watchers: int = 0


class Listed(NamedTuple):
    pools: list[tuple[str, int]]
    """With how many wait in each, the fullest first."""
    open: list[ListedRoom]
    """The newest first."""
    newest: list[ListedRoom]
    """Matches that are on, the newest first."""
    watched: list[ListedRoom]
    """Those that somebody watches, the most watched first; since when is not told here."""
    online: int


class Lists:
    def __init__(self, lane: Lane, clock: HallClock, shard: int, node: str) -> None:
        self._node = node.encode()
        self._lane = lane
        self._clock = clock
        self._shard = shard

    async def read(self, most: int, own: int) -> Listed:
        """At most so many of each kind; `own` are the players on this node, as it knows best."""
        shards = [keys_of_shard(shard) for shard in range(SHARDS)]
        lists = [[keys[place] for keys in shards] for place in _LISTS]
        names = [name for names in lists for name in names]
        span = (0, PER_SHARD - 1, "WITHSCORES")
        pools, nodes, *heads = await self._lane.call_all(
            [
                ("ZREVRANGE", LOBBY_KEYS.pools, 0, most - 1, "WITHSCORES"),
                ("HGETALL", LOBBY_KEYS.nodes),
                *(("ZREVRANGE", name, *span) for name in names),
            ]
        )
        found = [_scored(head) for head in heads]
        open_, newest, watched = [
            await self._top(names, found[place * SHARDS : (place + 1) * SHARDS], most)
            for place, names in enumerate(lists)
        ]
        return Listed(
            pools=_scored(pools),
            open=[ListedRoom(room, since) for room, since in open_],
            newest=[ListedRoom(room, since) for room, since in newest],
            watched=[ListedRoom(room, 0, count) for room, count in watched],
            online=own + self._elsewhere(nodes),
        )

    async def _top(
        self, names: list[str], heads: list[list[tuple[str, int]]], most: int
    ) -> list[tuple[str, int]]:
        """The highest of all these lists, given the head of each."""
        rows = _best(row for head in heads for row in head)
        least = rows[most - 1][1] if len(rows) >= most else -1
        further = [
            name
            for name, head in zip(names, heads, strict=True)
            if len(head) == PER_SHARD and head[-1][1] > least
        ]
        if not further:
            return rows[:most]
        span = (PER_SHARD, most - 1, "WITHSCORES")
        tails = await self._lane.call_all(("ZREVRANGE", name, *span) for name in further)
        return _best([*rows, *(row for tail in tails for row in _scored(tail))])[:most]

    async def since(self, rooms: list[str]) -> dict[str, int]:
        """Since when, by the store's clock, a match is on in each of these rooms; those where none
        is are left out."""
        names = [keys_of_shard(keys_of_room(room).shard).games for room in rooms]
        found = await self._lane.call_all(
            ("ZSCORE", name, room) for name, room in zip(names, rooms, strict=True)
        )
        pairs = zip(rooms, found, strict=True)
        return {room: int(float(since)) for room, since in pairs if since is not None}

    async def moved(self, known: Mapping[str, int]) -> dict[str, Kept | None]:
        """What is kept of those rooms that are not at the number they are known to be at (0: not
        known at all); None for a room that is gone."""
        rooms = list(known)
        names = [keys_of_room(room).room for room in rooms]
        seqs = await self._lane.call_all(("HGET", name, "seq") for name in names)
        moved = [
            room for room, seq in zip(rooms, seqs, strict=True) if int(seq or -1) != known[room]
        ]
        keys = [keys_of_room(room) for room in moved]
        found = await self._lane.run_all(scripts.LOAD, [((key.room, key.log), ()) for key in keys])
        return dict(zip(moved, map(kept_of, found), strict=True))

    def _elsewhere(self, nodes: list[bytes]) -> int:
        """The players of other nodes whose leases last."""
        now_ms = self._clock.now(self._shard, time.monotonic()).now_ms
        told = [(node, *said.split()) for node, said in zip(nodes[::2], nodes[1::2], strict=True)]
        return sum(
            int(players)
            for node, players, until in told
            if node != self._node and int(until) > now_ms
        )


def _scored(reply: list[bytes]) -> list[tuple[str, int]]:
    names, scores = reply[::2], reply[1::2]
    return [(name.decode(), int(float(score))) for name, score in zip(names, scores, strict=True)]


def _best(rows: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(rows, key=lambda row: row[1], reverse=True)
