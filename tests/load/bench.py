"""Durable moves a second of server CPU, beside a plain `websockets` echo in the same run.

    python -m load.bench [--seconds 4] [--games 40] [--rounds 3]

Server, store and generator are processes of their own; only the server's CPU time counts. Echo and
hall take turns, and the ratio is of the medians: the machine is shared, the ratio holds.

Each round has a new echo, which is measured twice. asyncio reads into 256 KiB at a time, for which
glibc asks the kernel anew with every read, until a connection is lost and such a block is freed
whole: from then on it keeps them, and the same echo takes half the CPU time. The floor is for the
echo as it starts, which is what a plain echo is; the other figure is shown beside it.

The hall is measured with long games, so that it is moves that are measured, and with short ones,
where the ends of games and the rematches have their share.
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
ECHOES = ("echo", "echo, used before")
HALLS: dict[str, tuple[str, ...]] = {"moves": (), "moves in short games": ("--short",)}
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
        url = url_told(hall)
        rates: dict[str, list[float]] = {name: [] for name in (*ECHOES, *HALLS)}
        for number in range(arguments.rounds):
            with ExitStack() as echoing:
                echo = start(echoing, "load.echo")
                echo_url, twice = url_told(echo), str(2 * arguments.games)
                for name in ECHOES:
                    how = ("--echo", "--many", twice)
                    rates[name].append(measure(echo, echo_url, arguments.seconds, *how))
            for name, games in HALLS.items():
                many = str(arguments.games)
                rates[name].append(measure(hall, url, arguments.seconds, "--many", many, *games))
            told_now = (f"{name} {measured[-1]:,.0f}" for name, measured in rates.items())
            print(f"{number + 1}: {', '.join(told_now)}", flush=True)
    return report({name: statistics.median(measured) for name, measured in rates.items()})


def report(rates: dict[str, float]) -> int:
    print("\nfor each second of the server's CPU:")
    for name, rate in rates.items():
        print(f"  {name:28} {rate:10,.0f}")
    (fresh, used), (long, short) = ECHOES, HALLS
    print("\ndurable moves to echoes:")
    for hall, echo in ((long, fresh), (long, used), (short, fresh), (short, used)):
        print(f"  {hall + ' to ' + echo:28} {rates[hall] / rates[echo]:10.2f}")
    ratio = rates[long] / rates[fresh]
    print(f"\nratio {ratio:.2f}, floor {FLOOR}")
    return 0 if ratio >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
