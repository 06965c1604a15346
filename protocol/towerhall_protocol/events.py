"""What happens in a room, numbered by `seq` without a gap.

On the wire every event has the `type` "event"; `kind` tells them apart.
"""

from typing import Literal

from msgspec import Struct

from towerhall_protocol.limits import SeatNumber, Whole
from towerhall_protocol.rooms import Clocks, Rating, Score, View


class RoomEvent(Struct, tag_field="kind", frozen=True, kw_only=True):
    type: Literal["event"] = "event"
    room: str
    epoch: str
    seq: Whole
    at_ms: Whole


class Seated(RoomEvent, tag="seated", frozen=True, kw_only=True):
    seat: SeatNumber
    player: str
    name: str
    rating: Rating | None


class Started(RoomEvent, tag="started", frozen=True, kw_only=True):
    match: Whole
    round: Whole
    first: SeatNumber
    view: View
    legal: list[str] | None
    turn: SeatNumber | None
    clocks: Clocks | None


class Moved(RoomEvent, tag="moved", frozen=True, kw_only=True):
    """A move, or a forced pass. What follows `text` is as it is after the whole commit."""

    round: Whole
    ply: Whole
    seat: SeatNumber
    move: str
    forced: bool
    text: str
    view: View
    legal: list[str] | None
    turn: SeatNumber | None
    clocks: Clocks | None


class Finished(RoomEvent, tag="finished", frozen=True, kw_only=True):
    round: Whole
    winner: SeatNumber | None
    reason: str
    text: str
    score: Score
    match_over: bool
    match_winner: SeatNumber | None
    next_ms: Whole | None


class Rated(RoomEvent, tag="rated", frozen=True, kw_only=True):
    """The ratings that a match was played with, and those it led to, by seat."""

    match: Whole
    before: tuple[Rating, Rating]
    after: tuple[Rating, Rating]


class RematchAsked(RoomEvent, tag="rematch", frozen=True, kw_only=True):
    seat: SeatNumber


class Said(RoomEvent, tag="said", frozen=True, kw_only=True):
    seat: SeatNumber | None
    name: str
    text: str


class Closed(RoomEvent, tag="closed", frozen=True, kw_only=True):
    reason: str


Event = Seated | Started | Moved | Finished | Rated | RematchAsked | Said | Closed


class UnknownEvent(Struct, frozen=True, kw_only=True):
    """An event of a kind that came after this client: its number still counts."""

    kind: str
    room: str
    epoch: str
    seq: Whole
    at_ms: Whole
    type: Literal["event"] = "event"
