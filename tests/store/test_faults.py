"""What becomes of commands when the store or the way to it fails."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from store.conftest import Open
from store.hall import Hall, assert_committed, eventually
from store.valkey import Valkey
from towerhall_server.store import Commit, Kept, NoAnswer, Unavailable, Unknown
from towerhall_server.store.faults import StoreBroken, fault_of


async def test_flushed_scripts_are_not_noticed(server: Valkey, hall: Hall) -> None:
    first = await hall.make_room()
    server.call("SCRIPT", "FLUSH")
    second = hall.next(first)
    assert_committed(await hall.store.commit(second), second)
    server.call("SCRIPT", "FLUSH")
    assert await hall.store.pulse() == []
    assert (await hall.store.read_presence(first.room)).watchers == 0


async def test_many_commits_at_once_survive_flushed_scripts(server: Valkey, hall: Hall) -> None:
    server.call("SCRIPT", "FLUSH")
    firsts = [hall.first() for _ in range(100)]
    answers = await asyncio.gather(*map(hall.store.commit, firsts))
    for first, answer in zip(firsts, answers, strict=True):
        assert_committed(answer, first)


async def test_what_is_in_flight_when_the_connection_dies_is_unknown(
    server: Valkey, hall: Hall
) -> None:
    first = await hall.make_room()
    server.call("CLIENT", "PAUSE", 10_000, "WRITE")
    try:
        commits = [hall.store.commit(hall.next(first)) for _ in range(3)]
        tasks = [asyncio.create_task(commit) for commit in commits]
        await asyncio.sleep(0.05)
        server.kill_clients("normal")
        answers = await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        server.call("CLIENT", "UNPAUSE")
    assert [type(answer) for answer in answers] == [Unknown] * 3
    await settled(hall, hall.next(first))


async def test_a_killed_connection_is_made_again(server: Valkey, hall: Hall) -> None:
    first = await hall.make_room()
    epoch = hall.store.epoch
    assert server.kill_clients("normal") >= 1
    await settled(hall, hall.next(first))
    assert hall.store.epoch == epoch
    assert hall.store.ready


async def settled(hall: Hall, commit: Commit) -> None:
    """Commit it, again after Unknown as a referee does, until the room is where it leads."""
    while True:
        try:
            await hall.store.commit(replace(commit, now=hall.store.now(commit.room)))
            found = await hall.store.load(commit.room)
        except NoAnswer:
            continue
        if found == Kept(commit.seq + len(commit.events), commit.state, []):
            return


async def test_a_waiter_that_gives_up_does_not_shift_the_replies(hall: Hall) -> None:
    rooms = [await hall.make_room() for _ in range(20)]
    seconds = [hall.next(room, b"%d" % number) for number, room in enumerate(rooms)]
    await asyncio.gather(*map(hall.store.commit, seconds))
    loads = [asyncio.create_task(hall.store.load(room.room)) for room in rooms]
    await asyncio.sleep(0)
    for task in loads[::2]:
        task.cancel()
    answers = await asyncio.gather(*loads, return_exceptions=True)
    assert answers[1::2] == [Kept(2, b"%d" % number, []) for number in range(1, 20, 2)]
    assert all(isinstance(answer, asyncio.CancelledError) for answer in answers[::2])


async def test_a_frozen_store_makes_the_node_unready_and_then_goes_on(
    own_server: Valkey, open_hall: Open
) -> None:
    hall = await open_hall(own_server, "a", True)
    first = await hall.make_room()
    await hall.store.subscribe(first.room)
    second = replace(hall.next(first), once="m")
    own_server.freeze()
    frozen_at = time.monotonic()
    with pytest.raises(Unknown):
        await hall.store.commit(second)
    assert time.monotonic() - frozen_at < 3.0
    assert not hall.store.ready
    with pytest.raises(Unavailable):
        await hall.store.load(first.room)
    with pytest.raises(NoAnswer):
        await hall.store.seats(first.room)
    own_server.thaw()
    await eventually(lambda: hall.store.ready)
    await settled(hall, second)
    assert [number for number, _ in await hall.store.log(first.room, 0)] == [1, 2]
    # Its wake-ups may have outlived the silence; if not, that is told.
    await eventually(lambda: hall.gaps > 0 or bool(hall.payloads))


async def test_a_killed_store_comes_back_with_everything_and_time_stood_still(
    own_server: Valkey, open_hall: Open
) -> None:
    hall = await open_hall(own_server, "a", True)
    first = await hall.make_room()
    player = await hall.store.create_player("00" * 32, "Ada")
    epoch, stood = hall.store.epoch, hall.store.now(first.room)
    own_server.kill()
    await asyncio.sleep(2.5)
    assert not hall.store.ready
    own_server.start()
    back_at = time.monotonic()
    await eventually(lambda: hall.store.ready and hall.store.now(first.room).down_ms > 0)
    now = hall.store.now(first.room)
    assert -1000 <= now.now_ms - stood.now_ms < 1000
    assert 2000 < now.down_ms - stood.down_ms < 4000
    assert time.monotonic() - back_at < 2.0
    assert hall.store.epoch != epoch
    assert await hall.store.load(first.room) == Kept(1, b"new", [])
    assert await hall.store.find_player("00" * 32, None) == (player, "Ada")
    second = hall.next(first)
    assert_committed(await hall.store.commit(second), second)
    await eventually(lambda: hall.gaps > 0)


@pytest.mark.parametrize(
    "error",
    [
        "LOADING the dataset",
        "READONLY you can't write",
        "MISCONF errors writing to the AOF",
        "ERR Error running script (call to f_1): @user_script:3: -OOM command not allowed",
    ],
)
def test_what_the_store_leaves_undone_is_unavailable(error: str) -> None:
    assert isinstance(fault_of(error), Unavailable)


def test_another_error_is_a_broken_store() -> None:
    assert isinstance(fault_of("WRONGTYPE not a hash"), StoreBroken)
    assert isinstance(fault_of("ERR no OOM here"), StoreBroken)
