"""Games in a hall whose nodes and store are killed at random, all the time.

    PYTHONPATH=tests python -m faults.chaos --games 500 --kills 1000

Every game must finish, and every move that was answered `accepted` must be in the log and in the
record, once, as it was answered, and every game once in both players' histories. Ends with status 1
and the reason where that is not so.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from end_to_end.node import Node
from faults.guest import Guest
from faults.hall import Hall
from faults.league import assert_in_history_once
from faults.stream import assert_gapless
from faults.table import LONGEST, Table, assert_played_out
from store.valkey import Valkey

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Plan:
    games: int = 10
    at_once: int = 10
    kills: int = 20
    nodes: int = 2
    seconds: float = 30.0
    """No game is begun and nothing is killed after this."""
    pause_s: float = 0.3
    """Between two moves of a game, on average."""
    between_s: float = 0.8
    """Between two kills, on average."""


@dataclass
class Report:
    games: int = 0
    moves: int = 0
    returns: int = 0
    node_kills: int = 0
    store_kills: int = 0
    waits_s: list[float] = field(default_factory=list)
    """How long each move took from the first time it was asked."""
    lasted_s: float = 0.0

    @property
    def kills(self) -> int:
        return self.node_kills + self.store_kills

    def __str__(self) -> str:
        waits = sorted(self.waits_s) or [0.0]
        p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
        return (
            f"{self.games} games, {self.moves} moves, none lost, none doubled; killed "
            f"{self.node_kills} nodes and {self.store_kills} stores in {self.lasted_s:.0f} s; "
            f"{self.returns} reconnects; a move took {p50 * 1000:.0f} ms (median), "
            f"{p99:.2f} s (p99), {waits[-1]:.2f} s (longest)"
        )


class Chaos:
    def __init__(self, hall: Hall, plan: Plan) -> None:
        self._hall, self._plan = hall, plan
        self._begun = 0
        self._began_at = time.monotonic()
        self.report = Report()

    async def run(self) -> Report:
        """Raises what a game, or what was killed, came to grief with."""
        await asyncio.gather(*(self._hall.start() for _ in range(self._plan.nodes)))
        async with asyncio.TaskGroup() as group:
            group.create_task(self._kill_now_and_then())
            for _ in range(self._plan.at_once):
                group.create_task(self._play_on())
        self.report.lasted_s = time.monotonic() - self._began_at
        return self.report

    @property
    def _in_time(self) -> bool:
        return time.monotonic() - self._began_at < self._plan.seconds

    async def _play_on(self) -> None:
        """One game after another until there were enough of both games and kills."""
        plan, report = self._plan, self.report
        while self._in_time and (self._begun < plan.games or report.kills < plan.kills):
            self._begun += 1
            await self._play(self._begun)

    async def _play(self, number: int) -> None:
        hall = self._hall
        guests = ann, bob, wes = [hall.guest(f"{who}-{number}") for who in ("ann", "bob", "wes")]
        table = await Table.seat(ann, bob)
        await wes.enter("watch", room=table.room)
        for guest in guests:
            guest.attend()
        for _ in range(LONGEST):
            asked_at = time.monotonic()
            await table.move(PATIENCE_S)
            self.report.waits_s.append(time.monotonic() - asked_at)
            self.report.moves += 1
            await asyncio.sleep(random.uniform(0, 2 * self._plan.pause_s))
        await self._assert_well(table, guests)
        self.report.games += 1
        self.report.returns += sum(guest.returns - 1 for guest in guests)
        for guest in guests:
            await hall.dismiss(guest)

    async def _assert_well(self, table: Table, guests: list[Guest]) -> None:
        streams = [guest.streams[table.room] for guest in guests]
        for stream in streams:
            await stream.until(lambda stream: stream.is_over, PATIENCE_S)
        assert_gapless(*streams)
        await assert_played_out(self._hall, table)
        for guest in table.guests:
            await assert_in_history_once(guest, table.room)

    async def _kill_now_and_then(self) -> None:
        while self._in_time and self.report.kills < self._plan.kills:
            await asyncio.sleep(random.uniform(0, 2 * self._plan.between_s))
            match random.randrange(4):
                case 0:
                    await self._kill_store()
                case 1:
                    await asyncio.gather(self._kill_store(), self._kill_node())
                case _:
                    await self._kill_node()

    async def _kill_node(self) -> None:
        self.report.node_kills += 1
        await self._hall.kill(random.choice(self._hall.nodes))
        await self._start_node()

    async def _start_node(self) -> Node:
        for _ in range(20):
            # The store may be away just then: a node does not start without it.
            with suppress(AssertionError, ProcessLookupError):
                return await self._hall.start()
            await asyncio.sleep(0.2)
        raise TimeoutError("no node would start")

    async def _kill_store(self) -> None:
        self.report.store_kills += 1
        await self._hall.restart_store(random.uniform(0, 0.5))


async def _main(plan: Plan) -> str:
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        store = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        store.start()
        hall = Hall(store)
        try:
            return str(await Chaos(hall, plan).run())
        finally:
            await hall.close()
            store.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--at-once", type=int, default=20)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--pause-s", type=float, default=0.3)
    parser.add_argument("--between-s", type=float, default=0.5)
    plan = Plan(**vars(parser.parse_args()))
    sys.stdout.write(asyncio.run(_main(plan)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
