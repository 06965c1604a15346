"""What comes on a room's channel: the events of a commit, or who is there.

A commit's payload is a line of text and then its events, as the log has them:

    e<node> <epoch> <top> <size>,<size>…\\n<event><event>…

The line says who made the commit and in which run of the store; `top` is the room's number after
it. commit.lua puts the events behind the line, so that they are sent to the store once.
"""

from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from .presence import PRESENCE, Presence, presence_of

EVENTS = "e"


class Publication(NamedTuple):
    node: str
    epoch: str
    top: int
    events: list[bytes]


def line_of(node: str, epoch: str, top: int, events: list[bytes]) -> bytes:
    sizes = b",".join([b"%d" % len(event) for event in events])
    return b"%b%b %d %b\n" % (head_of(node), epoch.encode(), top, sizes)


@lru_cache(maxsize=8)
def head_of(node: str) -> bytes:
    """What the payloads of that node's commits begin with, and no others."""
    return f"{EVENTS}{node} ".encode()


def read_payload(payload: bytes) -> Publication | Presence:
    if payload.startswith(PRESENCE):
        return presence_of(*map(int, payload.removeprefix(PRESENCE).split()))
    line, _, events = payload.partition(b"\n")
    node, epoch, top, sizes = line.decode().removeprefix(EVENTS).split(" ")
    ends = accumulate(map(int, sizes.split(",")), initial=0)
    parts = [events[start:end] for start, end in pairwise(ends)]
    return Publication(node, epoch, int(top), parts)
