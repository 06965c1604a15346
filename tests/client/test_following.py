"""Events once and in order; what is missing is noticed, and asked for once."""

from protocol.examples import SNAPSHOT
from towerhall_client.backoff import LONGEST_S, BackOff
from towerhall_client.following import Following
from towerhall_client.hall_clock import HallClock
from towerhall_protocol.events import Said
from towerhall_protocol.replies import Beat, Events
from towerhall_protocol.requests import Since

ROOM, EPOCH, SEQ = SNAPSHOT.room, SNAPSHOT.epoch, SNAPSHOT.seq


def said(seq: int, epoch: str = EPOCH) -> Said:
    return Said(room=ROOM, epoch=epoch, seq=seq, at_ms=0, seat=0, name="ann", text=str(seq))


def following() -> Following:
    rooms = Following()
    rooms.snapshot(SNAPSHOT)
    return rooms


def test_the_next_event_is_taken_once() -> None:
    rooms = following()
    assert rooms.event(said(SEQ + 1))
    assert not rooms.event(said(SEQ + 1))
    assert not rooms.event(said(SEQ))
    assert rooms.behind(said(SEQ)) == []


def test_a_gap_is_noticed_and_asked_for_once() -> None:
    rooms = following()
    assert not rooms.event(said(SEQ + 2))
    assert rooms.behind(said(SEQ + 2)) == [ROOM]
    assert rooms.behind(said(SEQ + 3)) == []
    watch = rooms.resume(ROOM, 7)
    assert (watch.room, watch.since) == (SNAPSHOT.code, Since(epoch=EPOCH, seq=SEQ))
    missed = Events(room=ROOM, epoch=EPOCH, events=[said(SEQ + n) for n in (1, 2, 3)])
    assert [event.seq for event in rooms.caught_up(missed)] == [SEQ + 1, SEQ + 2, SEQ + 3]


def test_a_beat_shows_that_something_was_missed() -> None:
    rooms = following()
    assert rooms.behind(Beat(now_ms=0, rooms={ROOM: SEQ, "another": 99})) == []
    assert rooms.behind(Beat(now_ms=0, rooms={ROOM: SEQ + 1})) == [ROOM]


def test_another_epoch_is_never_compared() -> None:
    rooms = following()
    assert not rooms.event(said(SEQ + 1, epoch="another"))
    assert rooms.behind(said(1, epoch="another")) == [ROOM]


def test_a_question_that_failed_is_asked_again_at_the_next_sign() -> None:
    rooms = following()
    assert rooms.behind(said(SEQ + 2)) == [ROOM]
    rooms.gave_up(ROOM)
    assert rooms.behind(said(SEQ + 2)) == [ROOM]


def test_everything_is_resumed_after_a_new_connection_and_nothing_forgotten() -> None:
    rooms = following()
    assert rooms.resume_all() == [ROOM]
    rooms.forget(ROOM)
    assert rooms.resume_all() == []
    assert rooms.behind(said(SEQ + 2)) == []


def test_pauses_grow_and_differ() -> None:
    one, two = BackOff(), BackOff()
    pauses = [one.pause() for _ in range(12)]
    assert pauses != [two.pause() for _ in range(12)]
    assert all(pause <= LONGEST_S for pause in pauses)
    assert pauses[0] < 0.6
    assert pauses[-1] >= LONGEST_S / 2


def test_hall_time_is_the_latest_that_was_heard_until_it_stood_still() -> None:
    clock = HallClock()
    clock.set(10_000, here_s=1.0)
    clock.set(10_950, here_s=2.0)  # 50 ms late: the first reading was nearer
    assert clock.now_ms(here_s=2.0) == 11_000
    clock.set(12_100, here_s=3.0)  # it was even later than thought
    assert clock.now_ms(here_s=3.0) == 12_100
    clock.set(12_100, here_s=30.0)  # the hall was down
    assert clock.now_ms(here_s=31.0) == 13_100
