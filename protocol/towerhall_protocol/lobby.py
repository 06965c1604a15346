"""The nouns of the lobby: who looks for an opponent, and which rooms can be joined or watched."""

from towerhall_protocol.limits import Whole
from towerhall_protocol.rooms import Clock, Clocks, Noun, Options, Score


class Seek(Noun, frozen=True, kw_only=True):
    """The one search for an opponent that a player has running."""

    game: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: Whole
    since_ms: Whole


class SeekCount(Noun, frozen=True, kw_only=True):
    """Equal seeks of all players, counted."""

    game: str
    preset: str
    options: Options
    clock: Clock | None
    rounds: Whole
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
    by: str
    since_ms: Whole


class LiveRoom(Noun, frozen=True, kw_only=True):
    room: str
    code: str
    game: str
    title: str
    names: tuple[str, str]
    round: Whole
    ply: Whole
    score: Score
    clock: Clock | None
    clocks: Clocks | None
    watchers: Whole
