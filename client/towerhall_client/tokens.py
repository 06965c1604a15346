"""Who one is in each hall: the tokens, in one file per server that nobody else can read.

Each name is a player of its own, so that two people, or two terminals, can play from one account
of a machine; without a name one is whoever one was last.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from platformdirs import user_config_path

from towerhall_client.addresses import Address


class _Kept(msgspec.Struct):
    last: str = ""
    players: dict[str, str] = {}


class Tokens:
    """The players of one hall. With several addresses each has the same."""

    def __init__(self, addresses: tuple[Address, ...], directory: Path | None = None) -> None:
        directory = directory or user_config_path("towerhall", appauthor=False)
        self._files = [directory / f"{address.key}.json" for address in addresses]

    def find(self, name: str | None) -> str | None:
        """The token of the player of that name, or of the last one."""
        for file in self._files:
            kept = _read(file)
            if token := kept.players.get(name or kept.last):
                return token
        return None

    def keep(self, name: str, token: str, *, last: bool = True) -> None:
        for file in self._files:
            with _changing(file) as kept:
                kept.players[name] = token
                if last:
                    kept.last = name

    def forget(self, token: str) -> None:
        """The hall does not know it any more."""
        for file in self._files:
            with _changing(file) as kept:
                kept.players = {n: t for n, t in kept.players.items() if t != token}
                kept.last = kept.last if kept.last in kept.players else ""


def _read(file: Path) -> _Kept:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError):
        return _Kept()


@contextlib.contextmanager
def _changing(file: Path) -> Iterator[_Kept]:
    """Read, change, replace as a whole; one process at a time."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(file.with_suffix(".lock")):
        kept = _read(file)
        yield kept
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # mkstemp makes it 0600
        with os.fdopen(handle, "wb") as new:
            new.write(msgspec.json.format(msgspec.json.encode(kept)))
        Path(name).replace(file)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows: whoever writes last is kept
        yield
        return
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
