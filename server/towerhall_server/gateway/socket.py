"""A connection of websockets', read without its queues and written without its locks.

Frames go to the session as they arrive; what the session writes within one turn of the event loop
goes out in one write. A peer that does not read cannot be closed politely: it is cut.
"""

import asyncio
import contextlib
import socket as sockets
import sys
import time
from typing import Any, Protocol

from websockets.frames import Frame, Opcode
from websockets.protocol import State

from towerhall_server.gateway.limits import files_but
from towerhall_server.gateway.opening import Opening
from towerhall_server.gateway.plain_frames import is_between_messages, plain_frames

SEND_BUFFER = 65_536
UNACKNOWLEDGED_MS = 8_000
PING_AFTER_S = 4.0
PONG_WITHIN_S = 4.5
CLOSE_WITHIN_S = 2.0
SPARE_FILES = 128
LINUX = sys.platform == "linux"
PROGRAM_MS = 100
"""What a busy client takes to answer a ping, besides the line's own delay."""
MOST_ROUND_TRIP_MS = 60_000
_RTT_US = 68
"""Where the kernel's tcp_info has the smoothed round trip, in microseconds."""


_unflushed: "list[Socket]" = []
"""Those with something to send at the end of this turn of the loop."""


def _flush_soon(socket: "Socket") -> None:
    if not _unflushed:
        socket.loop.call_soon(_flush_all)
    _unflushed.append(socket)


def _flush_all() -> None:
    waiting, _unflushed[:] = list(_unflushed), []
    for socket in waiting:
        try:
            socket.flush()
        except Exception:
            # One connection's trouble must not be another one's.
            socket.cut()


def _read(payload: bytes) -> str:
    """Bad UTF-8 stays a frame that is no message: the codec refuses it by its surrogates."""
    return payload.decode(errors="surrogateescape")


class Conversation(Protocol):
    """Whoever speaks through the socket."""

    def heard(self, data: bytes | str) -> None: ...

    def heard_control(self) -> None:
        """A frame without a message: a ping, a pong unasked for, a part of a message."""

    def lost(self) -> None: ...


class Socket(Opening):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round_trip_ms = 0
        self.proxied = False
        """Whether a proxy that is trusted is at the other end, and the player behind it."""
        self._conversation: Conversation | None = None
        self._all_plain = False
        """Since websockets' parser was last seen between two messages it got nothing to read."""
        self._parts: list[bytes] = []
        self._parts_are_text = False
        self._pending: list[bytes] = []
        self._pending_size = 0
        self._ponged_at = time.monotonic()
        self._pinged_at: float | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if len(self.server.handler_tasks) > files_but(SPARE_FILES):
            # With no file left nobody is accepted, nor refused: newcomers would wait in vain.
            self.cut()
        raw = transport.get_extra_info("socket")
        if raw is not None and raw.family in (sockets.AF_INET, sockets.AF_INET6):
            # asyncio does this only where the listening socket was made with a protocol number.
            raw.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
            # Else the kernel holds megabytes for a peer that never reads, for as long as it likes.
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, SEND_BUFFER)
            if hasattr(sockets, "TCP_USER_TIMEOUT"):
                raw.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        conversation, self._conversation = self._conversation, None
        if conversation:
            conversation.lost()

    def converse(self, conversation: Conversation) -> None:
        """From now on the conversation hears every frame, first those that came before it."""
        self._conversation = conversation
        self.upgraded()

    def data_received(self, data: bytes) -> None:
        """What is plain is heard at once; websockets reads the rest, and does what it asks for."""
        conversation = self._conversation
        if conversation and self._takes_plain():
            frames, end = plain_frames(data, self.protocol.max_message_size or 0)
            for payload, text in frames:
                conversation.heard(_read(payload) if text else payload)
            if end == len(data):
                return
            data = data[end:]
        self._all_plain = False
        super().data_received(data)

    def process_event(self, event: Any) -> None:
        if self.request is None or not isinstance(event, Frame):
            super().process_event(event)
            return
        opcode = event.opcode
        if opcode is Opcode.PONG and self._pinged_at is not None:
            self._ponged(self._pinged_at)
        elif opcode in (Opcode.TEXT, Opcode.BINARY) and event.fin:
            self._hear(bytes(event.data), opcode is Opcode.TEXT)
        elif opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._hear_part(event)
        elif opcode in (Opcode.PING, Opcode.PONG) and self._conversation:
            self._conversation.heard_control()

    def write(self, frame: bytes) -> None:
        """Queue a whole frame; it goes out with all others of this turn of the loop."""
        if not self._pending:
            _flush_soon(self)
        self._pending.append(frame)
        self._pending_size += len(frame)

    async def ready(self) -> None:
        """Let others have a turn, and wait while the peer does not read."""
        await asyncio.sleep(0)
        with contextlib.suppress(OSError):
            await self.drain()

    @property
    def queued(self) -> int:
        return self.transport.get_write_buffer_size() + self._pending_size

    def look_after(self, now: float) -> None:
        """Ping every few seconds, and cut who does not answer: who talks may still not read."""
        if self._pinged_at is not None:
            if now - self._pinged_at > PONG_WITHIN_S:
                self.cut()
        elif now - self._ponged_at > PING_AFTER_S and self.protocol.state is State.OPEN:
            self._pinged_at = now
            self.protocol.send_ping(b"")
            self.send_data()

    def shut(self, code: int, reason: str) -> None:
        """Close with a code; a peer that does not answer is cut soon after."""
        if self.protocol.state is not State.OPEN:
            return
        self.flush()
        self.protocol.send_close(code, reason)
        self.send_data()
        self.loop.call_later(CLOSE_WITHIN_S, self.cut)

    def cut(self) -> None:
        self.transport.abort()

    def flush(self) -> None:
        pending, self._pending, self._pending_size = self._pending, [], 0
        if pending and self.protocol.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(pending[0] if len(pending) == 1 else b"".join(pending))

    def _takes_plain(self) -> bool:
        if not self._all_plain:
            self._all_plain = is_between_messages(self.protocol)
        return self._all_plain and self.protocol.state is State.OPEN

    def _ponged(self, pinged_at: float) -> None:
        self._ponged_at = time.monotonic()
        self.round_trip_ms = int((self._ponged_at - pinged_at) * 1000)
        if not self.proxied:
            # A pong may be held back to be given time for it; the kernel's own measure may not.
            self.round_trip_ms = min(self.round_trip_ms, self._kernel_round_trip_ms())
        self._pinged_at = None

    def _kernel_round_trip_ms(self) -> int:
        """Smoothed by TCP from its acknowledgements, and a little more for the peer's program."""
        raw = self.transport.get_extra_info("socket")
        if raw is None or raw.family not in (sockets.AF_INET, sockets.AF_INET6) or not LINUX:
            return MOST_ROUND_TRIP_MS
        info = raw.getsockopt(sockets.IPPROTO_TCP, sockets.TCP_INFO, _RTT_US + 4)
        return int.from_bytes(info[_RTT_US:], sys.byteorder) // 1000 + PROGRAM_MS

    def _hear(self, payload: bytes, text: bool) -> None:
        data = _read(payload) if text else payload
        if self._conversation:
            self._conversation.heard(data)

    def _hear_part(self, frame: Frame) -> None:
        if frame.opcode is not Opcode.CONT:
            self._parts, self._parts_are_text = [], frame.opcode is Opcode.TEXT
        self._parts.append(bytes(frame.data))
        if frame.fin:
            payload, self._parts = b"".join(self._parts), []
            self._hear(payload, self._parts_are_text)
        elif self._conversation:
            self._conversation.heard_control()
