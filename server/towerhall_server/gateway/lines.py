"""A player's connections over all nodes: one too many, and the oldest is closed, wherever it is.

What was lost on the way, an answer or, while this node was stopped, its connections' places in the
lists, is made up for every 30 seconds.
"""

import asyncio
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from towerhall_protocol.errors import CloseCode
from towerhall_server.store import NoAnswer, RedisStore

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

LOOK_S = 1.0
MEND_EVERY = 30
"""After so many looks it is compared what is here and what is in the lists."""


class Lines:
    def __init__(self, store: RedisStore, most: int) -> None:
        self._lines = store.lines
        self._most = most
        self._numbers = count(1)
        self._names: dict[Session, str] = {}
        self._sessions: dict[str, tuple[Session, str]] = {}
        """With the player of each."""
        self._leaving: dict[str, str] = {}
        self._missing: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def enter(self, session: "Session", player: str) -> None:
        if not session.open:
            return  # nobody would say that it has left
        name = str(next(self._numbers))
        self._names[session], self._sessions[name] = name, (session, player)
        self._close(await self._lines.enter(player, name, self._most))

    def leave(self, session: "Session", player: str) -> None:
        if name := self._names.pop(session, None):
            del self._sessions[name]
            self._leaving[name] = player
            task = asyncio.get_running_loop().create_task(self._forget(player, name))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def run(self) -> None:
        """Close those that yield to connections on other nodes."""
        for look in count(1):
            with suppress(NoAnswer):
                self._close(await self._lines.yielding())
                if look % MEND_EVERY == 0:
                    await self._mend()
            await asyncio.sleep(LOOK_S)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _close(self, names: list[str]) -> None:
        for name in names:
            if name in self._sessions:
                session, _ = self._sessions[name]
                session.close(CloseCode.REPLACED, "replaced by a newer connection")

    async def _forget(self, player: str, name: str) -> None:
        # Without an answer it is counted on until the next time.
        with suppress(NoAnswer):
            await self._leave(player, name)

    async def _leave(self, player: str, name: str) -> None:
        await self._lines.leave(player, name)
        self._leaving.pop(name, None)

    async def _mend(self) -> None:
        for name, player in list(self._leaving.items()):
            await self._leave(player, name)
        here = {name: player for name, (_, player) in self._sessions.items()}
        missing = here.keys() - await self._lines.listed(set(here.values()))
        # Missing once, it may be about to yield or to be entered.
        for name in sorted(missing & self._missing, key=int):
            if name in self._sessions and self._sessions[name][0].open:
                self._close(await self._lines.enter(here[name], name, self._most))
        self._missing = missing
