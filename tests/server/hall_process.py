"""A hall as a host starts it: real processes, told by flags, watched from outside."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path


class HallProcess:
    """`towerhall-server` on a free port of loopback; stderr goes to a file."""

    def __init__(self, data: Path, *flags: str, told: Path) -> None:
        self._data, self._flags, self._told = data, flags, told
        self.port = 0
        self.invitation = ""

    async def start(self) -> None:
        with self._told.open("ab") as told:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "towerhall_server"),
                *("--host", "127.0.0.1", "--port", "0", "--data", str(self._data)),
                *self._flags,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=told,
            )

    async def opened(self) -> None:
        assert self.process.stdout
        async with asyncio.timeout(20):
            while "Ctrl-C" not in self.invitation:
                line = await self.process.stdout.readline()
                assert line, f"it ended: {self.said()}"
                self.invitation += line.decode("ascii")
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.invitation)
        assert found
        self.port = int(found[1])

    async def ended(self, within: float = 15.0) -> int:
        return await asyncio.wait_for(self.process.wait(), within)

    async def get(self, path: str) -> tuple[int, str]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            answer = (await asyncio.wait_for(reader.read(), 5)).decode()
        finally:
            writer.close()
        return int(answer.split(" ", 2)[1]), answer.partition("\r\n\r\n")[2]

    def said(self) -> str:
        return self._told.read_text()

    def children(self, kind: str) -> list[int]:
        """The pids of its workers, or of its store."""
        return [pid for pid in _children(self.process.pid) if kind in _command(pid)]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


async def eventually(true: Callable[[], bool], within: float = 10.0) -> None:
    until = time.monotonic() + within
    while not true():
        assert time.monotonic() < until, f"not within {within} s"
        await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def hall(tmp_path: Path, *flags: str) -> AsyncIterator[HallProcess]:
    """An open hall; whatever a test leaves of it is ended, by pid."""
    process = HallProcess(tmp_path / "data", *flags, told=tmp_path / "told")
    await process.start()
    seen: set[int] = {process.process.pid}
    try:
        await process.opened()
        seen.update(_children(process.process.pid))
        yield process
    finally:
        seen.update(_children(process.process.pid) if is_alive(process.process.pid) else ())
        for pid in seen:
            if is_alive(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        await process.process.wait()
        process.process._transport.close()  # type: ignore[attr-defined]  # a killed child's pipe
