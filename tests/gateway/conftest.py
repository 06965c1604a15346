"""Two nodes for the whole directory, and nodes of a test's own where it disturbs them."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio

from end_to_end.node import Node
from gateway.hall import Hall, open_hall
from gateway.peer import Peer

StartNode = Callable[..., Awaitable[Node]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def open_for_all() -> AsyncIterator[Hall]:
    async with open_hall() as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="session")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()


@pytest_asyncio.fixture(loop_scope="session")
async def start_node(open_for_all: Hall) -> AsyncIterator[StartNode]:
    """A node of the test's own, on the store of all."""
    nodes: list[Node] = []

    async def start(*flags: str) -> Node:
        nodes.append(await Node.start(open_for_all.store.url, *flags))
        return nodes[-1]

    yield start
    for node in nodes:
        await node.kill()


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def peers_go() -> AsyncIterator[None]:
    yield
    Peer.drop_all()
