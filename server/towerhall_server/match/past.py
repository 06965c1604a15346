"""A finished match, as one of its players looks back at it, and as the store keeps it."""

import msgspec
from msgspec import Struct

from towerhall_server.games import Seat, other
from towerhall_server.match.rating import Reckoning
from towerhall_server.match.state import Rating, Record


class Past(Struct, frozen=True, array_like=True):
    room: str
    code: str
    game: str
    preset: str
    rated: bool
    rounds: int
    match: int
    round: int
    seat: Seat
    opponent: tuple[str, str]
    """Id, and name then."""
    score: tuple[int, int]
    winner: Seat | None
    reason: str
    text: str
    at_ms: int
    """A time of day."""
    rating: Rating | None
    change: int | None

    @property
    def id(self) -> str:
        return f"{self.room}-{self.match}"


def past_of(record: Record, seat: Seat, reckoning: Reckoning | None) -> Past:
    """The match that ended with this round."""
    settings, rival = record.settings, other(seat)
    rating = reckoning.after[seat] if reckoning else None
    change = rating.value - reckoning.before[seat].value if reckoning and rating else None
    return Past(
        room=record.room,
        code=record.code,
        game=settings.game,
        preset=settings.preset,
        rated=reckoning is not None,
        rounds=settings.rounds,
        match=record.match,
        round=record.round,
        seat=seat,
        opponent=(record.players[rival], record.names[rival]),
        score=record.score,
        winner=record.match_winner,
        reason=record.result.reason,
        text=record.result.text,
        at_ms=record.ended_ms + record.down_ms,
        rating=rating,
        change=change,
    )


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Past)


def encode(past: Past) -> bytes:
    return _encoder.encode(past)


def decode(blob: bytes) -> Past:
    return _decoder.decode(blob)
