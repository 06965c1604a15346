"""A store with what it told its node, and the sentences that the tests are made of."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from towerhall_server.store import (
    Answer,
    Commit,
    Committed,
    NoAnswer,
    RedisStore,
    new_code,
    new_room,
)


class Hall:
    def __init__(self) -> None:
        self.store: RedisStore
        self.payloads: list[tuple[str, bytes]] = []
        self.gaps = 0
        self.due: list[str] = []
        self._pulsing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, node: str, pulsing: bool) -> "Hall":
        hall = cls()
        hall.store = await RedisStore.open(url, node, hall._hear, hall._gap)
        if pulsing:
            hall._pulsing = asyncio.create_task(hall._pulse())
        return hall

    async def close(self) -> None:
        if self._pulsing:
            self._pulsing.cancel()
            await asyncio.wait([self._pulsing])
        await self.store.close()

    def _hear(self, room: str, payload: bytes) -> None:
        self.payloads.append((room, payload))

    def _gap(self) -> None:
        self.gaps += 1

    async def _pulse(self) -> None:
        while True:
            with suppress(NoAnswer):
                self.due += await self.store.pulse()
            await asyncio.sleep(0.25)

    def first(self, room: str | None = None) -> Commit:
        """The commit that makes a room."""
        code = new_code()
        room = room or new_room(code)
        return Commit(
            room=room,
            seq=0,
            now=self.store.now(room),
            state=b"new",
            events=[b"made"],
            deadline_ms=None,
            live=True,
        )

    def next(self, before: Commit, state: bytes = b"next") -> Commit:
        """A commit of one event after that one."""
        seq = before.seq + len(before.events)
        event = b"event %d" % (seq + 1)
        now = self.store.now(before.room)
        return replace(before, seq=seq, now=now, state=state, events=[event], code=None)

    async def make_room(self) -> Commit:
        first = self.first()
        assert_committed(await self.store.commit(first), first)
        return first


def assert_committed(answer: Answer, commit: Commit) -> None:
    assert answer == Committed(commit.seq + 1)


async def eventually(holds: Callable[[], bool], within_s: float = 15.0) -> None:
    until = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until, "it did not come to hold in time"
        await asyncio.sleep(0.01)
