"""Who is at a room."""

from dataclasses import dataclass

LEASE_MS = 6000
"""A node that said nothing for this long, in hall time, is taken to have nobody there."""

PRESENCE = b"p"
"""What tells it from events on the room's channel."""


@dataclass(frozen=True, slots=True)
class Presence:
    online: tuple[bool, bool]
    away_since_ms: tuple[int | None, int | None]
    """In hall time. None: is there, or never was."""
    watchers: int


def presence_of(seat0: int, seat1: int, away0: int, away1: int, watchers: int) -> Presence:
    return Presence((seat0 == 1, seat1 == 1), (away0 or None, away1 or None), watchers)
