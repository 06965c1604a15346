"""A peer below websockets: it sends what it likes, and reads only if it wants to."""

import asyncio
import contextlib
import json
import os
import socket
import time
from typing import Any, ClassVar, Self

import msgpack

from end_to_end.node import Node

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def upgrade(node: Node, *headers: str) -> bytes:
    lines = [
        "GET /ws HTTP/1.1",
        f"Host: 127.0.0.1:{node.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def frame(opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    """As a client sends it: masked."""
    mask = os.urandom(4)
    head = bytes([opcode | (0x80 if fin else 0)])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65_536:
        head += bytes([0x80 | 126]) + len(payload).to_bytes(2, "big")
    else:
        head += bytes([0x80 | 127]) + len(payload).to_bytes(8, "big")
    long_mask = mask * (len(payload) // 4 + 1)
    return head + mask + bytes(a ^ b for a, b in zip(payload, long_mask, strict=False))


class Peer:
    _open: ClassVar[list["Peer"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.encoding = "msgpack"
        self.asked = 0
        self._open.append(self)

    @classmethod
    async def connect(cls, port: int, receive_buffer: int = 4096) -> Self:
        """Nothing but TCP."""
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        except OSError:
            sock.close()
            raise
        return cls(*await asyncio.open_connection(sock=sock))

    @classmethod
    async def open(cls, node: Node, encoding: str = "msgpack", port: int | None = None) -> Self:
        peer = await cls.connect(port or node.port)
        peer.encoding = encoding
        peer.writer.write(upgrade(node, f"Sec-WebSocket-Protocol: towerhall.v1.{encoding}"))
        head = await asyncio.wait_for(peer.reader.readuntil(b"\r\n\r\n"), 10)
        assert head.startswith(b"HTTP/1.1 101 "), head
        return peer

    @classmethod
    async def hello(
        cls,
        node: Node,
        encoding: str = "msgpack",
        *,
        token: str | None = None,
        port: int | None = None,
    ) -> Self:
        peer = await cls.open(node, encoding, port)
        welcome = await peer.ask("hello", **({"token": token} if token else {}))
        assert welcome["type"] == "welcome"
        return peer

    def send(self, opcode: int, payload: bytes, *, fin: bool = True) -> None:
        self.writer.write(frame(opcode, payload, fin=fin))

    def say(self, kind: str, **fields: Any) -> None:
        self.asked += 1
        message: dict[str, Any] = {"type": kind, "id": self.asked, **fields}
        if self.encoding == "json":
            self.send(TEXT, json.dumps(message).encode())
        else:
            self.send(BINARY, msgpack.packb(message))

    async def ask(self, kind: str, **fields: Any) -> Any:
        """The reply, whatever it is."""
        self.say(kind, **fields)
        while True:
            message = await self.message()
            if message.get("re") == self.asked:
                return message

    async def message(self) -> Any:
        """The next message; whoever waits for one also answers pings."""
        while True:
            opcode, payload = await asyncio.wait_for(self.receive(), 10)
            if opcode == TEXT:
                return json.loads(payload)
            if opcode == BINARY:
                return msgpack.unpackb(payload)
            if opcode == PING:
                self.send(PONG, payload)
            assert opcode != CLOSE, payload

    async def receive(self) -> tuple[int, bytes]:
        first, size = await self.reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(size)

    async def close_code(self, patience: float = 10) -> int | None:
        """The code that the server closes with; None if it cuts without one."""
        async with asyncio.timeout(patience):
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    opcode, payload = await self.receive()
                    if opcode == CLOSE:
                        return int.from_bytes(payload[:2], "big")
        return None

    async def seconds_to_end(self, patience: float = 20) -> float:
        """How long the server leaves the connection open."""
        began = time.monotonic()
        async with asyncio.timeout(patience):
            with contextlib.suppress(ConnectionError):
                while await self.reader.read(65_536):
                    pass
        return time.monotonic() - began

    def stop_reading(self) -> None:
        self.writer.transport.pause_reading()  # type: ignore[attr-defined]

    def start_reading(self) -> None:
        self.writer.transport.resume_reading()  # type: ignore[attr-defined]

    def drop(self) -> None:
        self.writer.transport.abort()

    @classmethod
    def drop_all(cls) -> None:
        while cls._open:
            cls._open.pop().drop()
