"""The client in a pipe: arguments and lines in, lines and an exit code out."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.hall import environment

PATIENCE_S = 120


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    problems: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "towerhall_client", *arguments]


def run(home: Path, *arguments: str, given: str = "", **variables: str) -> Ended:
    done = subprocess.run(
        command(*arguments),
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env=environment(home, **variables),
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def start(home: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Running; talk to it by its pipes."""
    return subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
    )
