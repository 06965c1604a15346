"""Run by the tests: `crowd.py PORT SIZE PATIENCE` connects as fast as the kernel lets it, asks for
upgrades, prints what came of it, and stays until its input ends.
"""

import errno
import json
import select
import socket
import sys
import time
from collections import Counter

UPGRADE = """GET /ws HTTP/1.1
Host: 127.0.0.1
Upgrade: websocket
Connection: Upgrade
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
Sec-WebSocket-Version: 13

""".replace("\n", "\r\n").encode()


def rush(port: int, size: int, patience: float) -> dict[str, float]:
    began = time.monotonic()
    poll = select.poll()
    waiting: dict[int, socket.socket] = {}
    outcomes = Counter({"served": 0, "refused": 0})
    slowest = 0.0
    for _ in range(size):
        one = socket.socket()
        one.setblocking(False)
        assert one.connect_ex(("127.0.0.1", port)) in (0, errno.EINPROGRESS)
        waiting[one.fileno()] = one
        poll.register(one, select.POLLOUT)
    while waiting and time.monotonic() - began < patience:
        for number, _ in poll.poll(100):
            if outcome := step(poll, waiting[number]):
                poll.unregister(number)
                STAYING.append(waiting.pop(number))
                outcomes[outcome] += 1
                slowest = time.monotonic() - began
    STAYING.extend(waiting.values())
    return {**outcomes, "waiting": len(waiting), "slowest": slowest}


def step(poll: "select.poll", one: socket.socket) -> str | None:
    try:
        try:
            head = one.recv(4096)
            return "served" if b" 101 " in head[:15] else "refused"
        except BlockingIOError:
            one.send(UPGRADE)
            poll.modify(one, select.POLLIN)
            return None
    except OSError:
        return "refused"


STAYING: list[socket.socket] = []

if __name__ == "__main__":
    told = rush(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    sys.stdin.read()
