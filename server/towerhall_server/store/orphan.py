"""The store of an earlier run that outlived its parent: it is ended before ours starts.

Only under the directory's lock, so that its parent is certainly gone; and only a process whose
command line names the pid file of this directory, so that no reused pid is hit.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
from pathlib import Path

from ..logs import Log
from .datadir import DataDirectory
from .trouble import OrphanWillNotEnd

END_WITHIN = 5.0

log = Log(__name__)


async def end_orphan(data: DataDirectory) -> None:
    pid = _pid_in(data.pid_file)
    if pid is None or not _is_ours(pid, data.pid_file):
        return
    log.warning("The store of an earlier run still runs; it is ended.", pid=pid)
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)
        for _ in range(int(END_WITHIN / 0.02)):
            if not _is_ours(pid, data.pid_file):
                return
            await asyncio.sleep(0.02)
    raise OrphanWillNotEnd(data.path, pid)


def _pid_in(file: Path) -> int | None:
    try:
        pid = int(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return pid if pid > 1 else None


def _is_ours(pid: int, pid_file: Path) -> bool:
    return f"--pidfile {pid_file}" in _command_line(pid)


def _command_line(pid: int) -> str:
    """Empty when there is no such process, or only what its parent has yet to collect."""
    if Path("/proc/self/cmdline").exists():
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return ""
        return os.fsdecode(words).replace("\0", " ")
    listed = subprocess.run(  # noqa: S603 - a number and fixed words
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, check=False
    )
    return os.fsdecode(listed.stdout)
