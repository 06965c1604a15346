"""What happens in a match, as the room's log keeps it.

The log's entry is a happening with its number and time; the wire's event is the same map with the
room's address in it (`wire.event`). So the field names are the wire's.
"""

from collections.abc import Iterable
from contextlib import suppress

import msgspec
from msgspec import Raw, Struct

from towerhall_server.games import Seat, View
from towerhall_server.match.clock import Clocks
from towerhall_server.match.state import Rating


class Happening(Struct, frozen=True, tag_field="kind", kw_only=True):
    pass


class Seated(Happening, frozen=True, tag="seated", kw_only=True):
    seat: Seat
    player: str
    name: str
    rating: Rating | None = None


class Started(Happening, frozen=True, tag="started", kw_only=True):
    match: int
    round: int
    first: Seat
    view: View
    legal: list[str] | None
    turn: Seat | None
    clocks: Clocks | None


class Moved(Happening, frozen=True, tag="moved", kw_only=True):
    round: int
    ply: int
    seat: Seat
    move: str
    forced: bool
    text: str
    view: View
    legal: list[str] | None
    turn: Seat | None
    clocks: Clocks | None


class Finished(Happening, frozen=True, tag="finished", kw_only=True):
    round: int
    winner: Seat | None
    reason: str
    text: str
    score: tuple[int, int]
    match_over: bool
    match_winner: Seat | None
    next_ms: int | None


class Rated(Happening, frozen=True, tag="rated", kw_only=True):
    match: int
    before: tuple[Rating, Rating]
    after: tuple[Rating, Rating]


class RematchAsked(Happening, frozen=True, tag="rematch", kw_only=True):
    seat: Seat


class Said(Happening, frozen=True, tag="said", kw_only=True):
    seat: Seat | None
    name: str
    text: str


class Closed(Happening, frozen=True, tag="closed", kw_only=True):
    reason: str


AnyHappening = Seated | Started | Moved | Finished | Rated | RematchAsked | Said | Closed


class Entry(Struct, frozen=True, array_like=True):
    """One line of a room's log.

    What happened is a happening's bytes. They go to the followers as they are: a node need not
    know of every kind that a newer one writes.
    """

    seq: int
    at_ms: int
    happening: Raw


_encoder = msgspec.msgpack.Encoder()
_entries = msgspec.msgpack.Decoder(Entry)
_happenings: msgspec.msgpack.Decoder[AnyHappening] = msgspec.msgpack.Decoder(AnyHappening)


def entry(seq: int, at_ms: int, happening: AnyHappening) -> Entry:
    return Entry(seq, at_ms, Raw(_encoder.encode(happening)))


def encode(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode(blob: bytes) -> Entry:
    return _entries.decode(blob)


def readable(blobs: Iterable[bytes]) -> list[Entry]:
    """Those that are entries. One in a form that is not known here is as good as lost: whoever
    needs it gets a snapshot."""
    entries = []
    for blob in blobs:
        with suppress(msgspec.DecodeError):
            entries.append(decode(blob))
    return entries


def happening_of(entry: Entry) -> AnyHappening:
    return _happenings.decode(entry.happening)
