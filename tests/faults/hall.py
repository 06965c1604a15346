"""A hall to break: a real store, nodes that come and go, and guests who know all of them."""

import asyncio
from collections import Counter, deque

from end_to_end.node import Node
from faults.guest import Guest
from store.valkey import Valkey

UNLIMITED = ("--requests-per-second", "10000", "--requests-burst", "10000")
"""Guests here ask again and again while a hall is down; that they may is not what is tested."""


class Hall:
    def __init__(self, store: Valkey) -> None:
        self.store = store
        self.nodes: list[Node] = []
        self._guests: list[Guest] = []
        self._gone: deque[Node] = deque(maxlen=20)

    async def start(
        self, *flags: str, url: str | None = None, env: dict[str, str] | None = None
    ) -> Node:
        node = await Node.start(url or self.store.url, *UNLIMITED, *flags, env=env)
        self.nodes.append(node)
        return node

    async def kill(self, node: Node) -> None:
        """kill -9. From this moment nobody is sent there."""
        self.nodes.remove(node)
        self._gone.append(node)
        await node.kill()

    async def restart_store(self, away_s: float = 0.0) -> None:
        """kill -9, and up again on the same directory."""
        self.store.kill()
        await asyncio.sleep(away_s)
        await asyncio.to_thread(self.store.start)

    def urls(self) -> list[str]:
        return [node.url for node in self.nodes]

    def guest(self, name: str, home: Node | None = None) -> Guest:
        guest = Guest(name, self.urls, home.url if home else None)
        self._guests.append(guest)
        return guest

    async def watcher(self, name: str, room: str, home: Node | None = None) -> Guest:
        """A guest who follows the room, and comes back by itself."""
        guest = self.guest(name, home)
        await guest.enter("watch", room=room)
        guest.attend()
        return guest

    async def dismiss(self, guest: Guest) -> None:
        self._guests.remove(guest)
        await guest.leave()

    async def close(self) -> None:
        await asyncio.gather(*(guest.leave() for guest in self._guests))
        await asyncio.gather(*(node.kill() for node in self.nodes))

    def story(self) -> str:
        """What nodes and guests have to say: shown where a test fails."""
        told = [f"node {node.port}\n" + "\n".join(node.log) for node in (*self._gone, *self.nodes)]
        for guest in self._guests:
            codes = Counter(refused["code"] for refused in guest.refusals)
            told += [f"{guest.name}: {guest.returns} returns, asked again after {dict(codes)}"]
        return "\n\n".join(told) + "\n"


async def status_of(node: Node, path: str) -> int:
    """The status of a plain HTTP request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        line = await asyncio.wait_for(reader.readline(), 5)
        return int(line.split()[1])
    finally:
        writer.close()
