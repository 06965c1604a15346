"""What happens in a match, as the room's log keeps it.

The log's entry is a happening with its number and time; the hub makes the wire's event of it. The
field names are the wire's.
"""

import msgspec
from msgspec import Raw, Struct

from towerhall_server.games import Seat, View
from towerhall_server.match.clock import Clocks


class Happening(Struct, frozen=True, tag_field="kind", kw_only=True):
    pass


class Seated(Happening, frozen=True, tag="seated", kw_only=True):
    seat: Seat
    player: str
    name: str


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


class RematchAsked(Happening, frozen=True, tag="rematch", kw_only=True):
    seat: Seat


class Said(Happening, frozen=True, tag="said", kw_only=True):
    seat: Seat | None
    name: str
    text: str


class Closed(Happening, frozen=True, tag="closed", kw_only=True):
    reason: str


AnyHappening = Seated | Started | Moved | Finished | RematchAsked | Said | Closed


class Entry(Struct, frozen=True, array_like=True):
    """One line of a room's log."""

    seq: int
    at_ms: int
    happening: AnyHappening


class Publication(Struct, frozen=True, array_like=True):
    """What is published of a commit: by which node, and the entries as the log has them.

    A node hears its own commits, too, and leaves their entries unread.
    """

    node: str
    top: int
    entries: Raw


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Entry)
_publications = msgspec.msgpack.Decoder(Publication)
_published = msgspec.msgpack.Decoder(list[Entry])


def encode(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode(blob: bytes) -> Entry:
    return _decoder.decode(blob)


def encode_publication(node: str, top: int, blobs: list[bytes]) -> bytes:
    return _encoder.encode((node, top, [Raw(blob) for blob in blobs]))


def decode_publication(payload: bytes) -> Publication:
    return _publications.decode(payload)


def entries_of(publication: Publication) -> list[Entry]:
    return _published.decode(publication.entries)
