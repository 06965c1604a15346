"""What a request must not exceed, and what it means where it says nothing."""

import time

from msgspec import UNSET, UnsetType

from towerhall_protocol.limits import DEFAULT_INCREMENT_MS, DEFAULT_INITIAL_MS
from towerhall_protocol.requests import ClockAsked
from towerhall_server.gateway.session import Session
from towerhall_server.match.clock import Clock
from towerhall_server.match.refusal import Refused


def check_new_rooms(session: Session) -> None:
    """A room is kept for a month: what one address has made must not fill the store."""
    address, now = session.address, time.monotonic()
    if getattr(address, "is_loopback", False):
        return
    if not session.hall.new_rooms.of(address, now).take(now):
        most = session.hall.settings.rooms_per_minute
        raise Refused("rate_limited", f"Too many new rooms: at most {most:g} a minute, please.")


def check_follows(session: Session, room: str = "") -> None:
    most = session.hall.settings.rooms_per_connection
    if room not in session.rooms and len(session.rooms) >= most:
        raise Refused(
            "too_many", f"A connection follows at most {most} rooms; unwatch one.", limit=most
        )


def clock_of(asked: ClockAsked | UnsetType | None) -> Clock | None:
    if asked is UNSET:
        return Clock(DEFAULT_INITIAL_MS, DEFAULT_INCREMENT_MS)
    return Clock(asked.initial_ms, asked.increment_ms) if asked else None
