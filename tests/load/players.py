"""Many games at once through one generator process: every move is made as soon as it is known.

Prints one JSON line: how many moves were accepted (or messages echoed) within the time.
"""

import argparse
import asyncio
import itertools
import json
import random
import sys
import time
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

Message = dict[str, Any]
AT_ONCE = asyncio.Semaphore(20)

# Long games, so that it is moves that are measured, and not the making of new games.
GAMES: tuple[Message, ...] = (
    {"game": "strangers", "options": {"one_may_open": False}},
    {"game": "chain", "options": {"target": 30}},
    {"game": "builder", "options": {"target": 34}},
)
MSGPACK = Subprotocol("towerhall.v1.msgpack")


class Count:
    """Moves accepted, or messages echoed."""

    def __init__(self) -> None:
        self.moves = 0


class Seat:
    """A player's connection: asks, and hears what happens."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)

    @classmethod
    async def open(cls, url: str, name: str) -> "Seat":
        seat = cls(await connect(url, subprotocols=[MSGPACK], compression=None, ping_interval=None))
        await seat.ask("hello", name=name)
        return seat

    async def send(self, kind: str, **fields: Any) -> int:
        number = next(self._ids)
        await self._socket.send(msgpack.packb({"type": kind, "id": number, **fields}))
        return number

    async def hear(self) -> Message:
        message: Message = msgpack.unpackb(await self._socket.recv())
        return message

    async def ask(self, kind: str, **fields: Any) -> Message:
        number = await self.send(kind, **fields)
        while (message := await self.hear()).get("re") != number:
            pass
        if message["type"] == "error":
            raise RuntimeError(message["message"])
        return message


async def game(url: str, number: int, count: Count, ready: asyncio.Barrier) -> None:
    """One room for ever: games and rematches of the kind that falls to it."""
    async with AT_ONCE:
        one, two = await Seat.open(url, "one"), await Seat.open(url, "two")
    room = await one.ask("create", **GAMES[number % len(GAMES)], first="creator")
    await ready.wait()
    await two.ask("join", room=room["code"])
    chance = random.Random(number)
    await asyncio.gather(
        player(one, 0, room["room"], chance, count),
        player(two, 1, room["room"], chance, count),
    )


async def player(seat: Seat, number: int, room: str, chance: random.Random, count: Count) -> None:
    """The first to move is the creator, who hears the game start."""
    while True:
        message = await seat.hear()
        if message["type"] == "accepted":
            count.moves += 1
        elif message["type"] == "error" and message["code"] != "stale_ply":
            raise RuntimeError(message["message"])
        elif message.get("kind") in ("moved", "started"):
            await step(seat, number, room, message, chance)
        elif message.get("kind") == "finished":
            await seat.send("rematch", room=room, round=message["round"])


async def step(seat: Seat, number: int, room: str, message: Message, chance: random.Random) -> None:
    """Answer if it is this seat's turn. More passes may follow: then the ply is stale, and the
    next event is answered."""
    ply = message["ply"] + 1 if message.get("kind") == "moved" else 0
    passes_follow = message.get("seat") == number and not message.get("forced")
    if message["turn"] != number or passes_follow:
        return
    if message["legal"] is None:
        text = str(message["view"]["stacks"][0]["items"][-1] * 2)
    else:
        text = chance.choice(message["legal"])
    await seat.send("move", room=room, round=message["round"], ply=ply, move=text)


async def echo(url: str, count: Count, ready: asyncio.Barrier) -> None:
    """A message of a move's size, there and back for ever."""
    message = msgpack.packb(
        {"type": "move", "id": 1, "room": "0" * 20, "round": 1, "ply": 1, "move": "3A"}
    )
    async with connect(url, compression=None, ping_interval=None) as socket:
        await ready.wait()
        while True:
            await socket.send(message)
            await socket.recv()
            count.moves += 1


async def main(arguments: argparse.Namespace) -> None:
    count = Count()
    url, ready = arguments.url, asyncio.Barrier(arguments.many)
    work = [
        asyncio.create_task(
            echo(url, count, ready) if arguments.echo else game(url, number, count, ready)
        )
        for number in range(arguments.many)
    ]
    # Whoever drives this says on stdin when to begin and when to end counting.
    while not count.moves and not any(task.done() for task in work):
        await asyncio.sleep(0.1)
    print("ready", flush=True)
    for _ in range(2):
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        for task in work:
            if task.done():
                task.result()
        print(json.dumps({"moves": count.moves, "at": time.monotonic()}), flush=True)
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--many", type=int, required=True)
    parser.add_argument("--echo", action="store_true")
    asyncio.run(main(parser.parse_args()))
