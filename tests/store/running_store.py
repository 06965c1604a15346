"""What the tests of the embedded store share: its parent as a process, and what it left behind."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import redis

from towerhall_server.store.embedded import EmbeddedStore

PARENT = """
import asyncio, sys
from pathlib import Path
from towerhall_server.store import store_process
from towerhall_server.store.embedded import EmbeddedStore
if "unwatched" in sys.argv:  # as on a system whose kernel does not end children
    store_process.die_with_parent = lambda: None
async def main():
    store = EmbeddedStore(Path(sys.argv[1]))
    await store.start()
    print(store.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@contextlib.asynccontextmanager
async def running(directory: Path) -> AsyncIterator[EmbeddedStore]:
    store = EmbeddedStore(directory)
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


async def parent_killed(directory: Path, *how: str) -> int:
    """Start a store in a process of its own, write to it, kill -9 that process; the store's pid."""
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(directory), *how, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout
    pid = int(await parent.stdout.readline())
    with contextlib.closing(redis.Redis.from_url(f"unix://{directory}/store.sock")) as client:
        client.set("answered", "yes")
    parent.kill()
    await parent.wait()
    # The pipe is the store's too when nothing ended it: do not wait for its end of file.
    parent._transport.close()  # type: ignore[attr-defined]  # asyncio has no other way
    return pid


def sockets_of(pid: int | None) -> set[str]:
    """The inodes of a process's sockets."""
    files = [str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()]
    return {file[8:-1] for file in files if file.startswith("socket:[")}


def network_sockets() -> set[str]:
    """The inodes of all sockets on this machine that speak TCP or UDP."""
    tables = [Path("/proc/net") / name for name in ("tcp", "tcp6", "udp", "udp6")]
    lines = [line for table in tables if table.exists() for line in table.read_text().splitlines()]
    return {line.split()[9] for line in lines}


def the_file(directory: Path, pattern: str) -> Path:
    return next(directory.glob(pattern))


def ask(store: EmbeddedStore, *words: str) -> object:
    with contextlib.closing(redis.Redis.from_url(store.url, decode_responses=True)) as client:
        answer: object = client.execute_command(*words)  # type: ignore[no-untyped-call]
        return answer


def is_alive(pid: int) -> bool:
    """A zombie is dead: who collects it is not ours to say."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def eventually(true: Callable[[], bool], within: float = 5.0) -> float:
    """Wait for it; the seconds that took."""
    began = time.monotonic()
    while time.monotonic() - began < within:
        if true():
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    raise AssertionError(f"not within {within} s")


def end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def tree(directory: Path) -> dict[str, bytes]:
    """Every file of the data and what is in it."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name not in {"lock", "store.log", "store.pid"}
    }
