"""A match as it was stored last, and its log since then, make the match as it is.

Most changes are moves, and a move's event says all that it changes. So the whole match is stored
only with every eighth event, and with whatever is more than moves: a commit is a few hundred bytes
where it was some thousands.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from towerhall_server.games import game
from towerhall_server.match.clock import Clocks
from towerhall_server.match.happenings import Entry, Moved
from towerhall_server.match.machine import Change
from towerhall_server.match.state import Match

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
    return not all(type(happened) is Moved for happened in change.happened)


def caught_up(match: Match, entries: Iterable[Entry]) -> Match:
    """The match after all of these, which follow it. Raises msgspec.DecodeError for one that is no
    move, or is none in the form that is known here."""
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
