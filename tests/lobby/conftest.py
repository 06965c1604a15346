"""A matchmaker and an usher as a node has them, on a real store."""

from collections.abc import AsyncIterator

import pytest

from lobby.node import Node
from store.conftest import Open, open_hall, server, shared_server
from store.valkey import Valkey

__all__ = ["open_hall", "server", "shared_server"]


@pytest.fixture
async def node(server: Valkey, open_hall: Open) -> AsyncIterator[Node]:
    node = Node((await open_hall(server, "a")).store)
    yield node
    node.usher.close()
    await node.hub.close()
