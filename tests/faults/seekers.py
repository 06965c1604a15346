"""Many players who seek an opponent at once, over several nodes, while nodes are killed.

    PYTHONPATH=tests python -m faults.seekers --seekers 10000 --nodes 4 --kills 2

Each must end up in exactly one room, with one other; that is asked of the hall by newcomers with
the players' tokens, and counted in the store. Ends with status 1 and the reason where it is not so.
"""

import argparse
import asyncio
import random
import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack

from end_to_end.client import Message
from faults.hall import Hall
from load.players import Wire
from store.valkey import Valkey
from towerhall_server.backoff import BackOff
from towerhall_server.store.keys import SHARDS, keys_of_shard

PATIENCE_S = 20.0
AT_ONCE = 200
"""Connections that are opened at the same time."""


@dataclass(frozen=True)
class Plan:
    seekers: int = 600
    nodes: int = 4
    kills: int = 2
    seconds: float = 120.0
    """By then everybody must have an opponent."""


@dataclass
class Report:
    seekers: int
    rooms: int
    kills: int
    returns: int
    waits_s: list[float]
    seconds: float

    def __str__(self) -> str:
        waits = sorted(self.waits_s)
        p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
        return (
            f"{self.seekers} seekers in {self.rooms} rooms, each in exactly one, none with "
            f"themselves; {self.kills} nodes killed, {self.returns} reconnects; an opponent came "
            f"after {p50:.2f} s (median), {p99:.2f} s (p99), {waits[-1]:.2f} s (longest); all had "
            f"one after {self.seconds:.1f} s"
        )


class Lost(Exception):
    """The connection ended, or nothing was heard on it for too long."""


class _Line(Wire):
    on_lost: Callable[[], None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost:
            self.on_lost()


class Seeker:
    """Says hello, seeks with a key, and does both again elsewhere whenever it is cut off."""

    def __init__(self, number: int, urls: Callable[[], Sequence[str]]) -> None:
        self._name = f"seeker-{number}"
        self._urls = urls
        self._line: _Line | None = None
        self._asked = 0
        self._replies: dict[int, asyncio.Future[Message]] = {}
        self._lost = False
        self._news = asyncio.Event()
        """There is a room, or no connection any more."""
        self.token: str | None = None
        self.player = ""
        self.room: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.returns = -1
        self.waited_s = 0.0

    async def arrive(self) -> None:
        back_off = BackOff()
        while True:
            try:
                return await self._hello()
            except (OSError, Lost):
                self.leave()
                await asyncio.sleep(random.uniform(0.5, 1) * back_off.pause(0))

    async def seek(self) -> None:
        """Until there is an opponent."""
        began = time.monotonic()
        while not self.room.done():
            try:
                if not await self._ask("seek", game="duel", key="the one"):
                    await asyncio.sleep(random.uniform(0.2, 1))
                    continue
                await self._news.wait()
            except Lost:
                pass
            if not self.room.done():
                self.leave()
                await self.arrive()
        self.waited_s = time.monotonic() - began

    def leave(self) -> None:
        line, self._line = self._line, None
        if line:
            line.abort()

    async def _hello(self) -> None:
        self._lost = False
        self._news.clear()
        line = await asyncio.wait_for(
            _Line.connect(random.choice(self._urls()), self._hear), PATIENCE_S
        )
        assert isinstance(line, _Line)
        line.on_lost = self._cut
        self._line = line
        fields = {"token": self.token} if self.token else {"name": self._name}
        if not (welcome := await self._ask("hello", **fields)):
            raise Lost
        self.token, self.player = welcome["token"] or self.token, welcome["player"]["id"]
        self.returns += 1
        for seat in welcome["seats"]:
            self._found(seat["room"])

    async def _ask(self, kind: str, **fields: Any) -> Message | None:
        """The reply; None for a temporary error."""
        if not self._line or self._lost:
            raise Lost
        self._asked += 1
        reply = self._replies[self._asked] = asyncio.get_running_loop().create_future()
        self._line.send(msgpack.packb({"type": kind, "id": self._asked, **fields}))
        try:
            message: Message = await asyncio.wait_for(reply, PATIENCE_S)
        except TimeoutError:
            raise Lost from None
        if message["type"] == "error":
            assert message["temporary"], message
            return None
        return message

    def _hear(self, payload: bytes) -> None:
        message: Message = msgpack.unpackb(payload)
        if message["type"] == "paired":
            self._found(message["room"])
            return
        reply = self._replies.pop(message.get("re", 0), None)
        if reply and not reply.done():
            reply.set_result(message)

    def _found(self, room: str) -> None:
        if not self.room.done():
            self.room.set_result(room)
        self._news.set()
        assert self.room.result() == room, f"{self._name} is in two rooms"

    def _cut(self) -> None:
        self._lost = True
        self._news.set()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            if not reply.done():
                reply.set_exception(Lost())
                reply.exception()  # whoever asked may be gone


class Crowd:
    def __init__(self, hall: Hall, plan: Plan) -> None:
        self._hall, self._plan = hall, plan
        self._seekers = [Seeker(number, hall.urls) for number in range(plan.seekers)]

    async def run(self) -> Report:
        plan, seekers = self._plan, self._seekers
        for _ in range(plan.nodes):
            await self._hall.start()
        await _in_turns(seeker.arrive for seeker in seekers)
        began = time.monotonic()
        async with asyncio.timeout(plan.seconds), asyncio.TaskGroup() as group:
            group.create_task(self._kill_now_and_then())
            for seeker in seekers:
                group.create_task(seeker.seek())
        lasted_s = time.monotonic() - began
        rooms = await self._check()
        returns = sum(seeker.returns for seeker in seekers)
        waits = [seeker.waited_s for seeker in seekers]
        return Report(len(seekers), rooms, plan.kills, returns, waits, lasted_s)

    async def _kill_now_and_then(self) -> None:
        """Spread over the time in which pairs are made."""
        for number in range(self._plan.kills):
            share = (number + 1) / (self._plan.kills + 2)
            while self._share_of_paired() < share:  # noqa: ASYNC110 - any may be next
                await asyncio.sleep(0.02)
            await self._hall.kill(random.choice(self._hall.nodes))

    def _share_of_paired(self) -> float:
        return sum(seeker.room.done() for seeker in self._seekers) / len(self._seekers)

    async def _check(self) -> int:
        """Asked by newcomers, who know nothing but the tokens."""
        for seeker in self._seekers:
            seeker.leave()
        newcomers = [Seeker(0, self._hall.urls) for _ in self._seekers]
        in_room: dict[str, list[str]] = defaultdict(list)

        async def ask(newcomer: Seeker, seeker: Seeker) -> None:
            newcomer.token = seeker.token
            await newcomer.arrive()
            assert newcomer.player == seeker.player
            assert newcomer.room.done(), f"{seeker.player} is in no room"
            in_room[newcomer.room.result()].append(seeker.player)
            newcomer.leave()

        pairs = zip(newcomers, self._seekers, strict=True)
        await _in_turns((lambda new=new, old=old: ask(new, old)) for new, old in pairs)
        assert {len(set(players)) for players in in_room.values()} == {2}
        assert sum(map(len, in_room.values())) == len(self._seekers)
        live = [keys_of_shard(shard).live for shard in range(SHARDS)]
        made = sum(self._hall.store.call("ZCARD", name) for name in live)
        assert made == len(in_room) == len(self._seekers) // 2, "there are rooms of nobody"
        return len(in_room)


async def _in_turns(works: Any) -> None:
    """All of them, so many at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async with gate:
            await work()

    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(one(work))


async def _main(plan: Plan) -> str:
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        store = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        store.start()
        hall = Hall(store)
        try:
            return str(await Crowd(hall, plan).run())
        finally:
            await hall.close()
            store.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seekers", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600)
    plan = Plan(**vars(parser.parse_args()))
    with suppress(ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    sys.stdout.write(asyncio.run(_main(plan)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
