"""What a seek and a lobby update cost, by how many seek and play already.

    python -m load.lobby [--sizes 200 2000 20000]

The store, and in it so many waiting seekers (each wants something else) and so many live rooms,
are real, a store for each size; so is the code that seeks and lists. CPU time is counted, of this
process and of the store. The sizes take turns, and the ratios are of medians: the machine may be
busy, and is as busy for one size as for another. Ends with status 1 where a cost grows.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from load.bench import cpu_seconds
from store.valkey import Valkey
from towerhall_server.games import game
from towerhall_server.lobby.listing import Listing
from towerhall_server.lobby.pool import name_of, sought
from towerhall_server.match.clock import Clock
from towerhall_server.match.state import Settings, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import RedisStore, new_player, seeks

MOST = 1.5
"""The largest size may cost this much more than the smallest: noise, and a logarithm."""
AT_ONCE = 200
HOUR_MS = 3_600_000
SEEKS = 500
UPDATES = 20
ROUNDS = 9


@dataclass(frozen=True)
class Cost:
    """CPU milliseconds of one, in the node and in the store."""

    node_ms: float
    store_ms: float

    @property
    def ms(self) -> float:
        return self.node_ms + self.store_ms

    def __str__(self) -> str:
        return f"{self.ms:7.3f} ({self.node_ms:.3f} node, {self.store_ms:.3f} store)"


def wanted(number: int | None) -> Settings:
    """Each number is another pool; None has no clock, so that nobody's flag falls meanwhile."""
    rules = game("duel")
    clock = None if number is None else Clock(1000 + number // 60_000, number % 60_000)
    return sought(rules, rules.resolve({}), clock, 2, rated=True)


def player(number: int) -> str:
    return new_player(f"{number % 256:02x}" * 32)


class Hall:
    def __init__(self, valkey: Valkey, store: RedisStore, size: int) -> None:
        self._valkey = valkey
        self._store = store
        self._referee = Referee(store, lambda *_: None, lambda _: None)
        self.size = size

    async def fill(self) -> None:
        """With so many who wait, and so many rooms, a quarter of them watched."""
        for start in range(0, self.size, AT_ONCE):
            some = range(start, min(start + AT_ONCE, self.size))
            await asyncio.gather(*map(self._add, some))
        # What this process has of all these rooms is not what is measured.
        self._referee.forget_all()

    async def _add(self, number: int) -> None:
        await self.seek(player(number), number)
        sitters = (Sitter(player(number), "ann"), Sitter(player(number + 1), "bob"))
        match = await self._referee.pair(f"room {number}", wanted(None), sitters, 0)
        if number % 4 == 0:
            watchers = 1 + number % 7
            await self._store.presence(match.room, (False, False), watchers, HOUR_MS)

    async def seek(self, who: str, number: int) -> None:
        found = await self._store.seeks.seek(who, name_of(wanted(number)), 1500, "ann")
        assert found.pairing is None

    async def cost_of_seeks(self) -> Cost:
        """One after the other, each in a pool of its own, and given up."""

        async def seek_all() -> None:
            for number in range(SEEKS):
                who = player(number)
                await self.seek(who, 1_000_000 + number)
                await self._store.seeks.unseek(who)

        return await self._measured(seek_all, SEEKS)

    async def cost_of_updates(self, *, moved: bool) -> Cost:
        """With every room that is shown as it was, or with all of them moved on."""

        async def update() -> None:
            listing = Listing(self._store, ())
            shown = await listing.look(1)
            assert (len(shown.seeks), len(shown.live)) == (100, 100)
            for _ in range(UPDATES):
                if moved:
                    listing._matches.clear()
                listing._read_at = float("-inf")
                await listing.look(1)

        return await self._measured(update, UPDATES + 1)

    async def costs(self) -> dict[str, Cost]:
        return {
            "a seek and giving it up": await self.cost_of_seeks(),
            "a lobby update, nothing moved": await self.cost_of_updates(moved=False),
            "a lobby update, all moved": await self.cost_of_updates(moved=True),
        }

    async def _measured(self, work: Callable[[], Awaitable[None]], count: int) -> Cost:
        began, store_began = time.process_time(), cpu_seconds(self._valkey.pid)
        await work()
        node_s = time.process_time() - began
        store_s = cpu_seconds(self._valkey.pid) - store_began
        return Cost(node_s * 1000 / count, store_s * 1000 / count)


async def _pulse(stores: list[RedisStore]) -> None:
    while True:
        for store in stores:
            await store.pulse()
            await store.seeks.pulse()
        await asyncio.sleep(0.5)


async def measure(sizes: list[int]) -> dict[str, dict[int, Cost]]:
    """The median cost of each thing, by size."""
    halls: list[Hall] = []
    stores: list[RedisStore] = []
    found: dict[str, dict[int, list[Cost]]] = defaultdict(lambda: defaultdict(list))
    with ExitStack() as stack:
        pulsing = asyncio.create_task(_pulse(stores))
        for size in sizes:
            valkey = Valkey(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="th"))))
            valkey.start()
            stack.callback(valkey.kill)
            stores.append(await RedisStore.open(valkey.url, "bench", lambda *_: None, lambda: None))
            halls.append(Hall(valkey, stores[-1], size))
            await halls[-1].fill()
        gc.collect()
        gc.freeze()
        for _ in range(ROUNDS):
            for hall in halls:
                for name, cost in (await hall.costs()).items():
                    found[name][hall.size].append(cost)
        pulsing.cancel()
        for store in stores:
            await store.close()
    return {
        name: {size: _median(costs) for size, costs in by_size.items()}
        for name, by_size in found.items()
    }


def _median(costs: list[Cost]) -> Cost:
    return sorted(costs, key=lambda cost: cost.ms)[len(costs) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 2_000, 20_000])
    sizes = parser.parse_args().sizes
    # Nobody here renews what it seeks.
    seeks.LEASE_MS = HOUR_MS
    worst = 0.0
    for name, costs in asyncio.run(measure(sizes)).items():
        for size in sizes:
            ratio = costs[size].ms / costs[sizes[0]].ms
            worst = max(worst, ratio)
            print(f"{name:30} {size:7,} waiting and live: {costs[size]} ms, x {ratio:.2f}")
    print(f"the worst ratio is {worst:.2f}   (at most {MOST})")
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
