import pytest
from hypothesis import given
from hypothesis import strategies as st

from match.table import BLITZ, NOW
from towerhall_server.games import Seat
from towerhall_server.match.clock import (
    GRACE_MS,
    Clock,
    Clocks,
    flag_at,
    left,
    press,
    start,
    stop,
)

BULLET = Clock(10_000, 2_000)
STARTED = start(BLITZ, 1, NOW)


def pressed(
    used: int, credit: int = 0, clock: Clock = BULLET, turn: Seat | None = 1
) -> Clocks | None:
    """Seat 0 moves after so many milliseconds of its first turn."""
    return press(start(clock, 0, NOW), clock, NOW + used, credit, turn)


def test_at_the_start_both_have_all_their_time_and_the_first_mover_s_runs() -> None:
    assert start(BLITZ, 1, NOW) == Clocks((180_000, 180_000), 1, NOW)


def test_only_the_running_clock_loses_time() -> None:
    assert left(STARTED, 1, NOW + 1_234) == 180_000 - 1_234
    assert left(STARTED, 0, NOW + 1_234) == 180_000


def test_what_is_left_is_below_zero_for_who_has_overstepped() -> None:
    assert left(STARTED, 1, NOW + 180_001) == -1


def test_time_does_not_run_backwards() -> None:
    assert left(STARTED, 1, NOW - 50) == 180_000
    assert press(STARTED, BLITZ, NOW - 50, 0, 0) == Clocks((180_000, 182_000), 0, NOW - 50)


def test_the_flag_falls_when_the_running_clock_is_at_zero() -> None:
    flag = flag_at(STARTED)
    assert flag == NOW + 180_000
    assert left(STARTED, 1, flag) == 0


def test_a_stopped_clock_has_no_flag() -> None:
    assert flag_at(stop(STARTED, NOW)) is None


def test_a_move_takes_its_time_earns_the_increment_and_starts_the_opponent_s_clock() -> None:
    assert pressed(3_000) == Clocks((9_000, 10_000), 1, NOW + 3_000)


def test_the_clock_runs_on_for_who_moves_again() -> None:
    assert pressed(3_000, turn=0) == Clocks((9_000, 10_000), 0, NOW + 3_000)


def test_after_the_last_move_no_clock_runs() -> None:
    assert pressed(3_000, turn=None) == Clocks((9_000, 10_000), None, NOW + 3_000)


@pytest.mark.parametrize(
    ("credit", "given_back"),
    [(0, 0), (120, 120), (GRACE_MS, GRACE_MS), (GRACE_MS + 1, GRACE_MS), (9_999, GRACE_MS)],
)
def test_a_slow_line_is_given_back_up_to_the_grace(credit: int, given_back: int) -> None:
    assert pressed(3_000, credit) == Clocks((9_000 + given_back, 10_000), 1, NOW + 3_000)


def test_no_more_is_given_back_than_was_used() -> None:
    assert pressed(80, 300) == Clocks((12_000, 10_000), 1, NOW + 80)


@pytest.mark.parametrize("credit", [0, 1, 499, 500, 501])
def test_time_is_up_at_zero_and_not_a_millisecond_before(credit: int) -> None:
    last = 9_999 + min(credit, GRACE_MS)
    assert pressed(last, credit) == Clocks((2_001, 10_000), 1, NOW + last)
    assert pressed(last + 1, credit) is None


def test_the_increment_does_not_save_who_has_overstepped() -> None:
    assert pressed(10_000, clock=Clock(10_000, 60_000)) is None


def test_stopping_keeps_what_is_left() -> None:
    assert stop(STARTED, NOW + 500) == Clocks((180_000, 179_500), None, NOW + 500)


def test_a_clock_that_is_stopped_late_shows_zero() -> None:
    assert stop(STARTED, NOW + 999_999).remaining_ms == (180_000, 0)


def test_stopping_twice_is_stopping_once() -> None:
    stopped = stop(STARTED, NOW + 500)
    assert stop(stopped, NOW + 9_000) == stopped


turns = st.tuples(
    st.integers(0, 20_000),
    st.integers(0, 1_000),
    st.sampled_from((0, 1)),
)


@given(
    clock=st.builds(Clock, st.integers(1_000, 60_000), st.integers(0, 5_000)),
    played=st.lists(turns, max_size=30),
)
def test_no_time_is_lost_and_none_is_made(
    clock: Clock, played: list[tuple[int, int, Seat]]
) -> None:
    """What is left and what was used make what was given: both clocks, and the increments."""
    clocks, now, used, earned = start(clock, 0, NOW), NOW, 0, 0
    for elapsed, credit, turn in played:
        now += elapsed
        charged = elapsed - min(credit, GRACE_MS, elapsed)
        mover = clocks.running
        assert mover is not None
        after = press(clocks, clock, now, credit, turn)
        assert (after is None) == (charged >= clocks.remaining_ms[mover])
        if after is None:
            break
        used, earned, clocks = used + charged, earned + clock.increment_ms, after
        assert sum(clocks.remaining_ms) + used - earned == 2 * clock.initial_ms
        assert min(clocks.remaining_ms) > 0
        assert clocks.at_ms == now and clocks.running == turn


@given(
    remaining=st.tuples(st.integers(1, 60_000), st.integers(1, 60_000)),
    running=st.sampled_from((0, 1)),
    elapsed=st.integers(0, 120_000),
)
def test_only_who_oversteps_is_below_zero_and_exactly_from_the_flag_on(
    remaining: tuple[int, int], running: Seat, elapsed: int
) -> None:
    clocks, now = Clocks(remaining, running, NOW), NOW + elapsed
    flag = flag_at(clocks)
    assert flag is not None
    assert left(clocks, running, now) == flag - now
    assert left(clocks, 1 if running == 0 else 0, now) > 0
    stopped = stop(clocks, now)
    assert min(stopped.remaining_ms) >= 0
    assert (stopped.remaining_ms[running] == 0) == (now >= flag)
