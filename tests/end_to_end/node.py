"""Real nodes: `towerhall-server` in processes of its own, on a store that is there."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from typing import Self

STARTS_WITHIN_S = 60.0
STOPS_WITHIN_S = 15.0


class Node:
    def __init__(self, process: Process, port: int) -> None:
        self.process = process
        self.port = port
        self.log: list[str] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, redis_url: str, *flags: str, env: dict[str, str] | None = None) -> Self:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "towerhall_server"),
            *("--redis", redis_url, "--host", "127.0.0.1", "--port", "0", *flags),
            stdout=PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, **(env or {})},
        )
        try:
            async with asyncio.timeout(STARTS_WITHIN_S):
                port = await _port_told(process)
        except BaseException:
            process.kill()
            await process.wait()
            raise
        return cls(process, port)

    @property
    def cpu_s(self) -> float:
        """The time it has worked, however busy the machine is."""
        # The clock of another process, as clock_getcpuclockid(3) makes its number.
        return time.clock_gettime(~self.process.pid << 3 | 2)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    def http(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def kill(self) -> None:
        """kill -9."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self._ended()

    async def stop(self) -> int:
        """SIGTERM, and the exit status."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        return await self._ended()

    async def _ended(self) -> int:
        async with asyncio.timeout(STOPS_WITHIN_S):
            status = await self.process.wait()
        await self._reading
        return status

    async def _read(self) -> None:
        assert self.process.stdout
        async for line in self.process.stdout:
            self.log.append(line.decode().rstrip())


async def _port_told(process: Process) -> int:
    assert process.stdout
    said = []
    async for line in process.stdout:
        said.append(line.decode())
        if found := re.search(r"http://127\.0\.0\.1:(\d+)$", line.decode().strip()):
            return int(found[1])
    raise AssertionError(f"the node did not start: {''.join(said)}")
