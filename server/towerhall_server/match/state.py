"""What a room holds: one match after another between the same two seats.

`Match` is a value. `machine.py` makes the next one; the store keeps it as the bytes that `encode`
makes and `decode` reads, of this version of the hall and of those before it.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from towerhall_server.games import Options, Played, Seat, game
from towerhall_server.match.clock import Clock, Clocks
from towerhall_server.match.plies import Plies

Status = Literal["open", "live", "over"]


class Settings(Struct, frozen=True, kw_only=True):
    """What was agreed when the room was made; rematches keep it."""

    game: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: int
    listed: bool
    rated: bool = False


class Rating(Struct, frozen=True, kw_only=True):
    """How strong a player is at the room's game, as the wire has it."""

    value: int
    deviation: int
    provisional: bool
    matches: int


class Sitter(Struct, frozen=True):
    player: str
    name: str
    rating: Rating | None = None


class Result(Struct, frozen=True):
    """How a round ended. Only an aborted one has no winner."""

    winner: Seat | None
    reason: str
    text: str


class Match(Struct, frozen=True, kw_only=True):
    room: str
    code: str
    settings: Settings
    sitters: tuple[Sitter | None, Sitter | None]
    created_ms: int
    started_ms: int = 0
    """When the current round started."""
    moved_ms: int
    """When something last happened on the board; what is idle is counted from here."""
    first: Seat
    position: Any
    """The game's own state of the current round."""
    status: Status = "open"
    match: int = 1
    round: int = 1
    played: int = 0
    """Rounds of this match that are finished."""
    score: tuple[int, int] = (0, 0)
    plies: Plies = Plies()
    clocks: Clocks | None = None
    result: Result | None = None
    """Of the round that finished last."""
    running: bool = False
    """Whether the current round is being played."""
    match_winner: Seat | None = None
    next_ms: int | None = None
    rematch: tuple[bool, bool] = (False, False)
    rated: int = 0
    """The last match of this room that was reckoned up."""
    seq: int = 0
    format: int = 0
    """In which it was stored when it was last read; new ones are of the newest."""

    def seat_of(self, player: str) -> Seat | None:
        one, two = self.sitters
        if one and one.player == player:
            return 0
        return 1 if two and two.player == player else None


class Record(Struct, frozen=True, kw_only=True):
    """A finished round, kept whole: it can be replayed without its match."""

    room: str
    match: int
    round: int
    settings: Settings
    players: tuple[str, str]
    names: tuple[str, str]
    first: Seat
    moves: tuple[Played, ...]
    plies: Plies
    started_ms: int
    result: Result
    match_over: bool
    down_ms: int = 0
    """The hall's downtime until then: hall time and this make the time of day."""
    code: str = ""
    ended_ms: int = 0
    score: tuple[int, int] = (0, 0)
    """Of the match, this round included."""
    match_winner: Seat | None = None


def record_of(match: Match, result: Result, over: bool) -> Record:
    one, two = match.sitters
    assert one and two  # noqa: S101 - nobody finishes a round alone
    return Record(
        room=match.room,
        match=match.match,
        round=match.round,
        settings=match.settings,
        players=(one.player, two.player),
        names=(one.name, two.name),
        first=match.first,
        moves=match.position.moves,
        plies=match.plies,
        started_ms=match.started_ms,
        result=result,
        match_over=over,
        code=match.code,
        ended_ms=match.moved_ms,
        score=match.score,
        match_winner=match.match_winner,
    )


FORMAT = 1
"""How a match and a record are stored: the byte before them. A new field needs a default, for what
was stored without it, and a higher number, or an older node would forget the field unnoticed."""

_MAP = 0x80
"""From here on a first byte begins a map of msgpack: no format had a number then."""


class NewerFormat(Exception):
    """It was stored by a newer version: to guess at it, and to store that, might lose a game."""


_encoder = msgspec.msgpack.Encoder(enc_hook=lambda plies: plies.packed)
_match_decoder = msgspec.msgpack.Decoder(Match, dec_hook=lambda _, packed: Plies(packed))
_record_decoder = msgspec.msgpack.Decoder(Record, dec_hook=lambda _, packed: Plies(packed))


def encode(match: Match) -> bytes:
    return b"%c%b" % (FORMAT, _encoder.encode(match))


def decode(blob: bytes) -> Match:
    number, packed = _parted(blob)
    match = _match_decoder.decode(packed)
    position = game(match.settings.game).from_data(match.position)
    return replace(match, position=position, format=number)


def encode_record(record: Record) -> bytes:
    return b"%c%b" % (FORMAT, _encoder.encode(record))


def decode_record(blob: bytes) -> Record:
    return _record_decoder.decode(_parted(blob)[1])


def _parted(blob: bytes) -> tuple[int, bytes]:
    """The number of its format, and the rest."""
    number = blob[0]
    if number >= _MAP:
        return 0, blob
    if number > FORMAT:
        raise NewerFormat(f"it is stored in format {number}, and this node knows up to {FORMAT}")
    return number, blob[1:]
