"""A connection to a hall that outlives its sockets.

It says hello with the token, follows rooms, and answers what is asked. When the line drops it
connects again, to any of the hall's addresses, resumes every room from the last event it saw, and
sends again what was asked and not yet answered: the hall knows what it has seen before.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import UNSET
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from towerhall_client.addresses import Address
from towerhall_client.backoff import BackOff
from towerhall_client.dialling import CannotConnect, dial
from towerhall_client.exits import Dropped, NoConnection, Refused, Stop
from towerhall_client.following import Following
from towerhall_client.hall_clock import HallClock
from towerhall_client.identity import Identity
from towerhall_protocol import MSGPACK, CodecError, Request, ServerMessage
from towerhall_protocol.errors import CloseCode, ErrorCode, should_reconnect
from towerhall_protocol.events import RoomEvent, UnknownEvent
from towerhall_protocol.limits import FRAME_LIMIT
from towerhall_protocol.replies import (
    Beat,
    Error,
    Events,
    LobbyState,
    Paired,
    Pong,
    Reply,
    Room,
    Welcome,
)
from towerhall_protocol.requests import ClientMessage, LobbyRequest

SILENCE_IN_BEATS = 2.5
SILENCE_WHEN_ASKED = 1.3
"""The hall is taken for gone after so many beats without a word; sooner if it owes an answer."""
LONGEST_BEAT_S = 30.0
LOOK_S = 0.5
TRIES = 8
LONGEST_WAIT_S = 4.0
RETRIED = (ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE, ErrorCode.DRAINING)

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True)
class Trouble:
    """The line is down. `retry_at` is on this machine's monotonic clock."""

    why: str
    attempt: int
    retry_at: float

    def __str__(self) -> str:
        """For people; asked again and again it counts down."""
        wait = max(0, round(self.retry_at - time.monotonic()))
        when = f"in {wait} s" if wait else "now"
        return f"The line dropped ({self.why}): reconnecting… {when}."


@dataclass(frozen=True)
class Gone:
    """A room that was followed cannot be followed any more."""

    room: str
    sentence: str


News = ServerMessage | Gone


@dataclass
class _Asked:
    request: Request
    reply: asyncio.Future[Reply]
    sent_at: float = 0.0


class Connection:
    """`hear` gets every message that is no mere reply, and each room's events once, in order;
    `line` is told when the line drops (what is the trouble) and when it is back (None)."""

    def __init__(
        self, addresses: tuple[Address, ...], identity: Identity, patience_s: float | None = None
    ) -> None:
        self.addresses = addresses
        self.clock = HallClock()
        self.trouble: Trouble | None = None
        self.hear: Callable[[News], None] = lambda news: None
        self.line: Callable[[Trouble | None], None] = lambda trouble: None
        self.ended: asyncio.Future[Stop] = asyncio.get_running_loop().create_future()
        """Done when the line will not come back."""
        self._identity = identity
        self._patience_s = patience_s
        self._following = Following()
        self._asked: dict[int, _Asked] = {}
        self._number = 0
        self._at = 0
        self._socket: ClientConnection | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._lobby_on = False
        self._catching_up: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> Address:
        return self.addresses[self._at]

    async def open(self) -> Welcome:
        """The first connection: each address is tried once."""
        reasons = []
        for number, address in enumerate(self.addresses):
            try:
                socket, welcome = await dial(address, self._identity)
            except CannotConnect as reason:
                reasons.append(f"{address.place}: {reason}")
                continue
            self._at = number
            self._welcomed(welcome)
            self._keeping = asyncio.create_task(self._keep(socket))
            return welcome
        raise NoConnection(f"No hall could be reached ({'; '.join(reasons)}).")

    async def close(self) -> None:
        for task in [*self._catching_up, self._keeping]:
            if task:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if self._socket:
            await self._socket.close()
        self._fail(Dropped("The connection was closed."))

    async def ask(self, expected: type[R], kind: type[ClientMessage], **fields: Any) -> R:
        """The reply, however often the line drops in between. Raises Refused, or Dropped."""
        reply = await self._answer(self._request(kind, fields))
        if isinstance(reply, expected):
            return reply
        raise Dropped("The hall gave an answer that does not fit the question.")

    async def ask_keyed(self, expected: type[R], kind: type[ClientMessage], **fields: Any) -> R:
        """For requests that are safe to send twice only with a key."""
        return await self.ask(expected, kind, key=secrets.token_urlsafe(12), **fields)

    def unfollow(self, room: str) -> None:
        self._following.forget(room)

    # Asking

    def _request(self, kind: type[ClientMessage], fields: dict[str, Any]) -> Any:
        """What the hall could not even read is refused here: it would be answered to nobody."""
        try:
            request: Any = kind(id=self._next(), **fields)
            size = len(MSGPACK.encode(request))
        except ValueError:
            sentence = "That has characters that cannot be shown."
            raise Refused.here(ErrorCode.BAD_MESSAGE, sentence) from None
        if size > FRAME_LIMIT:
            raise Refused.here(ErrorCode.BAD_MESSAGE, "That is too long.")
        return request

    async def _answer(self, request: Any) -> Reply:
        """What is refused only for now is asked again, a few times."""
        wait = 0.25
        for _ in range(TRIES - 1):
            reply = await self._reply(request)
            if not isinstance(reply, Error):
                return reply
            if reply.code not in RETRIED:
                raise Refused(reply)
            wait = min(2 * wait, LONGEST_WAIT_S)
            told = reply.wait_ms / 1000 if reply.wait_ms is not UNSET else 0.0
            await asyncio.sleep(max(wait, min(told, LONGEST_WAIT_S)))
        reply = await self._reply(request)
        if isinstance(reply, Error):
            raise Refused(reply)
        return reply

    async def _reply(self, request: Any) -> Reply:
        if self.ended.done():
            raise self.ended.result()
        if isinstance(request, LobbyRequest):
            self._lobby_on = request.on
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        asked = _Asked(request, reply, time.monotonic())
        self._asked[request.id] = asked
        await self._send(request)
        try:
            return await asked.reply
        finally:
            self._asked.pop(request.id, None)

    async def _send(self, request: Any) -> None:
        """If the line is down, or breaks now, it is sent when it is back."""
        if self._socket and not self.trouble:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(MSGPACK.encode(request))

    def _next(self) -> int:
        self._number += 1
        return self._number

    # The line

    async def _keep(self, socket: ClientConnection) -> None:
        try:
            while True:
                self._socket = socket
                why = await self._converse(socket)
                socket.transport.abort()
                socket = await self._connect_again(why)
        except Stop as stop:
            self._fail(stop)
        except Exception as error:  # a fault of ours: nobody may wait for ever because of it
            self._fail(Dropped(f"The client failed: {error!r}"))
            raise

    async def _converse(self, socket: ClientConnection) -> str:
        """Until the line breaks; why it did."""
        try:
            self._resume()
            for asked in list(self._asked.values()):
                asked.sent_at = time.monotonic()
                await socket.send(MSGPACK.encode(asked.request))
            heard_at = time.monotonic()
            while time.monotonic() - heard_at < self._silence_s:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        frame = await socket.recv()
                    heard_at = time.monotonic()
                    if message := MSGPACK.decode_server_message(frame):
                        self._take(message)
            return "nothing was heard from the hall"
        except ConnectionClosed as closed:
            return _why_closed(closed)
        except CodecError:
            return "the hall said something that cannot be understood"

    async def _connect_again(self, why: str) -> ClientConnection:
        backoff, since = BackOff(), time.monotonic()
        while True:
            pause = backoff.pause()
            self._tell_line(Trouble(why, backoff.attempt, time.monotonic() + pause))
            await asyncio.sleep(pause)
            self._at = (self._at + (backoff.attempt > 1)) % len(self.addresses)
            try:
                socket, welcome = await dial(self.address, self._identity)
            except CannotConnect as reason:
                why = str(reason)
            else:
                self._welcomed(welcome)
                self._tell_line(None)
                return socket
            if self._patience_s is not None and time.monotonic() - since > self._patience_s:
                raise Dropped(f"The line dropped and did not come back: {why}.")

    def _welcomed(self, welcome: Welcome) -> None:
        self.welcome = welcome
        self.clock.set(welcome.now_ms)

    @property
    def _silence_s(self) -> float:
        beat = min(max(self.welcome.beat_ms / 1000, 1.0), LONGEST_BEAT_S)
        longest = beat * SILENCE_WHEN_ASKED
        now = time.monotonic()
        owed = any(now - asked.sent_at > longest for asked in self._asked.values())
        return longest if owed else beat * SILENCE_IN_BEATS

    def _tell_line(self, trouble: Trouble | None) -> None:
        self.trouble = trouble
        self.line(trouble)

    def _fail(self, stop: Stop) -> None:
        if not self.ended.done():
            self.ended.set_result(stop)
        for asked in self._asked.values():
            if not asked.reply.done():
                asked.reply.set_exception(stop)

    # What the hall says

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Room() | Paired():
                self._following.snapshot(message if isinstance(message, Room) else message.snapshot)
                self.hear(message)
            case Events():
                for event in self._following.caught_up(message):
                    self.hear(event)
            case RoomEvent() | UnknownEvent() if self._following.event(message):
                self.hear(message)
            case RoomEvent() | UnknownEvent():
                self._notice_gap(message)
            case Beat() | Pong():
                self.clock.set(message.now_ms)
                if isinstance(message, Beat):
                    self._notice_gap(message)
            case _ if not isinstance(message, Reply) or message.re is UNSET:
                self.hear(message)
        if isinstance(message, Reply):
            self._take_reply(message)

    def _take_reply(self, message: Reply) -> None:
        asked = None if message.re is UNSET else self._asked.get(message.re)
        if asked and not asked.reply.done():
            asked.reply.set_result(message)

    def _notice_gap(self, message: Any) -> None:
        for room in self._following.behind(message):
            self._catch_up(self._watch_again(room))

    def _resume(self) -> None:
        """What the hall told the last connection, it must be asked to tell this one."""
        for room in self._following.resume_all():
            self._catch_up(self._watch_again(room))
        if self._lobby_on and not self._is_asked(LobbyRequest):
            self._catch_up(self._look_at_lobby_again())

    def _is_asked(self, kind: type[ClientMessage]) -> bool:
        return any(isinstance(asked.request, kind) for asked in self._asked.values())

    def _catch_up(self, asking: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(asking)
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _look_at_lobby_again(self) -> None:
        with contextlib.suppress(Stop):
            self.hear(await self.ask(LobbyState, LobbyRequest, on=True))

    async def _watch_again(self, room: str) -> None:
        try:
            await self._answer(self._following.resume(room, self._next()))
        except Refused as refused:
            self._following.gave_up(room)
            if refused.error.code == ErrorCode.NO_SUCH_ROOM:
                self._following.forget(room)
                self.hear(Gone(room, refused.sentence))
        except Dropped:
            self._following.gave_up(room)


def _why_closed(closed: ConnectionClosed) -> str:
    """Raises Dropped where one should not connect again by oneself."""
    code = closed.rcvd.code if closed.rcvd else 1006
    reason = closed.rcvd.reason if closed.rcvd else ""
    if should_reconnect(code):
        return reason or "the connection was lost"
    if code == CloseCode.REPLACED:
        raise Dropped("You have opened more connections than one may have; this was the oldest.")
    raise Dropped(f"The hall closed the connection ({reason or code}).")
