"""The data directory of an embedded store: its lock, its record of who wrote it, its files.

Two servers would start on one directory, and an older one on newer data starts empty, both
without a word. The lock and the record are what stops them.
"""

import fcntl
import json
import os
from pathlib import Path

from .server_binary import Server
from .trouble import DataMissing, DirectoryLocked, DirectoryUnusable, OtherServerWroteIt

LOG_LIMIT = 1_000_000


class DataDirectory:
    """One directory, locked from `lock()` to `unlock()` or the end of this process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record = path / "written-by.json"
        self.socket = path / "store.sock"
        self.pid_file = path / "store.pid"
        self.log = path / "store.log"
        self.parts = path / "appendonlydir"
        self.manifest = self.parts / "appendonly.aof.manifest"
        self.single = path / "appendonly.aof"
        self._lock: int | None = None

    def lock(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DirectoryUnusable(self.path, error) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
        except BlockingIOError:
            holder = os.read(lock, 20).decode(errors="replace").strip()
            os.close(lock)
            raise DirectoryLocked(self.path, int(holder) if holder.isdecimal() else None) from None
        except OSError as error:
            os.close(lock)
            raise DirectoryUnusable(self.path, error) from None
        self._lock = lock

    def unlock(self) -> None:
        # The file stays: removing it would let two processes lock two files of one name.
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def choose(self, servers: list[Server]) -> Server:
        """The first server that may open what is here."""
        for server in servers:
            if self._may_open(server):
                self._check_complete(server)
                return server
        wrote = self._wrote()
        name = f"{wrote[0]} {wrote[1][0]}.{wrote[1][1]}" if wrote else "Redis 7.0 or newer"
        raise OtherServerWroteIt(self.path, name, [str(server) for server in servers])

    def remember(self, server: Server) -> None:
        """Record who writes here from now on."""
        fresh = self.record.with_suffix(".new")
        fresh.write_text(
            json.dumps({"product": server.product, "version": server.version}) + "\n",
            encoding="ascii",
        )
        fresh.replace(self.record)

    def log_sizes(self) -> dict[str, int]:
        """The files of the append-only log and their sizes."""
        files = [*self.parts.glob("appendonly.aof*"), *self.path.glob(self.single.name)]
        return {file.name: file.stat().st_size for file in files}

    def begin_log(self) -> int:
        """Keep the store's log short; where in it the next start begins to write."""
        size = self.log.stat().st_size if self.log.exists() else 0
        if size < LOG_LIMIT:
            return size
        self.log.replace(self.log.with_suffix(".log.old"))
        return 0

    def read_log(self, offset: int) -> str:
        with self.log.open("rb") as log:
            log.seek(offset)
            return log.read().decode(errors="replace")

    def last_part(self) -> Path:
        """The file that is being appended to, which is the one a repair may cut."""
        parts = [*self.parts.glob("*.incr.aof")]
        return max(parts, key=lambda part: part.stat().st_mtime, default=self.single)

    def _wrote(self) -> tuple[str, tuple[int, int]] | None:
        try:
            record = json.loads(self.record.read_bytes())
            return str(record["product"]), (int(record["version"][0]), int(record["version"][1]))
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            return None

    def _may_open(self, server: Server) -> bool:
        wrote = self._wrote()
        if wrote is None:
            # Without a record: a log in parts is unknown to servers before that layout.
            return server.parted_log or not self.parts.exists()
        return server.product == wrote[0] and server.version >= wrote[1]

    def _check_complete(self, server: Server) -> None:
        # A single log beside no manifest is what an upgrade from Redis 6 finds, and takes over.
        index = self.manifest if server.parted_log else self.single
        if self.record.exists() and not index.exists() and not self.single.exists():
            raise DataMissing(self.path, index, self.record)
