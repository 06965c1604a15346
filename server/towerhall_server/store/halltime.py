"""What time it is in the hall, between two replies of the store.

Hall time is the store's clock less the shard's downtime. Each script's reply brings it; from there
a node's own monotonic clock, an argument here, counts on. A reply is always late, never early, so
of the replies since a shard's last pulse the one that puts the hall furthest ahead is the truest.
A pulse starts the comparison anew, or a drift of the two clocks would add up.

It never goes back while the downtime stays the same. Where the store has been silent for two
seconds it stands still, as it does in the store. The hall is then found to have stopped earlier
than this node could know: only then, with another downtime, is time taken back, by those two
seconds at most, and nothing was committed in them.
"""

from typing import NamedTuple

SILENT_MS = 2000
"""Without a sign of life for this long the shard's time stands still (as in lua/hall.lua)."""


class HallTime(NamedTuple):
    now_ms: int
    down_ms: int


class _Shard:
    __slots__ = ("down_ms", "latest_ms", "offset_ms", "until_ms")

    def __init__(self) -> None:
        self.offset_ms = float("-inf")
        self.down_ms = 0
        self.latest_ms = 0
        self.until_ms = 0

    def hear(self, hall_ms: int, down_ms: int, at_ms: float, pulse: bool) -> None:
        offset_ms = hall_ms - at_ms
        if down_ms != self.down_ms:
            self.down_ms = down_ms
            self.latest_ms = 0
            self.offset_ms = offset_ms
            self.until_ms = hall_ms + SILENT_MS
            return
        if pulse or offset_ms > self.offset_ms:
            self.offset_ms = offset_ms
        if hall_ms + SILENT_MS > self.until_ms:
            self.until_ms = hall_ms + SILENT_MS

    def now(self, at_ms: float) -> HallTime:
        if self.until_ms:
            counted_ms = int(at_ms + self.offset_ms)
            if counted_ms > self.until_ms:
                counted_ms = self.until_ms
            if counted_ms > self.latest_ms:
                self.latest_ms = counted_ms
        return HallTime(self.latest_ms, self.down_ms)


class HallClock:
    """The hall time of every shard, as this node knows it."""

    def __init__(self, shards: int) -> None:
        self._shards = [_Shard() for _ in range(shards)]

    def hear(
        self, shard: int, hall_ms: int, down_ms: int, at_s: float, *, pulse: bool = False
    ) -> None:
        """A reply of the store, received at `at_s` of this node's monotonic clock."""
        self._shards[shard].hear(hall_ms, down_ms, at_s * 1000, pulse)

    def now(self, shard: int, at_s: float) -> HallTime:
        return self._shards[shard].now(at_s * 1000)
