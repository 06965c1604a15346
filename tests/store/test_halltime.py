"""The hall's time on a node, from replies alone."""

import random

from towerhall_server.store.halltime import SILENT_MS, HallClock, HallTime


def clock_at(hall_ms: int, at_s: float, down_ms: int = 0) -> HallClock:
    clock = HallClock(1)
    clock.hear(0, hall_ms, down_ms, at_s, pulse=True)
    return clock


def test_time_goes_on_between_replies() -> None:
    clock = clock_at(5000, 10.0)
    assert clock.now(0, 10.0) == HallTime(5000, 0)
    assert clock.now(0, 10.25) == HallTime(5250, 0)


def test_before_the_first_reply_there_is_no_time() -> None:
    assert HallClock(1).now(0, 10.0) == HallTime(0, 0)


def test_shards_have_times_of_their_own() -> None:
    clock = HallClock(2)
    clock.hear(0, 5000, 0, 10.0)
    clock.hear(1, 3000, 2000, 10.0)
    assert clock.now(0, 10.1) == HallTime(5100, 0)
    assert clock.now(1, 10.1) == HallTime(3100, 2000)


def test_a_delayed_reply_does_not_set_it_back() -> None:
    clock = clock_at(5000, 10.0)
    clock.hear(0, 5100, 0, 10.4)
    assert clock.now(0, 10.5).now_ms == 5500


def test_a_quicker_reply_corrects_a_delayed_one() -> None:
    clock = clock_at(5000, 10.3)
    clock.hear(0, 5200, 0, 10.2)
    assert clock.now(0, 10.5).now_ms == 5500


def test_a_pulse_starts_anew_but_time_does_not_go_back() -> None:
    clock = clock_at(5000, 10.0)
    assert clock.now(0, 11.0).now_ms == 6000
    clock.hear(0, 5900, 0, 11.0, pulse=True)
    assert clock.now(0, 11.0).now_ms == 6000
    assert clock.now(0, 11.2).now_ms == 6100


def test_without_replies_it_stands_still_after_two_seconds() -> None:
    clock = clock_at(5000, 10.0)
    assert clock.now(0, 60.0).now_ms == 5000 + SILENT_MS


def test_another_downtime_takes_it_back_to_where_the_hall_stood() -> None:
    clock = clock_at(5000, 10.0)
    assert clock.now(0, 30.0).now_ms == 7000
    clock.hear(0, 5300, 19_700, 30.0, pulse=True)
    assert clock.now(0, 30.1) == HallTime(5400, 19_700)


def test_it_never_goes_back_and_is_never_early() -> None:
    dice = random.Random(7)
    clock = clock_at(0, 0.0)
    at_ms, latest = 0.0, 0
    for _ in range(5000):
        at_ms += dice.uniform(0, 200)
        delay_ms = dice.expovariate(1 / 20)
        sent = int(max(0.0, at_ms - delay_ms))
        clock.hear(0, sent, 0, at_ms / 1000, pulse=dice.random() < 0.2)
        now = clock.now(0, at_ms / 1000).now_ms
        assert latest <= now <= at_ms
        latest = now
