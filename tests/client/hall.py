"""A hall as somebody opens it, for a whole run of tests, and what its clients are told of it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STARTS_WITHIN_S = 90


class Hall:
    def __init__(self, process: "subprocess.Popen[str]", host: str, port: int) -> None:
        self.process, self.host, self.port = process, host, port

    @property
    def server(self) -> str:
        return f"{self.host}:{self.port}"


@contextmanager
def open_hall(
    directory: Path, host: str = "127.0.0.1", inside: tuple[str, ...] = ()
) -> Iterator[Hall]:
    """`inside` is put before the command, such as `ip netns exec NAME`."""
    command = [*inside, sys.executable, "-m", "towerhall_server", "--host", host, "--port", "0"]
    with (directory / "hall.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--data", str(directory / "data")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield Hall(process, host, _port(process, time.monotonic() + STARTS_WITHIN_S))
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout
        process.stdout.close()


def _port(process: "subprocess.Popen[str]", until: float) -> int:
    assert process.stdout
    told = ""
    while "Ctrl-C" not in told and time.monotonic() < until:
        line = process.stdout.readline()
        assert line, "the hall did not open"
        told += line
    found = re.search(r"http://[^\s/]+:(\d+)", told)
    assert found, told
    return int(found[1])


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of a person: their own settings, nothing of whoever runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "TERM": "xterm-256color"}
    return {**kept, **own, "LANG": "C.UTF-8", "COLUMNS": "80", **more}
