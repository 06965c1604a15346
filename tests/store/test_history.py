"""Past matches: each once, the newest first, so many at most, as long as the player is kept."""

import asyncio

import pytest
from msgspec.structs import replace

from store.hall import Hall, assert_committed
from store.valkey import Valkey
from towerhall_server.lifetimes import USUAL
from towerhall_server.store import new_player
from towerhall_server.store.history import MOST_KEPT
from towerhall_server.store.keys import keys_of_player, keys_of_room

ANN = new_player("ab" * 32)
KEYS = keys_of_player(ANN)


async def add(hall: Hall, *numbers: int) -> None:
    for number in numbers:
        await hall.store.history.add(ANN, f"m{number}", number, b"%d" % number)


async def pages(hall: Hall, size: int) -> list[list[int]]:
    page = await hall.store.history.page(ANN, None, size)
    found = [page]
    while page.last:
        page = await hall.store.history.page(ANN, page.last, size)
        found.append(page)
    return [[int(entry) for entry in page.entries] for page in found]


async def test_the_newest_comes_first_whatever_came_in_first(hall: Hall) -> None:
    assert await pages(hall, 3) == [[]]
    await add(hall, 3, 1, 2)
    assert await pages(hall, 3) == [[3, 2, 1]]
    await add(hall, 5, 4)
    assert await pages(hall, 2) == [[5, 4], [3, 2], [1]]


async def test_a_match_is_written_once_however_often(hall: Hall) -> None:
    await asyncio.gather(*(hall.store.history.add(ANN, "m", n, b"%d" % n) for n in range(20)))
    assert await pages(hall, 50) == [[0]]


async def test_a_match_that_comes_in_while_one_turns_pages_moves_nothing(hall: Hall) -> None:
    await add(hall, 1, 2, 3, 4)
    first = await hall.store.history.page(ANN, None, 2)
    await add(hall, 5)
    assert first.last
    assert (await hall.store.history.page(ANN, first.last, 2)).entries == [b"2", b"1"]


async def test_the_oldest_make_room(server: Valkey, hall: Hall) -> None:
    await asyncio.gather(*(add(hall, number) for number in range(2, MOST_KEPT + 5)))
    assert server.call("ZCARD", KEYS.order) == server.call("HLEN", KEYS.past) == MOST_KEPT
    await add(hall, 1)
    (every,) = await pages(hall, MOST_KEPT)
    assert every == list(range(MOST_KEPT + 4, 4, -1))


async def test_before_a_match_that_is_no_longer_kept_there_is_nothing(hall: Hall) -> None:
    await add(hall, 1)
    assert await hall.store.history.page(ANN, "m0", 50) == ([], None)


async def test_a_history_is_kept_as_long_as_its_player(server: Valkey, hall: Hall) -> None:
    await add(hall, 1)
    for key in (KEYS.past, KEYS.order):
        assert USUAL.player_ms - 9999 < server.call("PTTL", key) <= USUAL.player_ms


@pytest.mark.parametrize(("record", "live", "due"), [(3, False, 1), (3, True, 0), (None, False, 0)])
async def test_a_record_of_a_room_that_is_over_is_to_be_settled_until_it_is(
    server: Valkey, hall: Hall, record: int | None, live: bool, due: int
) -> None:
    first = await hall.make_room()
    last = replace(hall.next(first), live=live, record=(record, b"score") if record else None)
    assert_committed(await hall.store.commit(last), last)
    expected = [f"{first.room}/3"] * due
    assert await hall.store.pulse() == expected
    assert server.call("ZCARD", keys_of_room(first.room).deadlines) == due
    await hall.store.settled(first.room, 3)
    assert server.call("ZCARD", keys_of_room(first.room).deadlines) == 0


async def test_a_rematch_does_not_forget_what_is_to_be_settled(hall: Hall) -> None:
    first = await hall.make_room()
    last = replace(hall.next(first), live=False, record=(1, b"score"))
    await hall.store.commit(last)
    again = replace(hall.next(last), live=True, record=None, deadline_ms=None)
    assert_committed(await hall.store.commit(again), again)
    assert await hall.store.pulse() == [f"{first.room}/1"]
