"""A hall for many tests: real nodes on a real store, and whom one meets there."""

import tempfile
import urllib.error
import urllib.request
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from end_to_end.client import Client, Message
from end_to_end.node import Node
from store.valkey import Valkey

PRIMES = ("2", "3", "5", "7", "11", "13", "17", "19", "23", "29", "31", "37")
LARGE = {"pool": 99, "copies": 9}
"""Options of Strangers for a view of two kilobytes."""


def stranger(ply: int) -> str:
    """A number that can be placed at this ply of Strangers, also where each is there nine times."""
    return PRIMES[ply // 18 * 2 + ply % 2]


class Table:
    """Two players at a room of Strangers, which can go on for 98 moves."""

    def __init__(self, opened: Message, players: tuple[Client, Client]) -> None:
        self.large = opened["options"] | LARGE == opened["options"]
        self.room: str = opened["room"]
        self.code: str = opened["code"]
        self.players = players
        self.ply = 0

    async def move(self) -> Message:
        text = stranger(self.ply) if self.large else "23"[self.ply % 2]
        accepted = await self.players[self.ply % 2].move(self.room, self.ply, text)
        self.ply += 1
        return accepted

    async def moves(self, count: int) -> list[int]:
        return [(await self.move())["seq"] for _ in range(count)]


class Hall:
    def __init__(self, store: Valkey, directory: Path, nodes: list[Node]) -> None:
        self.store = store
        self.directory = directory
        self.nodes = nodes
        self._clients: list[Client] = []

    async def connect(
        self,
        name: str,
        at: int | Node = 0,
        encoding: str = "msgpack",
        token: str | None = None,
    ) -> Client:
        """A client that has said hello."""
        node = at if isinstance(at, Node) else self.nodes[at]
        return self.closing(await Client.hello(node.url, name, encoding, token))

    async def connect_silent(self, at: int = 0, encoding: str = "msgpack", **more: Any) -> Client:
        """A client that has said nothing yet."""
        return self.closing(await Client.open(self.nodes[at].url, encoding, **more))

    def closing(self, client: Client) -> Client:
        self._clients.append(client)
        return client

    async def table(self, ann: Client, bob: Client, **fields: Any) -> Table:
        """Ann opens a room and begins, Bob joins."""
        asked = {"game": "strangers", "first": "creator", "clock": None} | fields
        opened = await ann.ask("create", **asked)
        await bob.ask("join", room=opened["code"])
        await ann.event("started", room=opened["room"])
        return Table(opened, (ann, bob))

    async def part(self) -> None:
        """Everybody who came since the last time goes."""
        clients, self._clients = self._clients, []
        for client in clients:
            client.drop()


@asynccontextmanager
async def open_hall(*flags: str, nodes: int = 2) -> AsyncIterator[Hall]:
    # Not tmp_path: a socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        store = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        store.start()
        hall = Hall(store, Path(directory), [])
        try:
            for _ in range(nodes):
                hall.nodes.append(await Node.start(store.url, *flags))
            yield hall
        finally:
            await hall.part()
            for node in hall.nodes:
                await node.kill()
            store.kill()


async def get(node: Node, path: str, **headers: str) -> tuple[int, str]:
    """Status and body of a plain HTTP request."""

    def fetch() -> tuple[int, str]:
        request = urllib.request.Request(node.http(path), headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await to_thread(fetch)


async def figure(node: Node, name: str) -> float:
    """A number of /metrics."""
    _, text = await get(node, "/metrics")
    found = [line.split()[1] for line in text.splitlines() if line.split()[0] == name]
    assert found, f"no {name} in /metrics"
    return float(found[0])


def memory(node: Node) -> int:
    """The most bytes that the node ever had in memory."""
    status = Path(f"/proc/{node.process.pid}/status").read_text(encoding="ascii")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024
