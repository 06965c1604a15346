"""Growing pauses between attempts."""

FIRST_WAIT = 0.1
LONGEST_WAIT = 5.0


class BackOff:
    """Twice as long each time; after an attempt that lasted, short again."""

    def __init__(self, first: float = FIRST_WAIT, longest: float = LONGEST_WAIT) -> None:
        self._first, self._longest = first, longest
        self._next = first

    def pause(self, lasted: float) -> float:
        """How long to wait before the next attempt, given how long the last one lived."""
        if lasted > 2 * self._longest:
            self._next = self._first
        wait, self._next = self._next, min(2 * self._next, self._longest)
        return wait
