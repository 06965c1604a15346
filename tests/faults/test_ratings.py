"""Row 37: whatever dies while matches end, each is counted once."""

import asyncio
import itertools
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from faults.guest import eventually
from faults.hall import Hall
from faults.league import RatedMatch, assert_counted_once, settled
from faults.proxy import Proxy
from towerhall_server.store.scripts import COMMIT, PAST, RATE

KILLS = 6
"""Fewer make no storm."""
STEPS: dict[str, tuple[bytes, ...]] = {
    "rated": (RATE.sha.encode(),),
    "written into a history": (PAST.sha.encode(),),
    "told": (COMMIT.sha.encode(), b"before"),
    "ticked off": (b"ZREM", b"/2\r\n"),
}


@pytest.fixture
async def proxy(hall: Hall) -> AsyncIterator[Proxy]:
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        async with Proxy(Path(directory) / "p", hall.store.socket) as proxy:
            yield proxy


@pytest.mark.parametrize("step", STEPS)
async def test_row_37_a_reply_that_is_cut_while_a_match_is_settled(
    hall: Hall, proxy: Proxy, step: str
) -> None:
    await hall.start(url=proxy.url)
    match = await RatedMatch.seat(hall.guest("ann"), hall.guest("bob"))
    await match.lose(1, 1)
    proxy.cut_reply_to(*STEPS[step])
    await match.lose(1, 2)
    await eventually(lambda: proxy.cuts == 1)
    await assert_counted_once(hall, [match])
    await eventually(lambda: settled(hall))


@pytest.mark.parametrize("step", STEPS)
async def test_row_37_a_node_that_dies_while_it_settles_a_match(
    hall: Hall, proxy: Proxy, step: str
) -> None:
    node = await hall.start(url=proxy.url)
    match = await RatedMatch.seat(hall.guest("ann"), hall.guest("bob"))
    await match.lose(1, 1)
    proxy.cut_reply_to(*STEPS[step])
    await match.lose(1, 2)
    await eventually(lambda: proxy.cuts == 1)
    await hall.kill(node)
    await hall.start()
    await assert_counted_once(hall, [match])
    await eventually(lambda: settled(hall))


@pytest.mark.timeout(180)
async def test_row_37_results_and_ratings_are_written_once_in_a_storm_of_kills(
    hall: Hall,
) -> None:
    """Six players, each against every other at the same time, while nodes and store die."""
    await asyncio.gather(*(hall.start() for _ in range(3)))
    guests = [hall.guest(f"guest{number}") for number in range(6)]
    pairs = list(itertools.combinations(guests, 2))
    matches = await asyncio.gather(*(RatedMatch.seat(*pair) for pair in pairs))
    over = asyncio.Event()
    storm = asyncio.create_task(_storm(hall, over))
    try:
        plays = (match.play([random.randrange(2), random.randrange(2)]) for match in matches)
        await asyncio.gather(*plays)
        await asyncio.sleep(1)  # the last of them are being settled
    finally:
        over.set()
        kills = await storm
    await assert_counted_once(hall, matches)
    await eventually(lambda: settled(hall))
    assert kills >= KILLS


async def _storm(hall: Hall, over: asyncio.Event) -> int:
    """A kill now and then. Returns how many there were."""
    kills = 0
    while not over.is_set() or kills < KILLS:
        await asyncio.sleep(random.uniform(0.1, 0.8))
        kills += 1
        if random.randrange(4):
            await _replace_node(hall)
        else:
            await hall.restart_store(random.uniform(0, 0.5))
    return kills


async def _replace_node(hall: Hall) -> None:
    await hall.kill(random.choice(hall.nodes))
    for _ in range(20):
        # The store may be away just then: a node does not start without it.
        with suppress(AssertionError, ProcessLookupError):
            await hall.start()
            return
        await asyncio.sleep(0.2)
    raise TimeoutError("no node would start")
