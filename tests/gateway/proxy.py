"""A cable between a client and a node, which can be cut without either end being told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Cable:
    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._whole = asyncio.Event()
        self._whole.set()
        self._writers: list[asyncio.StreamWriter] = []
        self._pumps: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def cut(self) -> None:
        """From now on nothing goes through, and nothing says so."""
        self._whole.clear()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
        self._writers += [writer, far_writer]
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            pump = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(pump)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                await self._whole.wait()
                sink.write(data)
        if self._whole.is_set():
            sink.close()

    def end(self) -> None:
        for pump in self._pumps:
            pump.cancel()
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def cable_to(port: int) -> AsyncIterator[Cable]:
    cable = Cable(port)
    server = await asyncio.start_server(cable._join, "127.0.0.1", 0)
    cable.port = server.sockets[0].getsockname()[1]
    try:
        yield cable
    finally:
        cable.end()
        server.close()
        await server.wait_closed()
