"""Several processes that serve one hall, and the one that keeps them running.

The supervisor owns the data directory's lock, the store and the listening socket. Workers
inherit the socket; one that dies is started again; all end with the supervisor.
"""

import asyncio
import contextlib
import shutil
import signal
import socket
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

import msgspec

from . import metrics
from .backoff import BackOff
from .exit_status import AlreadyTold
from .logs import Log
from .settings import Settings
from .worker import READY, Job

GRACE = 0.8
"""Seconds that a worker has beyond its drain. With the store's second, a stop takes under 10."""

log = Log(__name__)


class Supervisor:
    """`await run()` until SIGTERM, SIGINT or SIGHUP has drained all workers."""

    def __init__(
        self,
        settings: Settings,
        *,
        redis_url: str,
        listener: socket.socket,
        started: Callable[[], None],
    ) -> None:
        self._settings, self._listener, self._started = settings, listener, started
        self._redis_url = redis_url
        self._figures = Path(tempfile.gettempdir())
        self._stopping = asyncio.Event()
        self._workers: set[Process] = set()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        signs = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        for sign in signs:
            loop.add_signal_handler(sign, self._stopping.set)
        self._figures = Path(tempfile.mkdtemp(prefix="towerhall-figures-"))
        try:
            await self._run_workers()
        finally:
            for sign in signs:
                loop.remove_signal_handler(sign)
            shutil.rmtree(self._figures, ignore_errors=True)

    async def _run_workers(self) -> None:
        # One first: if the store refuses it, that is said once, not by every worker.
        first = await self._start_worker()
        if not await self._is_ready(first):
            await self._drain()
            if self._stopping.is_set():
                return
            raise AlreadyTold
        others = [None] * (self._settings.workers - 1)
        keepers = [asyncio.create_task(self._keep(worker)) for worker in [first, *others]]
        self._started()
        await self._stopping.wait()
        for keeper in keepers:
            keeper.cancel()
        await asyncio.wait(keepers)
        await self._drain()

    async def _keep(self, worker: Process | None) -> None:
        """One worker, and the next one whenever it dies."""
        back_off = BackOff()
        now = asyncio.get_running_loop().time
        while True:
            began = now()
            try:
                worker = worker or await self._start_worker()
            except OSError as error:  # no memory, no processes left: it may pass
                end: int | str = str(error)
            else:
                end = await worker.wait()
                with contextlib.suppress(OSError):  # its figures are lost, its successor is not
                    self._bury(worker)
            wait = back_off.pause(now() - began)
            pid = worker.pid if worker else None
            log.error("A worker died; it is started again.", pid=pid, end=end, wait=wait)
            worker = None
            await asyncio.sleep(wait)

    def _bury(self, worker: Process) -> None:
        self._workers.discard(worker)
        metrics.retire(self._figures, worker.pid)

    async def _start_worker(self) -> Process:
        descriptor = self._listener.fileno()
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "towerhall_server.worker",
            str(descriptor),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=[descriptor],
            # Out of the terminal's group: Ctrl-C reaches the supervisor, which drains them.
            start_new_session=True,
        )
        self._workers.add(worker)
        assert worker.stdin  # noqa: S101 - it was asked for
        job = Job(self._settings.to_json(), self._redis_url, str(self._figures))
        # Left open: its end is how a worker learns that the supervisor is gone.
        worker.stdin.write(msgspec.json.encode(job) + b"\n")
        with contextlib.suppress(ConnectionError):
            await worker.stdin.drain()
        log.info("A worker starts.", pid=worker.pid)
        return worker

    async def _is_ready(self, worker: Process) -> bool:
        """Whether it came to serve before it ended or the stop came."""
        assert worker.stdout  # noqa: S101 - it was asked for
        said = asyncio.create_task(worker.stdout.readline())
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait([said, stopping], return_when=asyncio.FIRST_COMPLETED)
        ready = said.done() and said.result() == READY
        for task in (said, stopping):
            task.cancel()
        await asyncio.wait([said, stopping])
        return ready

    async def _drain(self) -> None:
        """Tell all workers to stop, and end those that do not."""
        workers = [worker for worker in self._workers if worker.returncode is None]
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                worker.terminate()
        if not workers:
            return
        ends = [asyncio.create_task(worker.wait()) for worker in workers]
        _, stuck = await asyncio.wait(ends, timeout=self._settings.drain_seconds + GRACE)
        for worker in workers:
            if worker.returncode is None:
                log.warning("A worker did not drain in time; it is ended.", pid=worker.pid)
                with contextlib.suppress(ProcessLookupError):
                    worker.kill()
        if stuck:
            await asyncio.wait(stuck)
