"""A hall of real nodes on a real store, and clients that are closed after the test."""

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from end_to_end.client import Client
from end_to_end.node import Node
from gateway.hall import Hall, open_hall
from store.valkey import Valkey

Connect = Callable[..., Awaitable[Client]]
StartNode = Callable[..., Awaitable[Node]]


@pytest.fixture
def store() -> Iterator[Valkey]:
    """A store of the test's own, with every answered write on the disk."""
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        server = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        server.start()
        yield server
        server.thaw()
        server.kill()


@pytest.fixture
async def start_node(store: Valkey) -> AsyncIterator[StartNode]:
    nodes: list[Node] = []

    async def start(*flags: str, url: str | None = None) -> Node:
        node = await Node.start(url or store.url, *flags)
        nodes.append(node)
        return node

    yield start
    for node in nodes:
        await node.kill()


@pytest.fixture
async def node(start_node: StartNode) -> Node:
    return await start_node()


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """`await connect(node, "ann")`: a client that has said hello."""
    clients: list[Client] = []

    async def open_(
        node: Node, name: str, encoding: str = "msgpack", token: str | None = None
    ) -> Client:
        client = await Client.hello(node.url, name, encoding, token)
        clients.append(client)
        return client

    yield open_
    for client in clients:
        await client.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def open_for_all() -> AsyncIterator[Hall]:
    """Two nodes for all tests of a file."""
    async with open_hall() as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="module")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()
