"""Hall time, as far as it can be known from here.

What the hall says is late by the way of the message, never early: of two readings the later one
is nearer to the truth. Only when the hall's time stood still the difference really shrinks.
"""

import time

STOOD_STILL_MS = 1_000


class HallClock:
    def __init__(self) -> None:
        self._ahead_ms: float | None = None

    def set(self, now_ms: int, here_s: float | None = None) -> None:
        ahead = now_ms - 1000 * (time.monotonic() if here_s is None else here_s)
        if self._ahead_ms is None or not 0 <= self._ahead_ms - ahead < STOOD_STILL_MS:
            self._ahead_ms = ahead

    def now_ms(self, here_s: float | None = None) -> int:
        here = time.monotonic() if here_s is None else here_s
        return int(1000 * here + (self._ahead_ms or 0))
