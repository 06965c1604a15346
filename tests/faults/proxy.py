"""Stands on the way between a node and its store, and lets pass what the test wants."""

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter
from pathlib import Path
from typing import Self

HELD_S = 0.2
"""How long replies are kept back before the cut: the store has run the command by then."""


class Proxy:
    def __init__(self, path: Path, target: Path) -> None:
        self.url = f"unix://{path}"
        self.cuts = 0
        self._path, self._target = path, target
        self._open = asyncio.Event()
        self._open.set()
        self._marks: tuple[bytes, ...] = ()
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._serve, str(self._path))
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        self._server.close()
        for line in list(self._lines):
            line.cancel()
        if self._lines:
            await asyncio.wait(self._lines)

    def stop(self) -> None:
        """Nothing passes any more, either way, and nobody is told."""
        self._open.clear()

    def go_on(self) -> None:
        self._open.set()

    def cut_reply_to(self, *marks: bytes) -> None:
        """The next command with all of these in it runs, and its reply never arrives."""
        self._marks = marks

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        line = asyncio.current_task()
        assert line
        self._lines.add(line)
        try:
            await self._open.wait()
            there = await asyncio.open_unix_connection(str(self._target))
            cutting = asyncio.Event()
            ways = (
                self._carry_commands(reader, there[1], cutting),
                self._carry_replies(there[0], writer, cutting),
            )
            tasks = [asyncio.create_task(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                there[1].transport.abort()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()
            self._lines.discard(line)

    async def _carry_commands(
        self, reader: StreamReader, writer: StreamWriter, cutting: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 20):
                await self._open.wait()
                chosen = bool(self._marks) and all(mark in data for mark in self._marks)
                if chosen:
                    self._marks = ()
                    cutting.set()
                writer.write(data)
                await writer.drain()
                if chosen:
                    await asyncio.sleep(HELD_S)
                    self.cuts += 1
                    return

    async def _carry_replies(
        self, reader: StreamReader, writer: StreamWriter, cutting: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 20):
                await self._open.wait()
                if cutting.is_set():
                    await asyncio.Event().wait()
                writer.write(data)
                await writer.drain()
