"""What the tests of the match say over and over: it is refused, repeated, moved, finished."""

from typing import Any, TypeVar

import pytest

from match.table import Table
from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.replies import Error
from towerhall_server.games import Seat, game
from towerhall_server.match.actions import Action
from towerhall_server.match.happenings import Finished, Happening, Moved, Started
from towerhall_server.match.machine import Change
from towerhall_server.match.refusal import Refused
from towerhall_server.match.repeats import Repeat
from towerhall_server.match.state import encode

H = TypeVar("H", bound=Happening)


def assert_sayable(refused: Refused) -> None:
    """The wire has this code and these fields, and a person can read the sentence."""
    assert refused.code in list(ErrorCode)
    assert refused.data.keys() <= set(Error.__struct_fields__)
    assert refused.sentence.endswith(".")
    assert refused.sentence[0].isupper() or refused.sentence[0].isdigit()


def assert_refused(table: Table, action: Action, code: str, **data: Any) -> str:
    """Refused with this code and these fields, and the match is as it was. Gives the sentence."""
    before = encode(table.match)
    with pytest.raises(Refused) as raised:
        table.ask(action)
    refused = raised.value
    assert (refused.code, refused.data) == (code, data)
    assert_sayable(refused)
    assert encode(table.match) == before
    return refused.sentence


def attempt(table: Table, action: Action) -> Change | Repeat | Refused:
    """Carry out what can be; what was asked of is never changed, only replaced."""
    asked_of, before = table.match, encode(table.match)
    try:
        decided = table.ask(action)
    except Refused as refused:
        assert_sayable(refused)
        return refused
    finally:
        assert encode(asked_of) == before
    if isinstance(decided, Change):
        assert decided.happened
        assert decided.match.seq == asked_of.seq + len(decided.happened)
        table.keep(decided)
    return decided


def assert_repeated(table: Table, action: Action, seq: int = 0) -> None:
    """It was done before, and is not done again: the answer names the same event."""
    before = encode(table.match)
    assert table.ask(action) == Repeat(seq)
    assert encode(table.match) == before


def assert_nothing_is_due(table: Table, action: Action) -> None:
    assert_repeated(table, action)


def only(change: Change, kind: type[H]) -> H:
    """The one happening of this kind."""
    found = [happened for happened in change.happened if isinstance(happened, kind)]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {change.happened}"
    return found[0]


def assert_moved(table: Table, change: Change, moves: str) -> None:
    """These plies were made in one commit, forced ones in brackets, and all tell how it stands."""
    match, position = change.match, change.match.position
    rules = game(match.settings.game)
    events = [happened for happened in change.happened if isinstance(happened, Moved)]
    told = [f"({event.move})" if event.forced else event.move for event in events]
    assert told == moves.split()
    first = len(position.moves) - len(events)
    for ply, event in enumerate(events, first):
        assert (event.round, event.ply) == (match.round, ply)
        assert (event.seat, event.move, event.forced) == position.moves[ply]
        assert event.text == rules.describe(position.moves[ply])
        assert event.view == rules.view(position)
        assert event.legal == rules.legal_moves(position)
        assert event.turn == position.turn
        assert event.clocks == match.clocks
        assert match.plies[ply].seq == _seq_of(table, event)


def _seq_of(table: Table, event: Moved) -> int:
    """By value: each ply of a round is told once."""
    (seq,) = (entry.seq for entry in table.log if entry.happening == event)
    return seq


def assert_finished(
    change: Change,
    winner: Seat | None,
    reason: str,
    *,
    score: tuple[int, int],
    match_over: bool = True,
    match_winner: Seat | None = None,
) -> None:
    """The round ended so, for the match, the event and the record alike."""
    match, event, record = change.match, only(change, Finished), change.record
    assert record is not None and match.result is not None
    assert (event.winner, event.reason) == (winner, reason)
    assert (match.result.winner, match.result.reason) == (winner, reason)
    assert record.result == match.result
    assert event.text == match.result.text
    assert event.score == match.score == score
    assert event.match_over == record.match_over == (match.status == "over") == match_over
    assert event.match_winner == match.match_winner == match_winner
    assert event.next_ms == match.next_ms
    assert (match.next_ms is None) == match_over
    assert event.round == match.round == record.round
    assert not match.running
    assert match.clocks is None or match.clocks.running is None
    assert record.moves == match.position.moves and record.plies == match.plies


def assert_started(change: Change, *, match: int = 1, round_: int, first: Seat) -> None:
    """A round begins: an empty table, the first mover's clock running, nothing left over."""
    state, event = change.match, only(change, Started)
    rules = game(state.settings.game)
    fresh = rules.start(state.settings.options, first)
    assert (event.match, event.round, event.first) == (match, round_, first)
    assert (state.match, state.round, state.first) == (match, round_, first)
    assert (state.status, state.running, state.next_ms) == ("live", True, None)
    assert (state.position, len(state.plies)) == (fresh, 0)
    assert (event.view, event.legal) == (rules.view(fresh), rules.legal_moves(fresh))
    assert (event.turn, event.clocks) == (first, state.clocks)
    clock, clocks = state.settings.clock, state.clocks
    assert (clocks is None) == (clock is None)
    if clocks and clock:
        assert clocks.remaining_ms == (clock.initial_ms, clock.initial_ms)
        assert (clocks.running, clocks.at_ms) == (first, state.started_ms)
    assert (state.rematch, state.match_winner) == ((False, False), None)
