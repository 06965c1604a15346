"""One run of a Valkey or Redis server as our child: how it is told, awaited and ended."""

import asyncio
import contextlib
from pathlib import Path

from . import store_log
from .datadir import DataDirectory
from .parent_death import die_with_parent
from .server_binary import Server
from .trouble import DataCorrupt, DidNotStart, EmbeddedStoreError

READY_WITHIN = 30.0
LOADED_WITHIN = 600.0
STOP_WITHIN = 1.0
"""Then it is killed, which loses nothing: every answered write is on the disk."""


class StoreProcess:
    """`await start()` until it answers; `loss` then tells what a torn log has cost."""

    def __init__(self, server: Server, data: DataDirectory, socket: Path) -> None:
        self._server, self._data, self._socket = server, data, socket
        self._process: asyncio.subprocess.Process | None = None
        self.loss: str | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> None:
        sizes, said_before = self._data.log_sizes(), self._data.begin_log()
        with self._data.log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                str(self._server.binary),
                *self._options(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self._data.path,
                umask=0o077,
                # Out of the terminal's group: Ctrl-C is for us, who drain first.
                start_new_session=True,
                preexec_fn=die_with_parent(),
            )
        answers = await self._answers(self._process)
        said = self._data.read_log(said_before)
        if not answers:
            raise self._failure(said)
        self.loss = store_log.lost(said, sizes)

    async def ended(self) -> int | None:
        return await self._process.wait() if self._process else None

    async def stop(self) -> None:
        process = self._process
        if not process or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_WITHIN)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _options(self) -> list[str]:
        options = {
            "dir": str(self._data.path),
            "pidfile": str(self._data.pid_file),
            "logfile": str(self._data.log),
            "loglevel": "notice",
            "port": "0",
            "protected-mode": "yes",
            "unixsocket": str(self._socket),
            "unixsocketperm": "600",
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": "always",
            "aof-load-truncated": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            # So that an orphan can be told by its command line.
            "set-proc-title": "no",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    async def _answers(self, process: asyncio.subprocess.Process) -> bool:
        """Wait for its PONG: false when it ended, or is silent, or loads for too long."""
        now = asyncio.get_running_loop().time
        patience, until = now() + READY_WITHIN, now() + LOADED_WITHIN
        while process.returncode is None and now() < patience:
            answer = await _ping(self._socket)
            if answer.startswith(b"+PONG"):
                return True
            if answer.startswith(b"-LOADING"):
                patience = until
            await asyncio.sleep(0.02)
        return False

    def _failure(self, said: str) -> EmbeddedStoreError:
        if reason := store_log.corrupt(said):
            # Its snapshot and its manifest have no tool that mends them.
            mendable = "append only file" in reason
            repair = self._server.repair(self._data.last_part()) if mendable else None
            return DataCorrupt(self._data.path, reason, repair)
        return DidNotStart(str(self._server), self._data.log, store_log.lines(said)[-3:])


async def _ping(socket: Path) -> bytes:
    try:
        async with asyncio.timeout(1.0):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(b"PING\r\n")
                return await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""
