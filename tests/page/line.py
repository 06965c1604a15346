"""The line between a browser and the hall, which can be cut and mended."""

import asyncio
import contextlib
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import WebSocketRoute

from page.visitor import Visitor


class Line:
    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._whole = True
        self._there, self._back = asyncio.Event(), asyncio.Event()
        self.mend()
        self._writers: set[StreamWriter] = set()
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Every connection breaks, and no new one comes through."""
        self._whole = False
        for writer in self._writers:
            writer.transport.abort()

    def hold_answers(self) -> None:
        """What the hall says does not arrive, and nothing says so."""
        self._back.clear()

    def freeze(self) -> None:
        """Nothing goes through, either way, and nothing says so."""
        self._there.clear()
        self._back.clear()

    def mend(self) -> None:
        self._whole = True
        self._there.set()
        self._back.set()

    async def carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        there = await asyncio.open_connection("127.0.0.1", self._to_port)
        ends = {writer, there[1]}
        self._writers |= ends
        await asyncio.gather(
            self._pump(reader, there[1], self._there), self._pump(there[0], writer, self._back)
        )
        self._writers -= ends

    async def _pump(self, source: StreamReader, sink: StreamWriter, way: asyncio.Event) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65_536):
                await way.wait()
                sink.write(data)
                await sink.drain()
        sink.close()


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[Line]:
    line = Line(port)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        line.mend()
        line.cut()
        server.close()
        await server.wait_closed()


async def answer_first(
    visitor: Visitor,
    kind: str,
    errors: list[dict[str, Any]],
    after: Callable[[], Awaitable[object]] | None = None,
) -> list[dict[str, Any]]:
    """The first requests of that kind are answered with these errors, the others by the hall.

    `after`: what is waited for before that. Returns those that were asked, as they come.
    """
    asked: list[dict[str, Any]] = []
    refusing: set[asyncio.Task[None]] = set()

    async def refuse(line: WebSocketRoute, request: dict[str, Any]) -> None:
        error = errors.pop(0)
        if after:
            await after()
        line.send(json.dumps({"type": "error", "re": request["id"], **error}))

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def heard(said: str | bytes) -> None:
            request = json.loads(said)
            if request["type"] == kind:
                asked.append(request)
            if request["type"] == kind and errors:
                refusing.add(asyncio.get_running_loop().create_task(refuse(line, request)))
            else:
                server.send(said)

        line.on_message(heard)

    await visitor.page.route_web_socket("**/ws", through)
    return asked
