"""One of several processes that serve: `python -m towerhall_server.worker FD`, by a supervisor.

It inherits the listening socket as file descriptor FD. Its stdin brings one line, the `Job`, and
then nothing until the supervisor is gone, however that ended: then this process drains too. On
its stdout it says "ready", once.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import msgspec

from . import logs, metrics
from .background import keep_running
from .exit_status import FAILED, exit_status
from .settings import Settings

READY = b"ready\n"
STDIN, STDOUT, STDERR = 0, 1, 2
LONGEST_JOB = 1 << 20


class Job(msgspec.Struct, frozen=True):
    settings: str
    redis_url: str
    figures: str
    """Directory in which the workers share their metrics."""


def main() -> int:
    # From here on stdout is the supervisor's: whatever prints by mistake goes to stderr.
    told = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    line = _first_line()
    if not line:
        return FAILED
    job = msgspec.json.decode(line, type=Job)
    settings = Settings.from_json(job.settings).named()
    logs.configure(settings.log_level, settings.log_format)
    last = threading.Thread(target=_end_with_supervisor, args=(settings,), daemon=True)
    last.start()
    with socket.socket(fileno=int(sys.argv[1])) as listener:
        return exit_status(lambda: _serve(job, settings, listener, told))


async def _serve(job: Job, settings: Settings, listener: socket.socket, told: int) -> None:
    from .app import serve

    async def share() -> None:
        await metrics.share(Path(job.figures))

    sharing = asyncio.create_task(keep_running("metrics", share))
    try:
        await serve(
            settings,
            redis_url=job.redis_url,
            listener=listener,
            started=lambda: _say_ready(told),
        )
    finally:
        sharing.cancel()
        await asyncio.wait([sharing])


def _say_ready(told: int) -> None:
    try:
        os.write(told, READY)
    except BrokenPipeError:
        pass  # the supervisor is gone, and stdin says so too
    finally:
        os.close(told)


def _first_line() -> bytes:
    # Not through sys.stdin: the thread that waits for its end would hold its lock at exit.
    line = b""
    while not line.endswith(b"\n") and len(line) < LONGEST_JOB:
        part = os.read(STDIN, 65_536)
        if not part:
            return b""
        line += part
    return line


def _end_with_supervisor(settings: Settings) -> None:
    while os.read(STDIN, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(settings.drain_seconds + 1)
    os._exit(FAILED)


if __name__ == "__main__":
    sys.exit(main())
