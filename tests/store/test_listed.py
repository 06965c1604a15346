"""The lobby's lists: what the rooms' own scripts write, and how the shards' are put together."""

from msgspec.structs import replace

from store.hall import Hall, assert_committed
from store.valkey import Valkey
from towerhall_server.store import Commit, shard_of
from towerhall_server.store.keys import keys_of_shard
from towerhall_server.store.listed import PER_SHARD


async def open_room(hall: Hall, shard: int | None = None) -> Commit:
    first = hall.first()
    while shard is not None and shard_of(first.room) != shard:
        first = hall.first()
    first = replace(first, shown="open")
    assert_committed(await hall.store.commit(first), first)
    return first


async def start(hall: Hall, before: Commit) -> Commit:
    started = replace(hall.next(before), shown="games")
    assert_committed(await hall.store.commit(started), started)
    return started


async def names(hall: Hall, kind: str, most: int = 100) -> list[str]:
    return [one.room for one in getattr(await hall.store.lists.read(most, own=0), kind)]


async def test_a_room_is_in_the_list_that_its_commit_says(hall: Hall) -> None:
    opened = await open_room(hall)
    assert await names(hall, "open") == [opened.room]
    started = await start(hall, opened)
    assert (await names(hall, "open"), await names(hall, "newest")) == ([], [opened.room])
    over = replace(hall.next(started), live=False, shown=None)
    assert_committed(await hall.store.commit(over), over)
    assert await names(hall, "newest") == []


async def test_a_room_that_is_not_shown_is_in_no_list(hall: Hall) -> None:
    await hall.make_room()
    assert (await names(hall, "open"), await names(hall, "newest")) == ([], [])


async def test_watched_matches_are_listed_while_they_are_watched_and_on(hall: Hall) -> None:
    one, other = [await start(hall, await open_room(hall)) for _ in range(2)]
    waiting = await open_room(hall)
    for commit, watchers in ((one, 1), (other, 2), (waiting, 3)):
        await hall.store.presence(commit.room, (True, False), watchers)
    assert await names(hall, "watched") == [other.room, one.room]
    await hall.store.presence(one.room, (True, False), 0)
    assert await names(hall, "watched") == [other.room]
    over = replace(hall.next(other), live=False, shown=None)
    assert_committed(await hall.store.commit(over), over)
    assert await names(hall, "watched") == []


async def test_the_newest_comes_first_whatever_the_shards_slept_through(
    hall: Hall, server: Valkey
) -> None:
    first = await open_room(hall, shard=1)
    # Shards stand still each by itself: their hall times may be far apart.
    server.call("HINCRBY", keys_of_shard(2).pulse, "down", 60_000)
    await hall.store.pulse()
    second = await open_room(hall, shard=2)
    assert await names(hall, "open") == [second.room, first.room]


async def test_a_shard_with_many_of_the_newest_is_read_to_the_end(hall: Hall) -> None:
    older = [await open_room(hall, shard=7) for _ in range(3)]
    newer = [await open_room(hall, shard=5) for _ in range(PER_SHARD + 6)]
    wanted = [commit.room for commit in reversed(newer)]
    assert set(await names(hall, "open", most=len(newer))) == set(wanted)
    every = await names(hall, "open")
    assert set(every[: len(newer)]) == set(wanted)
    assert {commit.room for commit in older} == set(every[len(newer) :])


async def test_what_is_gone_is_forgotten_in_every_list(hall: Hall) -> None:
    started = await start(hall, await open_room(hall))
    await hall.store.presence(started.room, (True, True), 1)
    await hall.store.forget(started.room)
    assert (await names(hall, "newest"), await names(hall, "watched")) == ([], [])
