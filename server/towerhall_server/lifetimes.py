"""How long the hall keeps what nobody needs any more. All of it is settable; see settings.py."""

from typing import NamedTuple

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class Lifetimes(NamedTuple):
    open_ms: int = HOUR_MS
    """A room in which nobody sat down in the second seat; a closed one is kept as long again."""
    idle_ms: int = 7 * DAY_MS
    """An untimed game in which nobody moves."""
    record_ms: int = 30 * DAY_MS
    """A room whose match is over, with its records."""
    guest_ms: int = DAY_MS
    """A player who never sat down, after the last visit."""
    player_ms: int = 365 * DAY_MS
    """Any other player, with seats, ratings and history."""


USUAL = Lifetimes()
