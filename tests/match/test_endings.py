"""Resign, abort and claim: a round that ends by somebody's will."""

import pytest

from match.assertions import assert_finished, assert_refused, assert_repeated
from match.table import ANN, BOB, EVE, NOW, PLAYERS, Table, seated
from towerhall_server.games import Seat
from towerhall_server.match.actions import Abort, Claim, Ending, Rematch, Resign
from towerhall_server.match.clock import Clocks

MINUTE_MS = 60_000
DAY_MS = 86_400_000

ALL: list[Ending] = [Resign(ANN, 1), Abort(ANN, 1), Claim(ANN, 1, (None, NOW - DAY_MS))]


def claim(seat: Seat, since: int | None, round_: int = 1) -> Claim:
    """The seat claims the win; the other one is away since then."""
    away = (None, since) if seat == 0 else (since, None)
    return Claim(PLAYERS[seat], round_, away)


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_resigns_loses_the_round(seat: Seat) -> None:
    table = seated().play("2").wait(1_000)
    change = table.do(Resign(PLAYERS[seat], 1))
    winner: Seat = 1 if seat == 0 else 0
    score = (1, 0) if winner == 0 else (0, 1)
    assert_finished(change, winner, "resigned", score=score, match_winner=winner)
    assert change.match.clocks == Clocks((182_000, 179_000), None, table.now)


def test_one_may_resign_on_the_opponent_s_turn() -> None:
    table = seated()
    assert table.match.position.turn == 0
    assert_finished(table.do(Resign(BOB, 1)), 0, "resigned", score=(1, 0), match_winner=0)


@pytest.mark.parametrize("action", ALL)
def test_who_has_no_seat_ends_nothing(action: Ending) -> None:
    stranger = action._replace(player=EVE)
    assert_refused(seated(), stranger, "not_seated")


@pytest.mark.parametrize("action", ALL)
def test_only_the_round_that_is_on_can_be_ended(action: Ending) -> None:
    for round_ in (2, 99):
        other = action._replace(round=round_)
        assert_refused(seated(), other, "stale_round", round=1)


@pytest.mark.parametrize("action", ALL)
def test_a_round_that_ended_so_gets_the_same_answer_again(action: Ending) -> None:
    table = seated(rounds=2)
    table.do(action)
    for _ in range(3):
        assert_repeated(table, action)


@pytest.mark.parametrize("action", ALL)
def test_a_round_that_ended_otherwise_is_over(action: Ending) -> None:
    table = seated(rounds=2)
    table.win(0)
    assert assert_refused(table, action, "game_over") == "Player 2 resigned: Player 1 wins."


def test_that_the_opponent_resigned_is_no_answer_to_one_s_own_resigning() -> None:
    table = seated(rounds=2)
    table.do(Resign(ANN, 1))
    assert_refused(table, Resign(BOB, 1), "game_over")


def test_both_may_abort_the_same_game() -> None:
    table = seated()
    table.do(Abort(ANN, 1))
    assert_repeated(table, Abort(BOB, 1))


# Abort


@pytest.mark.parametrize("moves", ["", "2"])
@pytest.mark.parametrize("player", PLAYERS)
def test_either_may_abort_before_both_have_moved(player: str, moves: str) -> None:
    change = seated(rounds=4).play(moves).do(Abort(player, 1))
    assert_finished(change, None, "aborted", score=(0, 0))


def test_nobody_aborts_when_both_have_moved() -> None:
    assert_refused(seated().play("2 3"), Abort(ANN, 1), "not_allowed")


def test_nobody_aborts_a_later_round() -> None:
    table = seated(rounds=4)
    table.win(0)
    table.next_round()
    assert_refused(table, Abort(ANN, 2), "not_allowed")


def test_the_first_round_of_a_rematch_can_be_aborted() -> None:
    table = seated()
    table.win(0)
    for player in PLAYERS:
        table.do(Rematch(player, 1))
    assert_finished(table.do(Abort(ANN, 2)), None, "aborted", score=(0, 0))


# Claim


@pytest.mark.parametrize("seat", [0, 1])
def test_the_win_is_claimed_from_who_has_been_away_for_a_minute(seat: Seat) -> None:
    table = seated(rounds=4)
    score = (1, 0) if seat == 0 else (0, 1)
    change = table.do(claim(seat, NOW - MINUTE_MS))
    assert_finished(change, seat, "abandoned", score=score, match_winner=seat)


def test_before_the_minute_is_over_the_answer_says_how_long_to_wait() -> None:
    table = seated()
    sentence = assert_refused(table, claim(0, NOW - 47_001), "not_allowed", wait_ms=12_999)
    assert sentence == (
        "You can claim the win when your opponent has been away for 60 s: 13 s more."
    )
    assert_refused(table, claim(0, NOW - MINUTE_MS + 1), "not_allowed", wait_ms=1)


def test_nothing_is_claimed_from_who_is_here() -> None:
    sentence = assert_refused(seated(), claim(0, None), "not_allowed", wait_ms=MINUTE_MS)
    assert sentence == "You can claim the win when your opponent has been away for 60 s."


def test_that_one_was_away_oneself_does_not_count() -> None:
    table = seated()
    assert_refused(table, Claim(ANN, 1, (NOW - DAY_MS, None)), "not_allowed", wait_ms=MINUTE_MS)


def test_in_an_untimed_game_it_takes_a_day() -> None:
    table = seated(clock=None)
    sentence = assert_refused(table, claim(0, NOW - MINUTE_MS), "not_allowed", wait_ms=86_340_000)
    assert "away for 24 h" in sentence
    assert_refused(table, claim(0, NOW - DAY_MS + 1), "not_allowed", wait_ms=1)
    change = table.do(claim(0, NOW - DAY_MS))
    assert_finished(change, 0, "abandoned", score=(1, 0), match_winner=0)


def test_who_claims_wins_the_match_even_when_behind() -> None:
    table = seated(rounds=4)
    table.win(0)
    table.next_round()
    change = table.do(claim(1, NOW - MINUTE_MS, 2))
    assert_finished(change, 1, "abandoned", score=(1, 1), match_winner=1)


# After the round is gone from the board


def gone(action: Ending) -> Table:
    """The action ended round 1, and round 2 has begun."""
    table = seated(rounds=4)
    change = table.do(action)
    if change.match.status == "over":
        for player in PLAYERS:
            table.do(Rematch(player, 1))
    else:
        table.next_round()
    assert table.match.round == 2
    return table


@pytest.mark.parametrize("action", ALL)
def test_what_ended_an_earlier_round_is_found_in_its_record(action: Ending) -> None:
    table = gone(action)
    assert_refused(table, action, "stale_round", round=2)
    assert table.ask_again(action) is not None
    for other in ALL:
        assert (table.ask_again(other) is not None) == (other is action)
