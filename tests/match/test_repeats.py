"""What a record of a finished round answers when something is asked again."""

import pytest

from match.table import ANN, BOB, EVE, seated, small_duel
from towerhall_server.match.actions import (
    Abort,
    Action,
    Claim,
    Move,
    Rematch,
    Resign,
    Say,
    Sit,
    Tick,
)
from towerhall_server.match.repeats import Repeat, repeats
from towerhall_server.match.state import Record


def recorded(*, rounds: int = 1) -> Record:
    """Ann's 3A and Bob's 2B, which forces a pass; then Bob resigns."""
    table = small_duel(rounds=rounds).play("3A 2B")
    record = table.do(Resign(BOB, 1)).record
    assert record is not None
    return record


@pytest.mark.parametrize(
    ("move", "seq"), [(Move(ANN, 1, 0, "3A"), 4), (Move(BOB, 1, 1, " 02b"), 5)]
)
def test_a_move_of_the_record_gets_its_seq(move: Move, seq: int) -> None:
    assert repeats(recorded(), move) == Repeat(seq)


@pytest.mark.parametrize(
    "move",
    [
        Move(ANN, 1, 0, "3B"),
        Move(ANN, 1, 0, "?"),
        Move(BOB, 1, 0, "3A"),
        Move(EVE, 1, 0, "3A"),
        Move(ANN, 1, 1, "3A"),
        Move(ANN, 1, 2, "pass"),
        Move(BOB, 1, 3, "3B"),
        Move(BOB, 1, 99, "3B"),
    ],
)
def test_a_move_that_was_not_made_gets_nothing(move: Move) -> None:
    assert repeats(recorded(), move) is None


def test_what_ended_the_round_is_known() -> None:
    assert repeats(recorded(), Resign(BOB, 1)) == Repeat()


@pytest.mark.parametrize(
    "action",
    [
        Resign(ANN, 1),
        Resign(EVE, 1),
        Abort(BOB, 1),
        Claim(ANN, 1, (None, 0)),
        Sit(ANN, "ann"),
        Say(ANN, "ann", "again"),
        Tick(),
    ],
)
def test_what_did_not_end_it_gets_nothing(action: Action) -> None:
    assert repeats(recorded(), action) is None


def test_a_rematch_can_only_have_been_asked_for_after_the_last_round() -> None:
    assert repeats(recorded(), Rematch(ANN, 1)) == Repeat()
    assert repeats(recorded(rounds=4), Rematch(ANN, 1)) is None
    assert repeats(recorded(), Rematch(EVE, 1)) is None


def test_an_aborted_round_was_aborted_by_both() -> None:
    record = seated().do(Abort(ANN, 1)).record
    assert record is not None
    assert repeats(record, Abort(ANN, 1)) == repeats(record, Abort(BOB, 1)) == Repeat()
