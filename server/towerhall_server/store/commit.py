"""A change of a room, and what the store answers to it."""

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from .connection import pack
from .halltime import HallTime
from .keys import keys_of_room
from .scripts import COMMIT

_HEADED = 13
"""Arguments of the command in `_head`."""


class Commit(Struct, frozen=True):
    room: str
    seq: int
    """The room's number that the change was decided on; 0 where there is no room yet."""
    now: HallTime
    """The time it was decided at."""
    state: bytes
    """Empty: as it was stored last, and the events since tell the rest."""
    events: list[bytes]
    """At least one, or two different states would bear one number."""
    deadline_ms: int | None
    """In hall time. None: there is none."""
    live: bool
    """Whether the room belongs to those that are not over."""
    shown: Literal["open", "games"] | None = None
    """The list in which the lobby finds a room that is not over."""
    record: tuple[int, bytes] | None = None
    """A finished round's number and record."""
    code: str | None = None
    """To be bound to the room; only needed when it is created."""
    once: str | None = None
    """A commit with the same one, in the same room and ten minutes, is answered Repeated."""
    keep_ms: int | None = None
    """None: leave the room's time to live as it is; 0: for ever."""


class Committed(Struct, frozen=True):
    seq: int
    """The number of its first event."""


class Repeated(Struct, frozen=True):
    seq: int
    """The number of the first event of the commit that was made then: equal to its Committed."""


class Stale(Struct, frozen=True):
    seq: int
    """The number the room is at; 0: there is no such room."""


class WrongTime(Struct, frozen=True):
    now: HallTime
    """The true one."""
    asleep: bool = False
    """Time stands still in the shard until its next pulse."""


class CodeTaken(Struct, frozen=True):
    pass


_PLACES = {None: 1, "open": 2, "games": 3}

Answer = Committed | Repeated | Stale | WrongTime | CodeTaken


def packed(commit: Commit, line: bytes) -> bytes:
    """The call of lua/commit.lua, as the store reads it; `line` begins what is published.

    Every move makes one: so what is always the same for a room is packed once.
    """
    if not commit.events:
        raise ValueError("a commit needs at least one event")
    usual = commit.once is None and commit.code is None
    head = _usual_head(commit.room) if usual else _head(commit.room, commit.once, commit.code)
    values = [_numbers(commit), commit.state, line, *commit.events]
    if not usual or commit.record or commit.keep_ms is not None:
        values += _more(commit)
    bulks = [b"$%d\r\n%b\r\n" % (len(value), value) for value in values]
    return b"*%d\r\n%b%b" % (_HEADED + len(bulks), head, b"".join(bulks))


def _numbers(commit: Commit) -> bytes:
    deadline = b"-" if commit.deadline_ms is None else b"%d" % commit.deadline_ms
    now_ms, down_ms = commit.now
    live = _PLACES[commit.shown] if commit.live else 0
    numbers = (commit.seq, now_ms, down_ms, deadline, live, len(commit.events))
    return b"%d %d %d %b %d %d" % numbers


def _more(commit: Commit) -> list[bytes]:
    """Names and values of what only some commits do."""
    more = []
    if commit.record:
        more += [b"round", b"%d" % commit.record[0], b"record", commit.record[1]]
    if commit.once is not None:
        more += [b"once", b"1"]
    if commit.code is not None:
        more += [b"code", b"1"]
    if commit.keep_ms is not None:
        more += [b"keep", b"%d" % commit.keep_ms]
    return more


def _head(room: str, once: str | None, code: str | None) -> bytes:
    keys = keys_of_room(room)
    names = (*keys[:6], f"{keys.once}{once or ''}", f"{keys.code}{code or ''}")
    command = pack(("EVALSHA", COMMIT.sha, len(names), *names, room, keys.channel))
    count, _, arguments = command.partition(b"\r\n")
    assert count == b"*%d" % _HEADED  # noqa: S101
    return arguments


@lru_cache(maxsize=8192)
def _usual_head(room: str) -> bytes:
    return _head(room, None, None)


def answer_of(kind: bytes, hall_ms: int, down_ms: int, number: int) -> Answer:
    if kind == b"ok":
        return Committed(number)
    match kind:
        case b"repeated":
            return Repeated(number)
        case b"stale":
            return Stale(number)
        case b"time":
            return WrongTime(HallTime(hall_ms, down_ms), asleep=not number)
        case _:
            return CodeTaken()
