"""The matches that a player finished, the newest first, so many at most.

Everything here may be done twice with the same outcome, as in players.py.
"""

from typing import NamedTuple

from . import scripts
from .keys import keys_of_player
from .lane import Lane

MOST_KEPT = 1000


class Page(NamedTuple):
    entries: list[bytes]
    last: str | None
    """The match to go on after; None where nothing follows."""


class History:
    def __init__(self, lane: Lane, keep_ms: int) -> None:
        self._lane = lane
        self._keep_ms = keep_ms

    async def add(self, player: str, match: str, at_ms: int, entry: bytes) -> None:
        keys = keys_of_player(player)
        await self._lane.run(
            scripts.PAST,
            (keys.past, keys.order),
            (match, at_ms, entry, MOST_KEPT, self._keep_ms),
        )

    async def page(self, player: str, before: str | None, size: int) -> Page:
        """What comes before that match, or the newest. Before one that is no longer kept there
        is nothing."""
        keys, start = keys_of_player(player), 0
        if before is not None:
            rank = await self._lane.call("ZREVRANK", keys.order, before)
            if rank is None:
                return Page([], None)
            start = rank + 1
        # One more than asked for, to know whether there are more.
        found = await self._lane.call("ZREVRANGE", keys.order, start, start + size)
        shown = found[:size]
        if not shown:
            return Page([], None)
        entries = await self._lane.call("HMGET", keys.past, *shown)
        last = shown[-1].decode() if len(found) > size else None
        return Page([entry for entry in entries if entry is not None], last)
