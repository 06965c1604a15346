"""A player's connections over all nodes: one too many, and the oldest is closed, wherever it is."""

import asyncio
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from towerhall_protocol.errors import CloseCode
from towerhall_server.store import NoAnswer, RedisStore

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

LOOK_S = 1.0


class Lines:
    def __init__(self, store: RedisStore, most: int) -> None:
        self._lines = store.lines
        self._most = most
        self._numbers = count(1)
        self._names: dict[Session, str] = {}
        self._sessions: dict[str, Session] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def enter(self, session: "Session", player: str) -> None:
        if not session.open:
            return  # nobody would say that it has left
        name = str(next(self._numbers))
        self._names[session], self._sessions[name] = name, session
        self._close(await self._lines.enter(player, name, self._most))

    def leave(self, session: "Session", player: str) -> None:
        if name := self._names.pop(session, None):
            del self._sessions[name]
            task = asyncio.get_running_loop().create_task(self._forget(player, name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def run(self) -> None:
        """Close those that yield to connections on other nodes."""
        while True:
            with suppress(NoAnswer):
                self._close(await self._lines.yielding())
            await asyncio.sleep(LOOK_S)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _close(self, names: list[str]) -> None:
        for name in names:
            if session := self._sessions.get(name):
                session.close(CloseCode.REPLACED, "replaced by a newer connection")

    async def _forget(self, player: str, name: str) -> None:
        # Without an answer it is counted on, and yields as the oldest some day.
        with suppress(NoAnswer):
            await self._lines.leave(player, name)
