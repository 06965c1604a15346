"""Wake-ups: what is published on the channels of the rooms that this node follows.

They may be lost whenever the connection is; `on_gap` says when that may have happened, once all
channels are subscribed to again. The room's log is the truth.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice

import hiredis

from .address import Address
from .connection import TIMEOUT_S, Connection, Reply
from .faults import Unavailable
from .keeper import Keeper
from .keys import channel_of, room_of_channel
from .telling import tell

log = logging.getLogger(__name__)

PING_EVERY_S = 5.0
BATCH = 500

OnPayload = Callable[[str, bytes], None]
OnGap = Callable[[], None]


class Subscriber:
    def __init__(self, address: Address, on_payload: OnPayload, on_gap: OnGap) -> None:
        self._keeper = Keeper(address, self._greet, self._lose)
        self._on_payload = on_payload
        self._on_gap = on_gap
        self._connection: Connection | None = None
        self._greeted = False
        self._rooms: set[str] = set()
        self._unconfirmed: Counter[str] = Counter()
        self._waiters: dict[str, asyncio.Future[None]] = {}
        self._all_confirmed = asyncio.Event()
        self._pinging: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._keeper.start()
        self._pinging = asyncio.create_task(self._ping())

    async def close(self) -> None:
        if self._pinging:
            self._pinging.cancel()
            await asyncio.wait([self._pinging])
        await self._keeper.close()
        for waiter in self._waiters.values():
            waiter.cancel()

    async def subscribe(self, room: str) -> None:
        """Returns when the store confirmed it: every later payload comes. Raises Unavailable."""
        waiter = self._waiters.get(room)
        if waiter is None:
            if room in self._rooms:
                return
            waiter = self._waiters[room] = asyncio.get_running_loop().create_future()
            self._rooms.add(room)
            if self._connection:
                self._send_subscribe(self._connection, [room])
        # Who stops waiting leaves the subscription to the others who asked for it.
        await asyncio.wait([waiter], timeout=TIMEOUT_S)
        if not waiter.done():
            self.unsubscribe(room)
        if waiter.cancelled():
            raise Unavailable(f"the store did not confirm the subscription to room {room}")

    def unsubscribe(self, room: str) -> None:
        self._rooms.discard(room)
        if waiter := self._waiters.pop(room, None):
            waiter.cancel()
        if self._connection:
            self._connection.send(("UNSUBSCRIBE", channel_of(room)))

    async def _greet(self, connection: Connection) -> None:
        self._unconfirmed.clear()
        self._all_confirmed.set()
        connection.on_push = self._hear
        self._connection = connection
        rooms = iter(list(self._rooms))
        while batch := list(islice(rooms, BATCH)):
            self._send_subscribe(connection, batch)
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._all_confirmed.wait()
        except BaseException:
            self._lose()
            raise
        if self._greeted:
            tell(self._on_gap)
        self._greeted = True

    def _lose(self) -> None:
        self._connection = None

    def _send_subscribe(self, connection: Connection, rooms: list[str]) -> None:
        connection.send(("SUBSCRIBE", *(channel_of(room) for room in rooms)))
        self._unconfirmed.update(rooms)
        self._all_confirmed.clear()

    def _hear(self, reply: Reply) -> None:
        match reply:
            case [b"message", channel, payload]:
                self._wake(room_of_channel(channel.decode()), payload)
            case [b"subscribe", channel, _]:
                self._confirm(room_of_channel(channel.decode()))
            case hiredis.ReplyError():
                log.warning("the store refuses a subscription: %s", reply)
                if self._connection:
                    self._connection.drop()

    def _wake(self, room: str, payload: bytes) -> None:
        if room in self._rooms:
            tell(self._on_payload, room, payload)

    def _confirm(self, room: str) -> None:
        # A room may have been given up and asked for again: only the last confirmation counts.
        self._unconfirmed[room] -= 1
        if self._unconfirmed[room] > 0:
            return
        del self._unconfirmed[room]
        if waiter := self._waiters.pop(room, None):
            waiter.set_result(None)
        if not self._unconfirmed:
            self._all_confirmed.set()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_EVERY_S - TIMEOUT_S)
            connection, asked_at = self._connection, time.monotonic()
            if connection:
                connection.send(("PING",))
            await asyncio.sleep(TIMEOUT_S)
            if connection and connection.heard_at < asked_at:
                connection.drop()
