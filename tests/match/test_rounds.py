"""A match of several rounds: its score, its end, who begins, and what comes after."""

import pytest

from match.assertions import (
    assert_finished,
    assert_refused,
    assert_repeated,
    assert_started,
    only,
)
from match.table import ANN, BLITZ, BOB, EVE, NOW, PLAYERS, Table, seated
from towerhall_server.games import Seat
from towerhall_server.match.actions import Abort, Claim, Rematch, Resign, Tick
from towerhall_server.match.happenings import RematchAsked, Started
from towerhall_server.match.machine import PAUSE_MS
from towerhall_server.match.repeats import Repeat


def played_out(rounds: int, wins: list[Seat]) -> Table:
    """A match in which the rounds were won by these seats, one after the other."""
    table = seated(rounds=rounds)
    for number, winner in enumerate(wins, 1):
        table.win(winner)
        if number < len(wins):
            table.next_round()
    return table


@pytest.mark.parametrize(
    ("rounds", "wins", "match_winner"),
    [
        (1, [0], 0),
        (1, [1], 1),
        (2, [0, 0], 0),
        (2, [0, 1], None),
        (3, [0, 0], 0),
        (3, [0, 1, 1], 1),
        (4, [1, 1, 1], 1),
        (4, [0, 1, 0, 1], None),
        (4, [0, 0, 1, 1], None),
        (4, [0, 0, 1, 0], 0),
        (5, [1, 0, 1, 1], 1),
        (16, [0] * 9, 0),
    ],
)
def test_a_match_is_over_when_nobody_can_be_caught_or_after_its_last_round(
    rounds: int, wins: list[Seat], match_winner: Seat | None
) -> None:
    for number in range(1, len(wins)):
        assert played_out(rounds, wins[:number]).match.status == "live"
    match = played_out(rounds, wins).match
    assert (match.status, match.match_winner) == ("over", match_winner)
    assert match.score == (wins.count(0), wins.count(1))


def test_who_can_still_be_drawn_level_with_has_not_won() -> None:
    match = played_out(4, [0, 0]).match
    assert (match.status, match.score) == ("live", (2, 0))


@pytest.mark.parametrize("action", [Abort(ANN, 1), Claim(ANN, 1, (None, NOW - 60_000))])
def test_aborted_and_abandoned_end_the_match(action: Abort | Claim) -> None:
    change = seated(rounds=16).do(action)
    assert change.match.status == "over" and change.match.next_ms is None


def test_a_timeout_ends_only_the_round() -> None:
    table = seated(rounds=2).wait(BLITZ.initial_ms + 500)
    assert_finished(table.do(Tick()), 1, "timeout", score=(0, 1), match_over=False)


def test_the_next_round_starts_five_seconds_after_the_last() -> None:
    table = seated(rounds=2).wait(1_234)
    change = table.win(0)
    assert PAUSE_MS == 5_000
    assert change.match.next_ms == table.now + 5_000
    assert_repeated(table.wait(4_999), Tick())
    started = table.wait(1).do(Tick())
    assert_started(started, round_=2, first=1)
    assert started.happened == (only(started, Started),)


def test_the_first_mover_s_clock_runs_from_the_start_and_not_from_when_it_was_due() -> None:
    table = seated(rounds=2)
    table.win(0)
    change = table.wait(60_000).do(Tick())
    assert change.match.clocks is not None
    assert change.match.clocks.at_ms == change.match.started_ms == table.now


@pytest.mark.parametrize("first", [0, 1])
def test_the_first_move_alternates_whoever_wins(first: Seat) -> None:
    table = seated(rounds=6, first=first)
    begun: list[Seat] = [table.match.first]
    for winner in (0, 0, 1):
        table.win(winner)
        begun.append(only(table.next_round(), Started).first)
    other: Seat = 1 if first == 0 else 0
    assert begun == [first, other, first, other]


def test_the_score_and_the_last_result_stay_while_the_next_round_is_played() -> None:
    table = seated(rounds=4)
    result = table.win(1).match.result
    table.next_round()
    assert table.match.score == (0, 1)
    assert table.match.result == result


def test_between_rounds_there_is_nothing_to_play_or_to_end() -> None:
    table = seated(rounds=4).play("2")
    table.win(0)
    assert_refused(table, table.next_move("3"), "game_over")
    assert_refused(table, Resign(ANN, 1), "game_over")
    assert_refused(table, Resign(ANN, 2), "stale_round", round=1)
    assert_refused(table, Rematch(ANN, 1), "not_allowed")


def test_each_round_has_a_record_of_its_own() -> None:
    table = seated(rounds=2, first=0)
    table.move("1")
    table.next_round()
    table.play("2 3").win(0)
    one, two = table.records
    assert [(r.match, r.round, r.first, r.match_over) for r in (one, two)] == [
        (1, 1, 0, False),
        (1, 2, 1, True),
    ]
    assert [move.text for move in one.moves] == ["1"]
    assert [move.text for move in two.moves] == ["2", "3"]
    assert one.players == PLAYERS and one.names == ("ann", "bob")
    assert two.started_ms == NOW + 5_000


# Rematch


def finished_table(first: Seat = 0) -> Table:
    table = seated(rounds=2, first=first)
    table.win(0)
    table.next_round()
    table.win(0)
    assert table.match.status == "over"
    return table


def test_a_rematch_starts_when_both_have_asked() -> None:
    table = finished_table()
    asked = table.do(Rematch(BOB, 2))
    assert asked.happened == (RematchAsked(seat=1),)
    assert (asked.match.rematch, asked.match.status) == ((False, True), "over")
    change = table.wait(7_000).do(Rematch(ANN, 2))
    assert change.happened[0] == RematchAsked(seat=0) and len(change.happened) == 2
    assert_started(change, match=2, round_=3, first=0)
    assert change.match.started_ms == table.now


@pytest.mark.parametrize("first", [0, 1])
def test_a_rematch_counts_from_zero_but_rounds_count_on_and_the_first_move_swaps(
    first: Seat,
) -> None:
    table = finished_table(first)
    last = table.match.first
    for player in PLAYERS:
        table.do(Rematch(player, 2))
    match = table.match
    assert (match.match, match.round, match.score, match.played) == (2, 3, (0, 0), 0)
    assert match.first != last
    assert match.settings == finished_table(first).match.settings
    table.win(1)
    assert table.match.score == (0, 1) and table.match.status == "live"


def test_asking_for_a_rematch_again_changes_nothing() -> None:
    table = finished_table()
    table.do(Rematch(ANN, 2))
    assert_repeated(table, Rematch(ANN, 2))


def test_asking_again_for_the_rematch_that_has_begun_is_found_in_the_record() -> None:
    table = finished_table()
    for player in PLAYERS:
        table.do(Rematch(player, 2))
    assert_refused(table, Rematch(ANN, 2), "stale_round", round=3)
    assert table.ask_again(Rematch(ANN, 2)) == Repeat()
    assert table.ask_again(Rematch(ANN, 1)) is None


def test_a_rematch_is_for_players_after_the_match_and_names_its_last_round() -> None:
    assert_refused(finished_table(), Rematch(EVE, 2), "not_seated")
    assert_refused(finished_table(), Rematch(ANN, 1), "stale_round", round=2)
    assert_refused(finished_table(), Rematch(ANN, 3), "stale_round", round=2)
    assert_refused(seated(), Rematch(ANN, 1), "not_allowed")


def test_a_match_that_was_aborted_can_have_a_rematch() -> None:
    table = seated()
    table.do(Abort(ANN, 1))
    table.do(Rematch(ANN, 1))
    assert_started(table.do(Rematch(BOB, 1)), match=2, round_=2, first=1)
