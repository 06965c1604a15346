"""A match that counts: who sits there with which rating, what it did, what is written of it."""

import pytest

from match.assertions import assert_repeated, only
from match.table import ANN, BOB, NOW, Table, opened, seated
from towerhall_server.match import past, state
from towerhall_server.match.actions import Abort, Rate, Rematch, Sit
from towerhall_server.match.happenings import Finished, Rated, Seated, Started
from towerhall_server.match.machine import Change, deadline
from towerhall_server.match.past import past_of
from towerhall_server.match.rating import Reckoning, is_rated
from towerhall_server.match.state import Rating, Record

NEW = Rating(value=1500, deviation=350, provisional=True, matches=0)
WON = Rating(value=1662, deviation=290, provisional=True, matches=1)
LOST = Rating(value=1338, deviation=290, provisional=True, matches=1)
RATE = Rate(1, (NEW, NEW), (WON, LOST))


def finished(*winners: int) -> Table:
    """A rated match of as many rounds."""
    table = seated("duel", rounds=len(winners), rated=True)
    for number, winner in enumerate(winners):
        if number:
            table.next_round()
        table.win(1 if winner else 0)
    return table


def ratings(table: Table) -> list[Rating | None]:
    return [sitter.rating for sitter in table.match.sitters if sitter]


def last_record(table: Table) -> Record:
    return table.records[-1]


def test_who_sits_down_brings_a_rating() -> None:
    table = opened()
    change = table.do(Sit(BOB, "bob", LOST))
    assert only(change, Seated).rating == LOST
    assert ratings(table) == [None, LOST]


def test_a_finished_match_is_rated_once_and_told() -> None:
    table = finished(0, 0)
    before = table.match
    change = table.do(RATE)
    assert change.happened == (Rated(match=1, before=RATE.before, after=RATE.after),)
    assert ratings(table) == [WON, LOST]
    assert (change.match.seq, change.match.rated) == (before.seq + 1, 1)
    assert (change.match.status, change.match.result) == ("over", before.result)
    assert change.record is None and deadline(change.match) is None
    assert_repeated(table, RATE)


def test_a_match_may_be_rated_after_the_next_one_has_begun() -> None:
    table = finished(0, 0)
    for player in (ANN, BOB):
        table.do(Rematch(player, 2))
    started = table.match
    change = table.do(RATE)
    assert change.match.running and change.match.clocks == started.clocks
    assert (change.match.match, change.match.rated) == (2, 1)
    assert deadline(change.match) == deadline(started)
    assert_repeated(table, RATE)


def test_a_rematch_is_rated_again() -> None:
    table = finished(0, 0)
    table.do(RATE)
    table.do(Rematch(ANN, 2))
    assert only(table.do(Rematch(BOB, 2)), Started).match == 2
    table.win(1)
    table.next_round()
    table.win(1)
    assert is_rated(last_record(table)) and last_record(table).match == 2
    assert isinstance(table.ask(RATE._replace(match=2)), Change)


@pytest.mark.parametrize(
    ("winners", "score", "winner"), [((0, 0), (2, 0), 0), ((1, 0), (1, 1), None)]
)
def test_the_last_record_tells_how_the_match_went(
    winners: tuple[int, int], score: tuple[int, int], winner: int | None
) -> None:
    table = finished(*winners)
    first, last = table.records
    assert (first.match_over, is_rated(first)) == (False, False)
    assert (last.match_over, is_rated(last)) == (True, True)
    assert (last.score, last.match_winner, last.code) == (score, winner, "K7Q2MX")
    assert last.ended_ms == table.now
    assert state.decode_record(state.encode_record(last)) == last


def test_an_aborted_match_does_not_count_nor_does_a_friendly_one() -> None:
    table = seated("duel", rounds=2, rated=True)
    table.do(Abort(ANN, 1))
    assert last_record(table).match_over and not is_rated(last_record(table))
    friendly = seated("duel")
    assert only(friendly.win(0), Finished).match_over
    assert not is_rated(last_record(friendly))


def test_each_player_looks_back_from_their_own_seat() -> None:
    record = last_record(finished(0, 0))
    did = Reckoning(RATE.before, RATE.after)
    ann, bob = (past_of(record, seat, did) for seat in (0, 1))
    assert ann.id == bob.id == f"{record.room}-1"
    assert (ann.opponent, bob.opponent) == ((BOB, "bob"), (ANN, "ann"))
    assert (ann.rating, ann.change) == (WON, 162) and (bob.rating, bob.change) == (LOST, -162)
    assert (ann.score, ann.winner, ann.round, ann.rated) == ((2, 0), 0, 2, True)
    assert past.decode(past.encode(ann)) == ann


def test_a_match_that_is_not_rated_has_no_rating_to_look_back_at() -> None:
    friendly = seated("duel")
    friendly.win(0)
    entry = past_of(last_record(friendly), 0, None)
    assert (entry.rated, entry.rating, entry.change) == (False, None, None)
    assert entry.at_ms == NOW
