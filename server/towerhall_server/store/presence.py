"""Who is at a room, and how that is told from events on the room's channel."""

from dataclasses import dataclass

LEASE_MS = 6000
"""A node that said nothing for this long, in hall time, is taken to have nobody there."""

EVENTS = b"e"
PRESENCE = b"p"


@dataclass(frozen=True, slots=True)
class Presence:
    online: tuple[bool, bool]
    away_since_ms: tuple[int | None, int | None]
    """In hall time. None: is there, or never was."""
    watchers: int


def presence_of(seat0: int, seat1: int, away0: int, away1: int, watchers: int) -> Presence:
    return Presence((seat0 == 1, seat1 == 1), (away0 or None, away1 or None), watchers)


def read_payload(payload: bytes) -> bytes | Presence:
    """What came on a room's channel: the payload of a commit, or who is there now."""
    if payload.startswith(PRESENCE):
        return presence_of(*map(int, payload.removeprefix(PRESENCE).split()))
    return payload.removeprefix(EVENTS)
