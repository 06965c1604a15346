"""Many games at once from one process, each move made as soon as it is known.

It must be much cheaper than the server it drives, or it measures itself: so it reads and writes the
frames of RFC 6455 by hand, which is little, as a server's frames are never masked and ours never
fragmented. Whoever starts it is told "ready", and asks for the count by a line on its stdin.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgpack

Message = dict[str, Any]

# 98 moves, so that it is moves that are measured, and not the making of new games.
LONG: tuple[Message, ...] = ({"game": "strangers", "options": {"one_may_open": False}},)
# 29 moves and some 20: what it is when games end all the time.
SHORT: tuple[Message, ...] = (
    {"game": "chain", "options": {"target": 30}},
    {"game": "builder", "options": {"target": 34}},
)
UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
BINARY = 0x82
PING = 0x89
NO_MASK = bytes(4)


class Wire(asyncio.Protocol):
    """A websocket client, as bare as can be."""

    def __init__(self, host: str, hear: Callable[[bytes], None]) -> None:
        self._host = host
        self._hear = hear
        self._buffer = b""
        self._transport: Any = None
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(cls, url: str, hear: Callable[[bytes], None]) -> "Wire":
        place = urlsplit(url)
        loop = asyncio.get_running_loop()
        host, port = str(place.hostname), place.port or 80
        _, wire = await loop.create_connection(lambda: cls(place.netloc, hear), host, port)
        await wire.open
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.write(UPGRADE.format(host=self._host).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("the server hung up"))
            self.open.exception()  # whoever waited for it may have given up

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done():
            head, end, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            self.open.set_result(None)
        while (end_of_frame := self._frame_end()) is not None:
            start, stop = end_of_frame
            first, payload = self._buffer[0], self._buffer[start:stop]
            self._buffer = self._buffer[stop:]
            if first == BINARY:
                self._hear(payload)
            elif first == PING:
                self.send(payload, 0x8A)

    def send(self, payload: bytes, first: int = BINARY) -> None:
        size = len(payload)
        head = (
            bytes((first, 0x80 | size))
            if size < 126
            else bytes((first, 0xFE, size >> 8, size & 255))
        )
        self._transport.write(head + NO_MASK + payload)

    def abort(self) -> None:
        self._transport.abort()

    def _frame_end(self) -> tuple[int, int] | None:
        buffer = self._buffer
        if len(buffer) < 4:
            return (2, 2) if len(buffer) >= 2 and not buffer[1] else None
        size, start = buffer[1], 2
        if size == 126:
            size, start = buffer[2] << 8 | buffer[3], 4
        return (start, start + size) if len(buffer) >= start + size else None


class Player:
    """One seat of one room for ever: games and rematches."""

    def __init__(self, count: "Count", number: int) -> None:
        self._count = count
        self._number = number
        self._asked = 0
        self._reply: asyncio.Future[Message] | None = None
        self._chance = random.Random(number)
        self._wire: Wire
        self.seat = 0
        self.room = ""

    async def connect(self, url: str) -> None:
        self._wire = await Wire.connect(url, self.hear)

    async def ask(self, kind: str, **fields: Any) -> Message:
        self._reply = asyncio.get_running_loop().create_future()
        self.send(kind, **fields)
        reply = await self._reply
        if reply["type"] == "error":
            raise RuntimeError(reply["message"])
        return reply

    def send(self, kind: str, **fields: Any) -> None:
        self._asked += 1
        self._wire.send(msgpack.packb({"type": kind, "id": self._asked, **fields}))

    def hear(self, payload: bytes) -> None:
        message: Message = msgpack.unpackb(payload)
        kind = message.get("kind")
        if self._reply and message.get("re") == self._asked:
            reply, self._reply = self._reply, None
            reply.set_result(message)
        elif message["type"] == "accepted":
            self._count.moves += 1
        elif message["type"] == "error" and message["code"] != "stale_ply":
            self._count.failed = message["message"]
        elif kind in ("moved", "started") or message["type"] == "room":
            self.step(message)
        elif kind == "finished":
            self.send("rematch", room=self.room, round=message["round"])

    def step(self, message: Message) -> None:
        """Move if it is this seat's turn, by an event or a snapshot. More passes may follow: then
        the ply is stale, and the next event is answered."""
        passes_follow = message.get("seat") == self.seat and not message.get("forced")
        if message["turn"] != self.seat or passes_follow:
            return
        ply = message.get("ply", 0) + (message.get("kind") == "moved")
        if message["legal"] is None:
            text = str(message["view"]["stacks"][0]["items"][-1] * 2)
        else:
            text = self._chance.choice(message["legal"])
        self.send("move", room=self.room, round=message["round"], ply=ply, move=text)


class Count:
    """Moves accepted, or messages echoed."""

    def __init__(self) -> None:
        self.moves = 0
        self.failed = ""


async def seat_two(
    url: str, number: int, count: Count, games: tuple[Message, ...]
) -> tuple[Player, str]:
    """A room with its creator in it; the second player waits with the code."""
    one, two = Player(count, number), Player(count, number)
    for player in (one, two):
        await player.connect(url)
        await player.ask("hello", name="bench")
    room = await one.ask("create", **games[number % len(games)], first="creator")
    one.room = two.room = room["room"]
    two.seat = 1
    return two, room["code"]


async def echo(url: str, count: Count) -> None:
    """A message of a move's size, there and back for ever."""
    fields = {"type": "move", "id": 1, "room": "0" * 20, "round": 1, "ply": 1, "move": "3A"}
    message = msgpack.packb(fields)

    def heard(payload: bytes) -> None:
        count.moves += 1
        wire.send(message)

    wire = await Wire.connect(url, heard)
    wire.send(message)


async def main(arguments: argparse.Namespace) -> None:
    count, url = Count(), arguments.url
    if arguments.echo:
        for _ in range(arguments.many):
            await echo(url, count)
    else:
        games = SHORT if arguments.short else LONG
        seconds = [await seat_two(url, number, count, games) for number in range(arguments.many)]
        for player, code in seconds:
            player.step(await player.ask("join", room=code))
    print("ready", flush=True)
    for _ in range(2):
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        print(count.failed or count.moves, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--many", type=int, required=True)
    parser.add_argument("--echo", action="store_true")
    parser.add_argument("--short", action="store_true")
    asyncio.run(main(parser.parse_args()))
