"""What time does by itself: flags, rounds that begin, rooms that nobody finishes."""

import pytest

from match.assertions import assert_finished, assert_nothing_is_due, only
from match.table import ANN, BOB, NOW, Table, opened, seated
from towerhall_server.lifetimes import Lifetimes
from towerhall_server.match.actions import Rematch, Say, Sit, Tick
from towerhall_server.match.clock import GRACE_MS, Clock, Clocks
from towerhall_server.match.happenings import Closed, Finished, Started
from towerhall_server.match.machine import deadline

WEEK_MS = 7 * 86_400_000


def due(table: Table) -> int:
    at = deadline(table.match)
    assert at is not None
    return at


def test_the_flag_is_carried_out_exactly_half_a_second_after_it_fell() -> None:
    assert GRACE_MS == 500
    table = seated(clock=Clock(10_000, 0)).wait(10_499)
    assert_nothing_is_due(table, Tick())
    change = table.wait(1).do(Tick())
    assert_finished(change, 1, "timeout", score=(0, 1), match_winner=1)
    assert only(change, Finished).text == "Player 1 ran out of time: Player 2 wins."
    assert change.match.clocks == Clocks((0, 10_000), None, NOW + 10_500)


def test_the_flag_is_that_of_whoever_is_to_move() -> None:
    table = seated(clock=Clock(10_000, 0)).wait(9_000).play("2").wait(10_499)
    assert_nothing_is_due(table, Tick())
    assert_finished(table.wait(1).do(Tick()), 0, "timeout", score=(1, 0), match_winner=0)


def test_a_flag_that_fell_is_not_carried_out_twice() -> None:
    table = seated().wait(1_000_000)
    table.do(Tick())
    assert_nothing_is_due(table.wait(1_000_000), Tick())


def test_an_untimed_round_ends_after_seven_days_without_a_move() -> None:
    table = seated(clock=None, rounds=4).wait(WEEK_MS - 1).play("2")
    assert_nothing_is_due(table.wait(WEEK_MS - 1), Tick())
    change = table.wait(1).do(Tick())
    assert_finished(change, None, "aborted", score=(0, 0))
    assert only(change, Finished).text == "Nobody moved for 7 days."


@pytest.mark.parametrize("played", ["2 3", "2 3 4"])
def test_who_lets_a_match_lie_that_both_play_has_left_it(played: str) -> None:
    table = seated(clock=None, rounds=4).play(played)
    turn = table.match.position.turn
    change = table.wait(WEEK_MS).do(Tick())
    assert_finished(change, 1 - turn, "abandoned", score=(turn, 1 - turn), match_winner=1 - turn)
    text = f"Player {turn + 1} did not move for 7 days: Player {2 - turn} wins."
    assert only(change, Finished).text == text


def test_talking_is_not_playing() -> None:
    table = seated(clock=None).wait(WEEK_MS - 1)
    at = due(table)
    table.do(Say(ANN, "ann", "Bob?"))
    assert due(table) == at
    assert_finished(table.wait(1).do(Tick()), None, "aborted", score=(0, 0))


def test_an_open_room_is_due_an_hour_after_it_was_made() -> None:
    table = opened()
    assert due(table) == NOW + 3_600_000
    only(table.wait(3_600_000).do(Tick()), Closed)


def test_a_timed_round_is_due_at_its_flag() -> None:
    table = seated(clock=Clock(10_000, 3_000))
    assert due(table) == NOW + 10_000
    table.wait(1_000).play("2")
    assert due(table) == NOW + 11_000
    table.wait(1_000).play("3")
    assert due(table) == NOW + 2_000 + 12_000


def test_an_untimed_round_is_due_seven_days_after_its_last_move() -> None:
    table = seated(clock=None).wait(5_000)
    assert due(table) == NOW + WEEK_MS
    table.play("2")
    assert due(table) == NOW + 5_000 + WEEK_MS


def test_an_untimed_round_without_a_move_is_due_seven_days_after_its_start() -> None:
    table = opened(clock=None).wait(5_000)
    table.do(Sit(BOB, "bob"))
    assert due(table) == NOW + 5_000 + WEEK_MS


def test_the_next_round_is_due_early_by_the_grace_so_that_it_starts_on_time() -> None:
    table = seated(rounds=2)
    change = table.win(0)
    assert change.match.next_ms == due(table) + GRACE_MS
    only(table.next_round(), Started)


@pytest.mark.parametrize("clock", [Clock(10_000, 0), None])
def test_nothing_is_due_when_the_match_is_over(clock: Clock | None) -> None:
    table = seated(clock=clock)
    table.win(0)
    assert deadline(table.match) is None
    table.do(Rematch(ANN, 1))
    assert deadline(table.match) is None
    assert_nothing_is_due(table.wait(10 * WEEK_MS), Tick())


def test_joining_ends_the_wait_for_somebody_to_join() -> None:
    table = opened(clock=None).wait(3_599_999)
    table.do(Sit(BOB, "bob"))
    assert_nothing_is_due(table.wait(1), Tick())


SHORT = Lifetimes(open_ms=2_000, idle_ms=9_000)


def test_a_host_may_have_open_rooms_closed_sooner() -> None:
    table = opened().wait(2_000)
    assert_nothing_is_due(table, Tick())
    assert deadline(table.match, SHORT) == NOW + 2_000
    assert only(table.do(Tick(SHORT)), Closed).reason == "expired"


def test_a_host_may_have_idle_games_aborted_sooner() -> None:
    table = seated(clock=None).wait(1_000).play("2").wait(8_999)
    assert deadline(table.match, SHORT) == NOW + 10_000
    assert_nothing_is_due(table, Tick(SHORT))
    change = table.wait(1).do(Tick(SHORT))
    assert_finished(change, None, "aborted", score=(0, 0))
    assert only(change, Finished).text == "Nobody moved for 9 s."
