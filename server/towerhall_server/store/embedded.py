"""An embedded store: the Valkey or Redis of this machine as a child process of ours.

It listens on a unix socket that only this user may open, syncs every write to the disk before it
answers, ends with its parent, and is started again when it dies. Nothing here deletes data.
"""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

from ..backoff import BackOff
from ..logs import Log
from . import server_binary
from .datadir import DataDirectory
from .orphan import end_orphan
from .server_binary import Server
from .store_process import StoreProcess
from .trouble import EmbeddedStoreError, NoServer

LONGEST_SOCKET_PATH = 100
"""Bytes: the kernel's own bound is 108 on Linux and 104 on macOS."""

log = Log(__name__)


class EmbeddedStore:
    """`await start()`, use `url`, `await stop()`. `losses` tells what torn logs have cost."""

    def __init__(self, directory: Path) -> None:
        self._data = DataDirectory(directory)
        self._runtime: Path | None = None
        self._process: StoreProcess | None = None
        self._keeper: asyncio.Task[None] | None = None
        self.losses: list[str] = []

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def socket(self) -> Path:
        return self._runtime / "store.sock" if self._runtime else self._data.socket

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}"

    async def start(self) -> str:
        """Lock the directory, start the store, wait until it answers; its URL."""
        self._data.lock()
        try:
            await end_orphan(self._data)
            usable, refused = await server_binary.installed()
            if not usable:
                raise NoServer(refused)
            server = self._data.choose(usable)
            if len(os.fsencode(self.socket)) > LONGEST_SOCKET_PATH:
                self._runtime = Path(tempfile.mkdtemp(prefix="towerhall-"))
            await self._run(server)
            self._data.remember(server)
        except BaseException:
            await self.stop()
            raise
        self._keeper = asyncio.create_task(self._keep(server), name="embedded store")
        return self.url

    async def stop(self) -> None:
        """End the store and let go of the directory. Safe to call twice."""
        if self._keeper:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            self._keeper = None
        if self._process:
            await self._process.stop()
            self._process = None
        if self._runtime:
            shutil.rmtree(self._runtime, ignore_errors=True)
            self._runtime = None
        self._data.unlock()

    async def _run(self, server: Server) -> None:
        self._process = StoreProcess(server, self._data, self.socket)
        await self._process.start()
        log.info(f"The store runs on {server}.", pid=self.pid, data=str(self._data.path))
        if loss := self._process.loss:
            self.losses.append(loss)
            log.warning(loss)

    async def _keep(self, server: Server) -> None:
        """Start it again whenever it ends, for as long as this server runs."""
        back_off = BackOff()
        now = asyncio.get_running_loop().time
        began = now()
        while self._process:
            status = await self._process.ended()
            wait = back_off.pause(now() - began)
            log.error("The store has ended; it is started again.", exit=status, wait=wait)
            await asyncio.sleep(wait)
            began = now()
            try:
                await self._run(server)
            except (EmbeddedStoreError, OSError) as error:
                log.error("The store does not start.", reason=str(error))
                await self._process.stop()
