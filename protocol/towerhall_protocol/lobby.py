"""The nouns of the lobby: seeks, rooms to join or watch, the best players, past matches."""

from towerhall_protocol.limits import SeatNumber, Whole
from towerhall_protocol.rooms import Clock, Clocks, Noun, Options, Player, Rating, Score


class Seek(Noun, frozen=True, kw_only=True):
    """The one search for an opponent that a player has running."""

    game: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: Whole
    rated: bool
    since_ms: Whole


class SeekCount(Noun, frozen=True, kw_only=True):
    """Equal seeks of all players, counted."""

    game: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: Whole
    rated: bool
    count: Whole


class OpenRoom(Noun, frozen=True, kw_only=True):
    room: str
    code: str
    game: str
    title: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: Whole
    rated: bool
    by: str
    rating: Rating | None
    since_ms: Whole


class LiveRoom(Noun, frozen=True, kw_only=True):
    room: str
    code: str
    game: str
    title: str
    preset: str
    rated: bool
    names: tuple[str, str]
    ratings: tuple[Rating | None, Rating | None]
    rounds: Whole
    round: Whole
    ply: Whole
    score: Score
    clock: Clock | None
    clocks: Clocks | None
    watchers: Whole
    since_ms: Whole


class Leader(Noun, frozen=True, kw_only=True):
    rank: Whole
    player: str
    name: str
    rating: Rating


class PastMatch(Noun, frozen=True, kw_only=True):
    """A finished match, as one of its players looks back at it.

    `at_ms` is a time of day (UTC, since 1970), not hall time: it outlives the hall's clock.
    """

    id: str
    room: str
    code: str
    game: str
    title: str
    preset: str
    rated: bool
    rounds: Whole
    match: Whole
    round: Whole
    seat: SeatNumber
    opponent: Player
    score: Score
    winner: SeatNumber | None
    reason: str
    text: str
    at_ms: Whole
    rating: Rating | None
    change: Whole | None
