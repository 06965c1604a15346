"""A commit does all of its parts, or none."""

import asyncio

import pytest
from msgspec.structs import replace

from store.hall import Hall, assert_committed, eventually
from store.valkey import Valkey
from towerhall_server.store import (
    CodeTaken,
    Commit,
    HallTime,
    Kept,
    Publication,
    Repeated,
    Stale,
    WrongTime,
    new_code,
    new_room,
    read_payload,
)
from towerhall_server.store.keys import code_key, keys_of_room


async def test_a_commit_writes_logs_times_lists_and_tells(server: Valkey, hall: Hall) -> None:
    store, code = hall.store, new_code()
    room = new_room(code)
    await store.subscribe(room)
    commit = replace(
        hall.first(room), events=[b"one", b"two"], code=code, deadline_ms=7, record=(3, b"score")
    )
    assert_committed(await store.commit(commit), commit)
    assert await store.load(room) == Kept(2, b"new", [])
    assert await store.find_code(code) == (room, 0)
    assert await store.log(room, 0) == [(1, b"one"), (2, b"two")]
    assert await store.log(room, 1) == [(2, b"two")]
    assert await store.record(room, 3) == b"score"
    assert await store.record(room, 4) is None
    assert await store.live_rooms() == [room]
    assert server.call("ZSCORE", keys_of_room(room).deadlines, room) == 7
    await eventually(lambda: bool(hall.payloads))
    told_room, payload = hall.payloads[0]
    assert told_room == room
    assert read_payload(payload) == Publication("a", store.epoch, 2, [b"one", b"two"])


async def test_a_room_that_is_over_leaves_the_list_and_the_deadlines(
    server: Valkey, hall: Hall
) -> None:
    first = replace(hall.first(), deadline_ms=7)
    await hall.store.commit(first)
    last = replace(hall.next(first), live=False, deadline_ms=None)
    assert_committed(await hall.store.commit(last), last)
    assert await hall.store.live_rooms() == []
    assert server.call("ZCARD", keys_of_room(first.room).deadlines) == 0
    rematch = replace(hall.next(last), live=True)
    assert_committed(await hall.store.commit(rematch), rematch)
    assert await hall.store.live_rooms() == [first.room]


async def test_a_commit_on_an_old_number_is_stale_and_changes_nothing(hall: Hall) -> None:
    first = await hall.make_room()
    second = hall.next(first)
    await hall.store.commit(second)
    assert await hall.store.commit(hall.next(first, b"late")) == Stale(2)
    assert await hall.store.load(first.room) == Kept(2, b"next", [])
    assert [number for number, _ in await hall.store.log(first.room, 0)] == [1, 2]


async def test_a_room_is_made_once(hall: Hall) -> None:
    first = await hall.make_room()
    assert await hall.store.commit(first) == Stale(1)


async def test_a_commit_to_no_room_is_stale(hall: Hall) -> None:
    assert await hall.store.commit(hall.next(hall.first())) == Stale(0)


async def test_of_many_rivals_one_wins(hall: Hall) -> None:
    first = await hall.make_room()
    rivals = [hall.next(first, b"%d" % number) for number in range(50)]
    answers = await asyncio.gather(*map(hall.store.commit, rivals))
    assert answers.count(Stale(2)) == 49
    assert await hall.store.load(first.room) == Kept(2, b"0", [])


async def test_a_repeated_commit_is_told_the_same_number(hall: Hall) -> None:
    first = await hall.make_room()
    second = replace(hall.next(first), once="move 1", events=[b"moved", b"won"])
    assert_committed(await hall.store.commit(second), second)
    again = replace(hall.next(second), once="move 1")
    assert await hall.store.commit(again) == Repeated(2)
    assert await hall.store.load(first.room) == Kept(3, b"next", [])


async def test_a_taken_code_is_refused_and_nothing_is_made(hall: Hall) -> None:
    code = new_code()
    first = replace(hall.first(new_room(code)), code=code)
    rival = replace(hall.first(new_room(code)), code=code)
    assert_committed(await hall.store.commit(first), first)
    assert await hall.store.commit(rival) == CodeTaken()
    assert await hall.store.load(rival.room) is None
    assert await hall.store.find_code(code) == (first.room, 0)


async def test_a_room_keeps_its_own_code(hall: Hall) -> None:
    code = new_code()
    first = replace(hall.first(new_room(code)), code=code)
    await hall.store.commit(first)
    second = replace(hall.next(first), code=code)
    assert_committed(await hall.store.commit(second), second)


async def test_the_time_to_live_is_set_left_and_taken_back(server: Valkey, hall: Hall) -> None:
    code = new_code()
    first = replace(hall.first(new_room(code)), code=code, keep_ms=60_000, record=(1, b"r"))
    await hall.store.commit(first)
    keys = keys_of_room(first.room)
    names = (keys.room, keys.log, keys.records, code_key(code))
    assert all(59_000 < server.call("PTTL", name) <= 60_000 for name in names)
    second = replace(hall.next(first), keep_ms=None)
    await hall.store.commit(second)
    assert all(59_000 < server.call("PTTL", name) <= 60_000 for name in names)
    third = replace(hall.next(second), keep_ms=0)
    await hall.store.commit(third)
    assert all(server.call("PTTL", name) == -1 for name in names)


async def test_a_commit_without_events_is_a_mistake(hall: Hall) -> None:
    with pytest.raises(ValueError, match="at least one event"):
        await hall.store.commit(replace(hall.first(), events=[]))


def _off_by(commit: Commit, now_ms: int = 0, down_ms: int = 0) -> Commit:
    now = HallTime(commit.now.now_ms + now_ms, commit.now.down_ms + down_ms)
    return replace(commit, now=now)


@pytest.mark.parametrize(("now_ms", "down_ms"), [(1500, 0), (-3000, 0), (0, 1)])
async def test_a_commit_at_another_time_is_refused_with_the_true_one(
    hall: Hall, now_ms: int, down_ms: int
) -> None:
    first = hall.first()
    answer = await hall.store.commit(_off_by(first, now_ms, down_ms))
    assert isinstance(answer, WrongTime)
    assert abs(answer.now.now_ms - first.now.now_ms) < 500
    assert answer.now.down_ms == first.now.down_ms
    assert await hall.store.load(first.room) is None


async def test_a_commit_a_little_off_is_accepted(hall: Hall) -> None:
    first = _off_by(hall.first(), now_ms=-800)
    assert_committed(await hall.store.commit(first), first)


async def test_a_shard_without_a_pulse_sleeps_and_a_commit_wakes_it(
    server: Valkey, hall: Hall
) -> None:
    first = hall.first()
    pulse = keys_of_room(first.room).pulse
    last = int(server.call("HGET", pulse, "last"))
    server.call("HSET", pulse, "last", last - 3000)
    answer = await hall.store.commit(first)
    assert isinstance(answer, WrongTime)
    assert answer.now == HallTime(last - 3000, 0)
    again = hall.first(first.room)
    assert again.now.down_ms >= 3000
    assert again.now.now_ms - (last - 3000) < 500
    assert_committed(await hall.store.commit(again), again)


async def test_a_repeated_commit_is_known_at_any_time(hall: Hall) -> None:
    first = replace(hall.first(), once="x")
    await hall.store.commit(first)
    assert await hall.store.commit(_off_by(first, now_ms=9999)) == Repeated(1)


async def test_a_log_keeps_about_the_last_thousand(hall: Hall) -> None:
    first = replace(hall.first(), events=[b"%d" % number for number in range(1300)])
    await hall.store.commit(first)
    log = await hall.store.log(first.room, 0)
    assert 1000 <= len(log) <= 1200
    assert log[-1] == (1300, b"1299")


async def test_what_is_no_id_is_no_room(hall: Hall) -> None:
    for text in ("", "K7Q2MX", "zz" + "0" * 18, "7f" + "0" * 18, "../" * 7):
        assert await hall.store.load(text) is None


async def test_a_room_that_is_gone_is_forgotten(server: Valkey, hall: Hall) -> None:
    first = replace(hall.first(), deadline_ms=7)
    await hall.store.commit(first)
    server.call("DEL", keys_of_room(first.room).room)
    await hall.store.forget(first.room)
    assert await hall.store.live_rooms() == []
    assert await hall.store.pulse() == []


async def test_a_state_that_is_not_stored_again_is_kept_with_the_events_since(hall: Hall) -> None:
    first = await hall.make_room()
    second = replace(hall.next(first, b""), events=[b"two", b"three"])
    third = hall.next(second, b"")
    for commit in (second, third):
        assert_committed(await hall.store.commit(commit), commit)
    assert await hall.store.load(first.room) == Kept(4, b"new", [b"two", b"three", b"event 4"])
    fourth = hall.next(third, b"whole")
    assert_committed(await hall.store.commit(fourth), fourth)
    assert await hall.store.load(first.room) == Kept(5, b"whole", [])


async def test_a_room_of_a_version_that_stored_the_state_each_time_goes_on(
    server: Valkey, hall: Hall
) -> None:
    first = await hall.make_room()
    server.call("HDEL", keys_of_room(first.room).room, "stored")
    assert await hall.store.load(first.room) == Kept(1, b"new", [])
    second = hall.next(first, b"")
    assert_committed(await hall.store.commit(second), second)
    assert await hall.store.load(first.room) == Kept(2, b"new", [b"event 2"])
