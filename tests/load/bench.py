"""Durable moves a second of server CPU, beside a plain `websockets` echo in the same run.

    python -m load.bench [--seconds 4] [--games 40] [--rounds 3]

Server, store and generator are processes of their own; only the server's CPU time counts. Echo and
hall take turns, and the ratio is of the medians: the machine is shared, the ratio holds.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from store.valkey import Valkey

FLOOR = 0.45
TICKS = os.sysconf("SC_CLK_TCK")
UNLIMITED = ("--requests-per-second", "1000000", "--requests-burst", "10000")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def start(stack: ExitStack, *command: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if command[0] == "towerhall_server" else None,
        text=True,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def url_told(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    for line in process.stdout:
        if found := re.search(r"http://(127\.0\.0\.1:\d+)", line):
            return f"ws://{found[1]}/ws"
    raise RuntimeError("the server did not start")


def measure(server: subprocess.Popen[str], url: str, seconds: float, *how: str) -> float:
    """Moves, or echoes, for each second of the server's CPU."""
    with ExitStack() as stack:
        generator = start(stack, "load.players", url, *how)
        assert generator.stdin and generator.stdout
        if generator.stdout.readline() != "ready\n":
            raise RuntimeError("the generator did not begin")
        time.sleep(1)
        moves, cpu = told(generator.stdin, generator.stdout), cpu_seconds(server.pid)
        time.sleep(seconds)
        moves, cpu = told(generator.stdin, generator.stdout) - moves, cpu_seconds(server.pid) - cpu
        return moves / cpu


def told(ask: IO[str], answer: IO[str]) -> int:
    ask.write("\n")
    ask.flush()
    line = answer.readline().strip()
    if not line.isdigit():
        raise RuntimeError(line or "the generator has ended")
    return int(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="th"))
        store = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        store.start()
        stack.callback(store.kill)
        hall = start(
            stack,
            *("towerhall_server", "--redis", store.url, "--host", "127.0.0.1", "--port", "0"),
            *UNLIMITED,
        )
        echo = start(stack, "load.echo")
        urls = url_told(hall), url_told(echo)
        rates: dict[str, list[float]] = {"echo": [], "hall": []}
        for number in range(arguments.rounds):
            many = ("--many", str(2 * arguments.games))
            rates["echo"].append(measure(echo, urls[1], arguments.seconds, *many, "--echo"))
            many = ("--many", str(arguments.games))
            rates["hall"].append(measure(hall, urls[0], arguments.seconds, *many))
            print(f"{number + 1}: echo {rates['echo'][-1]:,.0f}, hall {rates['hall'][-1]:,.0f}")
    echoes, moves = (statistics.median(rates[name]) for name in ("echo", "hall"))
    print(f"echoes per server CPU-second         {echoes:10,.0f}")
    print(f"durable moves per server CPU-second  {moves:10,.0f}")
    print(f"ratio                                {moves / echoes:10.2f}   (floor {FLOOR})")
    return 0 if moves >= FLOOR * echoes else 1


if __name__ == "__main__":
    sys.exit(main())
