"""A change of a room, and what the store answers to it."""

from dataclasses import dataclass
from typing import NamedTuple

from .connection import Argument
from .halltime import HallTime
from .keys import keys_of_room
from .presence import EVENTS


class Commit(NamedTuple):
    room: str
    seq: int
    """The room's number that the change was decided on; 0 where there is no room yet."""
    now: HallTime
    """The time it was decided at."""
    state: bytes
    events: list[bytes]
    """At least one, or two different states would bear one number."""
    payload: bytes
    """What is published."""
    deadline_ms: int | None
    """In hall time. None: there is none."""
    live: bool
    """Whether the room belongs to those that are not over."""
    record: tuple[int, bytes] | None = None
    """A finished round's number and record."""
    code: str | None = None
    """To be bound to the room; only needed when it is created."""
    once: str | None = None
    """A commit with the same one, in the same room and ten minutes, is answered Repeated."""
    keep_ms: int | None = None
    """None: leave the room's time to live as it is; 0: for ever."""


@dataclass(frozen=True, slots=True)
class Committed:
    seq: int
    """The number of its first event."""


@dataclass(frozen=True, slots=True)
class Repeated:
    seq: int
    """The number of the first event of the commit that was made then: equal to its Committed."""


@dataclass(frozen=True, slots=True)
class Stale:
    seq: int
    """The number the room is at; 0: there is no such room."""


@dataclass(frozen=True, slots=True)
class WrongTime:
    now: HallTime
    """The true one."""


@dataclass(frozen=True, slots=True)
class CodeTaken:
    pass


Answer = Committed | Repeated | Stale | WrongTime | CodeTaken


def arguments_of(commit: Commit) -> tuple[tuple[str, ...], tuple[Argument, ...]]:
    """The KEYS and ARGV of lua/commit.lua."""
    if not commit.events:
        raise ValueError("a commit needs at least one event")
    keys = keys_of_room(commit.room)
    round_, record = commit.record or ("", b"")
    names = (*keys[:6], f"{keys.once}{commit.once or ''}", f"{keys.code}{commit.code or ''}")
    return names, (
        commit.room,
        keys.channel,
        commit.seq,
        commit.now.now_ms,
        commit.now.down_ms,
        commit.state,
        EVENTS + commit.payload,
        "" if commit.deadline_ms is None else commit.deadline_ms,
        1 if commit.live else 0,
        round_,
        record,
        "" if commit.once is None else 1,
        "" if commit.code is None else 1,
        "" if commit.keep_ms is None else commit.keep_ms,
        *commit.events,
    )


def answer_of(kind: bytes, hall_ms: int, down_ms: int, number: int) -> Answer:
    match kind:
        case b"ok":
            return Committed(number)
        case b"repeated":
            return Repeated(number)
        case b"stale":
            return Stale(number)
        case b"time":
            return WrongTime(HallTime(hall_ms, down_ms))
        case _:
            return CodeTaken()
