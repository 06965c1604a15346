"""One connection to the store: commands out in one write per tick of the loop, replies in order.

A reply is matched to its command by nothing but the order. So a connection on which one reply
stayed out for too long is of no more use and is dropped. Whoever no longer waits for a reply
leaves its place in the order as it is.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

import hiredis

from .address import Address, connect
from .faults import Unknown, fault_of
from .telling import tell

TIMEOUT_S: Final = 2.5

_INCOMPLETE: Final = object()

Argument = str | bytes | int
Command = tuple[Argument, ...]
Reply = Any
"""bytes, an int, None, a list of replies, a hiredis.ReplyError; or LOST."""


Heard = Callable[[Reply], None]

# hiredis' own annotation knows tuples of one item only.
pack = cast(Callable[[Command], bytes], hiredis.pack_command)


class Lost:
    """Stands for the reply that never came."""


LOST: Final = Lost()


class Flush:
    """What goes out in one write, and when that was: a process that is busy for seconds before it
    writes must not take the store for slow."""

    __slots__ = ("sent_at",)

    def __init__(self) -> None:
        self.sent_at: float | None = None


class Connection(asyncio.Protocol):
    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout_s = timeout_s
        self._reader = hiredis.Reader(notEnoughData=_INCOMPLETE)
        self._pending: deque[tuple[Heard, Flush]] = deque()
        self._unsent: list[bytes] = []
        self._next_flush = Flush()
        self._transport: asyncio.Transport | None = None
        self._overdue: asyncio.TimerHandle | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()
        self.heard_at = time.monotonic()
        self.on_push: Callable[[Reply], None] | None = None
        """Set, it gets every reply: a subscriber's connection answers to no order."""

    def post(self, command: Command) -> "asyncio.Future[Reply]":
        """Send a command. Its future never raises: it may hold an error reply, or LOST."""
        future: asyncio.Future[Reply] = self._loop.create_future()
        self.ask(pack(command), partial(_fulfil, future))
        return future

    def ask(self, packed: bytes, heard: Heard) -> None:
        """Send a packed command. `heard` gets the reply, an error reply, or LOST, as it comes: it
        is called between two others, and must not wait nor raise."""
        if self.lost.done():
            heard(LOST)
            return
        self._send(packed)
        self._pending.append((heard, self._next_flush))

    def send(self, command: Command) -> None:
        """Send a command whose replies are left to `on_push`."""
        if not self.lost.done():
            self._send(pack(command))

    def _send(self, packed: bytes) -> None:
        if not self._unsent:
            self._next_flush = Flush()
            self._loop.call_soon(self._flush)
        self._unsent.append(packed)

    async def request(self, command: Command) -> Reply:
        reply = await self.post(command)
        if reply is LOST:
            raise Unknown("the connection to the store was lost")
        if isinstance(reply, hiredis.ReplyError):
            raise fault_of(str(reply))
        return reply

    @property
    def pending(self) -> int:
        return len(self._pending)

    @property
    def silent_s(self) -> float:
        """For how long the store owes a reply and sent none."""
        sent_at = self._pending[0][1].sent_at if self._pending else None
        return 0.0 if sent_at is None else time.monotonic() - max(self.heard_at, sent_at)

    def drop(self) -> None:
        """Close at once. What was in flight is lost, and its waiters are told so soon."""
        if self._transport:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.heard_at = time.monotonic()
        self._reader.feed(data)
        next_reply, deliver = self._reader.gets, self.on_push or self._deliver
        try:
            while (reply := next_reply()) is not _INCOMPLETE:
                deliver(reply)
        except hiredis.ProtocolError:
            self.drop()

    def connection_lost(self, error: Exception | None) -> None:
        if self._overdue:
            self._overdue.cancel()
        self._unsent.clear()
        self.lost.set_result(None)
        pending, self._pending = self._pending, deque()
        for heard, _ in pending:
            tell(heard, LOST)

    def _deliver(self, reply: Reply) -> None:
        if self._pending:
            heard, _ = self._pending.popleft()
            tell(heard, reply)
        else:
            self.drop()  # a reply nobody asked for: the order is broken

    def _flush(self) -> None:
        if self._transport and self._unsent:
            self._transport.write(b"".join(self._unsent))
        self._unsent.clear()
        self._next_flush.sent_at = time.monotonic()
        if self._pending and self._overdue is None:
            self._overdue = self._loop.call_later(self._timeout_s, self._drop_if_overdue)

    def _drop_if_overdue(self) -> None:
        self._overdue = None
        sent_at = self._pending[0][1].sent_at if self._pending else None
        if sent_at is None:
            return
        due = sent_at + self._timeout_s - time.monotonic()
        if due <= 0:
            self.drop()
        else:
            self._overdue = self._loop.call_later(due, self._drop_if_overdue)


def _fulfil(future: "asyncio.Future[Reply]", reply: Reply) -> None:
    if not future.done():
        future.set_result(reply)


async def dial(address: Address, timeout_s: float = TIMEOUT_S) -> Connection:
    """A connection that has been let in. Raises OSError, TimeoutError or a StoreError."""
    async with asyncio.timeout(timeout_s):
        connection = await connect(address, lambda: Connection(timeout_s))
    try:
        for command in address.greeting:
            await connection.request(command)
    except BaseException:
        connection.drop()
        raise
    return connection
