"""Moves: what each is checked for, in the wire's order; sent again; with the passes they force."""

import pytest

from match.assertions import (
    assert_finished,
    assert_moved,
    assert_refused,
    assert_repeated,
)
from match.table import ANN, BLITZ, BOB, EVE, NOW, PLAYERS, Table, opened, seated, small_duel
from towerhall_server.games import Played
from towerhall_server.match.actions import Move, Rematch
from towerhall_server.match.clock import Clock, Clocks
from towerhall_server.match.happenings import Finished
from towerhall_server.match.repeats import Repeat


def test_a_move_is_stored_with_its_seq_its_time_and_the_clocks() -> None:
    table = seated("relatives")
    change = table.wait(1_000).move("6")
    assert_moved(table, change, "6")
    (ply,) = change.match.plies
    assert (ply.seq, ply.at_ms) == (4, NOW + 1_000)
    assert ply.remaining_ms == (181_000, 180_000)
    assert change.match.clocks == Clocks((181_000, 180_000), 1, NOW + 1_000)
    assert change.match.moved_ms == NOW + 1_000
    assert change.record is None


def test_a_move_is_recorded_in_its_canonical_form() -> None:
    table = small_duel()
    assert_moved(table, table.move(" 003a "), "3A")


def test_an_untimed_move_has_no_clocks() -> None:
    table = seated(clock=None)
    change = table.wait(10_000_000).move("2")
    assert_moved(table, change, "2")
    assert change.match.clocks is None
    assert change.match.plies[0].remaining_ms is None


def test_the_mover_is_given_their_round_trip_back() -> None:
    table = seated(clock=Clock(10_000, 0))
    assert table.wait(1_000).move("2", credit_ms=300).match.plies[0].remaining_ms == (9_300, 10_000)


# The order of the checks. Each move is wrong in one thing and in all that is checked after it.

AGAIN = Move(ANN, 1, 0, "2")


def test_first_the_seat() -> None:
    assert_refused(seated(), Move(EVE, 9, 9, "?"), "not_seated")
    assert_refused(seated().play("2"), AGAIN._replace(player=EVE), "not_seated")
    over = seated()
    over.win(0)
    assert_refused(over, Move(EVE, 9, 9, "?"), "not_seated")


def test_then_whether_it_was_made_before() -> None:
    table = seated().play("2")
    assert_repeated(table, AGAIN, 4)
    table.win(0)
    assert_repeated(table, AGAIN, 4)


def test_then_whether_the_round_has_ended() -> None:
    table = seated(rounds=2)
    sentence = table.win(0).happened[-1]
    assert isinstance(sentence, Finished)
    assert assert_refused(table, Move(BOB, 1, 7, "?"), "game_over") == sentence.text


def test_then_whether_it_is_the_room_s_round() -> None:
    for round_ in (2, 99):
        assert_refused(seated(), Move(BOB, round_, 7, "?"), "stale_round", round=1)
    table = seated(rounds=2)
    table.win(0)
    table.next_round()
    assert_refused(table, Move(ANN, 1, 7, "?"), "stale_round", round=2)


def test_then_whether_it_is_the_ply_that_is_due() -> None:
    table = seated().play("2 3")
    for ply in (0, 1, 3, 99):
        assert_refused(table, Move(BOB, 1, ply, "?"), "stale_ply", ply=2)
    assert_refused(opened(), Move(ANN, 1, 1, "?"), "stale_ply", ply=0)


def test_then_whose_turn_it_is() -> None:
    assert_refused(seated(), Move(BOB, 1, 0, "?"), "not_your_turn")


@pytest.mark.parametrize("text", ["?", "", "pass", "two", "-3", "1" * 33, "２"])
def test_then_whether_it_can_be_read(text: str) -> None:
    assert_refused(seated(), Move(ANN, 1, 0, text), "unreadable_move")


def test_then_what_the_rules_say() -> None:
    table = seated().play("2")
    assert "6" in assert_refused(table, Move(BOB, 1, 1, "6"), "illegal_move")
    assert_refused(table, Move(BOB, 1, 1, "10"), "illegal_move")


def test_another_move_for_a_ply_that_is_taken_is_stale() -> None:
    assert_refused(seated().play("2"), AGAIN._replace(text="3"), "stale_ply", ply=1)
    assert_refused(seated().play("2"), AGAIN._replace(text="?"), "stale_ply", ply=1)


def test_the_opponent_s_move_is_not_one_s_own_sent_again() -> None:
    assert_refused(seated().play("2"), AGAIN._replace(player=BOB), "stale_ply", ply=1)


# Sent again


@pytest.mark.parametrize("text", ["3A", "3a", " 03A\t", "0003a"])
def test_a_resent_move_is_known_by_its_canonical_text(text: str) -> None:
    assert_repeated(small_duel().play("3A"), Move(ANN, 1, 0, text), 4)


def test_a_resent_move_gets_the_same_seq_however_much_has_happened_since() -> None:
    table = seated(rounds=2)
    sent, seqs = [], []
    for text in ("2", "3", "2", "3"):
        sent.append(table.next_move(text))
        seqs.append(table.match.seq + 1)
        table.move(text)
        for move, seq in zip(sent, seqs, strict=True):
            assert_repeated(table, move, seq)
    table.win(0)
    for move, seq in zip(sent, seqs, strict=True):
        assert_repeated(table, move, seq)
    table.next_round()
    for move, seq in zip(sent, seqs, strict=True):
        assert_refused(table, move, "stale_round", round=2)
        assert table.ask_again(move) == Repeat(seq)


def test_a_resent_move_gets_the_same_seq_after_the_match_and_after_a_rematch() -> None:
    table = seated()
    winning = table.next_move("1")
    table.do(winning)
    assert table.match.status == "over"
    assert_repeated(table, winning, 4)
    for player in PLAYERS:
        table.do(Rematch(player, 1))
    assert table.match.round == 2
    assert table.ask_again(winning) == Repeat(4)


def test_a_forced_pass_cannot_be_sent_again_as_a_move() -> None:
    table = small_duel().play("3A 2B")
    assert table.match.position.moves[2] == Played(0, "pass", True)
    assert_refused(table, Move(ANN, 1, 2, "pass"), "stale_ply", ply=3)


# Forced passes


def test_a_pass_is_made_in_the_commit_of_the_move_that_forces_it() -> None:
    table = small_duel().play("3A").wait(1_000)
    change = table.move("2B")
    assert_moved(table, change, "2B (pass)")
    assert change.match.position.turn == 1
    assert [ply.seq for ply in change.match.plies] == [4, 5, 6]


def test_a_pass_takes_no_time_and_earns_no_increment() -> None:
    table = small_duel().play("3A").wait(1_000)
    before = table.match.clocks
    assert before == Clocks((182_000, 180_000), 1, NOW)
    change = table.move("2B")
    assert change.match.clocks == Clocks((182_000, 181_000), 1, NOW + 1_000)
    assert {ply.remaining_ms for ply in list(change.match.plies)[1:]} == {(182_000, 181_000)}


def test_when_both_pass_and_the_game_goes_on_all_is_one_commit() -> None:
    table = small_duel().play("3A")
    change = table.move("3B")
    assert_moved(table, change, "3B (pass) (pass)")
    assert change.match.position.turn == 1
    assert change.match.running


def test_when_both_pass_and_the_game_ends_all_is_one_commit() -> None:
    table = small_duel().play("3A 1B 2B")
    change = table.move("3B")
    assert_moved(table, change, "3B (pass) (pass)")
    assert_finished(change, 0, "lower_sum", score=(1, 0), match_winner=0)
    assert isinstance(change.happened[-1], Finished) and len(change.happened) == 4


def test_the_next_ply_counts_the_passes() -> None:
    table = small_duel().play("3A 2B")
    assert_refused(table, Move(BOB, 1, 2, "3B"), "stale_ply", ply=3)
    assert_moved(table, table.do(Move(BOB, 1, 3, "3B")), "3B (pass) (pass)")


# The end of a game, and of somebody's time


def test_a_winning_move_ends_the_round_and_stops_the_clocks() -> None:
    table = seated(first=1).wait(1_000)
    change = table.move("1")
    assert_moved(table, change, "1")
    assert_finished(change, 1, "no_moves", score=(0, 1), match_winner=1)
    assert change.match.clocks == Clocks((180_000, 181_000), None, NOW + 1_000)


def test_a_number_that_breaks_the_rules_of_a_strict_chain_is_a_move_and_loses() -> None:
    table = seated("chain").play("2")
    change = table.move("3")
    assert_moved(table, change, "3")
    assert_finished(change, 0, "invalid_move", score=(1, 0), match_winner=0)
    assert_repeated(table, Move(BOB, 1, 1, "3"), 5)


def test_a_move_after_the_flag_ends_the_round_by_timeout_and_is_refused() -> None:
    table = seated(rounds=2).play("2").wait(BLITZ.initial_ms)
    late = table.next_move("3")
    change = table.do(late)
    assert change.refusal is not None and change.refusal.code == "game_over"
    assert change.refusal.sentence == "Your time was up."
    assert_finished(change, 0, "timeout", score=(1, 0), match_over=False)
    assert change.match.position == table.match.position
    assert len(change.match.position.moves) == 1
    assert change.match.clocks == Clocks((182_000, 0), None, table.now)
    assert "ran out of time" in assert_refused(table, late, "game_over")


def test_a_move_that_was_on_its_way_when_the_flag_fell_counts() -> None:
    table = seated(clock=Clock(10_000, 0)).wait(10_400)
    assert_moved(table, table.move("2", credit_ms=401), "2")


def test_a_late_move_that_is_illegal_too_is_refused_and_the_flag_is_left_to_the_clock() -> None:
    table = seated().play("2").wait(BLITZ.initial_ms)
    assert_refused(table, table.next_move("6"), "illegal_move")


def test_no_move_is_late_in_an_untimed_game() -> None:
    table = seated(clock=None).wait(6 * 86_400_000)
    assert_moved(table, table.move("2"), "2")


def test_every_game_is_played_through_the_same_door() -> None:
    games: dict[str, str] = {
        "strangers": "2 3 2 3",
        "relatives": "6 3 9 1 2 4 8",
        "duel": "2A 1B 3A 2B 4A 3B 5A 4B 1C",
        "chain": "2 4 14 28 42 84 168 336 672",
        "builder": "5 4 4 5 3 3 3 2 2 3 3",
    }
    for game, moves in games.items():
        table: Table = seated(game).play(moves)
        assert [move.text for move in table.match.position.moves] == moves.split()
