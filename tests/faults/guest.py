"""Somebody who does not give up: after a cut they say hello with their token to any node that
answers, resume their rooms where they were, and ask again what was not answered."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus

from end_to_end.client import Message, ServerError
from faults.line import Cut, Line
from faults.stream import Stream

PATIENCE_S = 30.0
PAUSE_S = 0.05

Urls = Callable[[], Sequence[str]]


class Guest:
    def __init__(self, name: str, urls: Urls, home: str | None = None) -> None:
        """`urls` are the nodes as they are now; `home` is where the guest goes first."""
        self.name = name
        self.token: str | None = None
        self.welcome: Message = {}
        self.streams: dict[str, Stream] = {}
        self.returns = 0
        self.refusals: list[Message] = []
        """Temporary ones, which were asked again."""
        self._urls, self._home = urls, home
        self._line: Line | None = None
        self._returning = asyncio.Lock()
        self._attending: asyncio.Task[None] | None = None

    async def line(self, within_s: float = PATIENCE_S) -> Line:
        """A connection on which all rooms are followed again."""
        async with self._returning, asyncio.timeout(within_s):
            while not (self._line and self._line.is_up):
                try:
                    self._line = await self._return()
                except (OSError, InvalidHandshake, InvalidMessage, Cut, TimeoutError):
                    await asyncio.sleep(PAUSE_S)
                except ServerError as refused:
                    self._note(refused)
                    await asyncio.sleep(PAUSE_S)
            return self._line

    async def ask(self, kind: str, within_s: float = PATIENCE_S, **fields: Any) -> Message:
        """The reply to the same request, asked until there is one that is not temporary."""
        async with asyncio.timeout(within_s):
            while True:
                line = await self.line(within_s)
                try:
                    return await line.ask(kind, **fields)
                except (Cut, TimeoutError):
                    # Cut, or silent for so long that it may as well be.
                    line.drop()
                except ServerError as refused:
                    self._note(refused)
                await asyncio.sleep(PAUSE_S)

    async def move(self, room: str, ply: int, text: str, within_s: float = PATIENCE_S) -> Message:
        return await self.ask("move", within_s, room=room, round=1, ply=ply, move=text)

    async def enter(self, kind: str, **fields: Any) -> Stream:
        """Create, join or watch, and follow the room from then on."""
        reply = await self.ask(kind, **fields)
        return self.streams[reply["room"]]

    def attend(self) -> None:
        """Come back from now on whenever the connection is cut, even with nothing to ask."""
        self._attending = self._attending or asyncio.create_task(self._attend())

    async def leave(self) -> None:
        if self._attending:
            self._attending.cancel()
            await asyncio.wait([self._attending])
        if self._line:
            await self._line.close()

    def drop(self) -> None:
        if self._line:
            self._line.drop()

    @property
    def closed_with(self) -> int | None:
        return self._line.socket.close_code if self._line else None

    async def _attend(self) -> None:
        while True:
            with suppress(TimeoutError):
                line = await self.line()
                await line.socket.wait_closed()
            await asyncio.sleep(PAUSE_S)

    async def _return(self) -> Line:
        line = await Line.open(self._choose(), open_timeout=2)
        try:
            line.on_message = self._hear
            fields = {"token": self.token} if self.token else {"name": self.name}
            self.welcome = await line.ask("hello", **fields)
            self.token = self.welcome["token"] or self.token
            for room, stream in self.streams.items():
                since = {"epoch": stream.epoch, "seq": stream.seq}
                await line.ask("watch", room=room, since=since)
        except BaseException:
            line.drop()
            raise
        self.returns += 1
        return line

    def _choose(self) -> str:
        urls = list(self._urls())
        if self._home in urls:
            home, self._home = self._home, None
            return str(home)
        return random.choice(urls)

    def _hear(self, message: Message) -> None:
        if message["type"] == "room":
            self.streams.setdefault(message["room"], Stream(message["room"]))
        if stream := self.streams.get(message.get("room", "")):
            stream.take(message)

    def _note(self, refused: ServerError) -> None:
        if not refused.error["temporary"]:
            raise refused
        self.refusals.append(refused.error)


async def refused_upgrade(url: str) -> int:
    """The HTTP status with which a node turns a connection away; 101 if it does not."""
    try:
        line = await Line.open(url)
    except InvalidStatus as refused:
        return refused.response.status_code
    line.drop()
    return 101


async def eventually(holds: Callable[[], bool], within_s: float = 5.0) -> float:
    """How many seconds it took to hold."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < within_s, "it did not come to hold in time"
        await asyncio.sleep(0.02)
    return time.monotonic() - began
