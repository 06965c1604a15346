"""The players' clocks: whole milliseconds of hall time, and `now` is always an argument.

A clock does not tick. It is the time that was left at a moment, and whose time runs since then.
"""

from msgspec import Struct
from msgspec.structs import replace

from towerhall_server.games import Seat

GRACE_MS = 500
"""How late a deadline is carried out, and the most that a slow line is given back for a move."""


class Clock(Struct, frozen=True):
    """How much time the players are given."""

    initial_ms: int
    increment_ms: int


class Clocks(Struct, frozen=True):
    """How much time the players had left at `at_ms`, and whose runs since."""

    remaining_ms: tuple[int, int]
    running: Seat | None
    at_ms: int


def start(clock: Clock, first: Seat, now: int) -> Clocks:
    return Clocks((clock.initial_ms, clock.initial_ms), first, now)


def left(clocks: Clocks, seat: Seat, now: int) -> int:
    """What the seat has left; below zero when it has overstepped."""
    elapsed = max(0, now - clocks.at_ms) if clocks.running == seat else 0
    return clocks.remaining_ms[seat] - elapsed


def flag_at(clocks: Clocks) -> int | None:
    """The moment at which the running clock will be at zero."""
    return None if clocks.running is None else clocks.at_ms + clocks.remaining_ms[clocks.running]


def press(clocks: Clocks, clock: Clock, now: int, credit: int, turn: Seat | None) -> Clocks | None:
    """The clocks after a move; None if the time was up, even with the line's delay given back."""
    seat = clocks.running
    assert seat is not None  # noqa: S101 - only a running clock is pressed
    elapsed = max(0, now - clocks.at_ms)
    used = max(0, elapsed - min(credit, GRACE_MS))
    remaining = clocks.remaining_ms[seat] - used
    if remaining <= 0:
        return None
    return Clocks(_with(clocks.remaining_ms, seat, remaining + clock.increment_ms), turn, now)


def stop(clocks: Clocks, now: int) -> Clocks:
    if clocks.running is None:
        return clocks
    remaining = max(0, left(clocks, clocks.running, now))
    stopped = _with(clocks.remaining_ms, clocks.running, remaining)
    return replace(clocks, remaining_ms=stopped, running=None, at_ms=now)


def _with(remaining: tuple[int, int], seat: Seat, value: int) -> tuple[int, int]:
    return (remaining[0], value) if seat else (value, remaining[1])
