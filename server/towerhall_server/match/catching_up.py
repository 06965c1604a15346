"""A match as it was stored last, and its log since then, make the match as it is.

Most changes are moves, and a move's event says all that it changes. So the whole match is stored
only with every eighth event, and with whatever is more than moves: a commit is a few hundred bytes
where it was some thousands.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from towerhall_server.games import GameError, game
from towerhall_server.match.clock import Clocks
from towerhall_server.match.happenings import Entry, Moved
from towerhall_server.match.machine import Change
from towerhall_server.match.state import FORMAT, Match

EVERY = 8


class _Step(Struct, tag_field="kind", tag="moved"):
    """Of a move's event, what is needed to make the move again."""

    move: str
    forced: bool
    clocks: Clocks | None


_steps = msgspec.msgpack.Decoder(_Step)


def is_whole(before: Match | None, change: Change) -> bool:
    """Whether the whole match is to be stored with this change of it."""
    if before is None or before.seq // EVERY != change.match.seq // EVERY:
        return True
    # An older node must not read an older state and miss what only newer ones can read.
    if before.format != FORMAT:
        return True
    return any(type(happened) is not Moved for happened in change.happened)


class Unreadable(Exception):
    """The log is not one of moves that lead on from the match, as far as can be seen here."""


def caught_up(match: Match, entries: Iterable[Entry], top: int) -> Match:
    """The match at the number `top`, after those of the entries that it does not have already."""
    new = [entry for entry in entries if entry.seq > match.seq]
    if [entry.seq for entry in new] != list(range(match.seq + 1, top + 1)):
        raise Unreadable(f"the log does not lead from {match.seq} to {top}")
    try:
        now = _played_on(match, new) if new else match
    except (msgspec.DecodeError, GameError) as error:
        raise Unreadable(f"a move after {match.seq} cannot be made again: {error}") from None
    if len(now.plies) != len(now.position.moves):
        raise Unreadable(f"the moves after {match.seq} force other passes than they did")
    return now


def _played_on(match: Match, entries: list[Entry]) -> Match:
    rules, position, plies = game(match.settings.game), match.position, match.plies
    clocks, moved_ms, seq = match.clocks, match.moved_ms, match.seq
    for entry in entries:
        step, moved_ms, seq = _steps.decode(entry.happening), entry.at_ms, entry.seq
        clocks = step.clocks
        if not step.forced:
            # The passes that it forces are played with it: their events only have their numbers.
            position = rules.play(position, step.move)
        plies = plies.and_more((seq,), moved_ms, clocks.remaining_ms if clocks else None)
    return replace(match, position=position, plies=plies, clocks=clocks, moved_ms=moved_ms, seq=seq)
