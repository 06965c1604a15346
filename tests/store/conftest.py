"""Stores on a real server. One server serves a whole run, emptied before each test."""

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from store.hall import Hall
from store.valkey import Valkey

Open = Callable[..., Awaitable[Hall]]


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Valkey]:
    # Not tmp_path: a socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        server = Valkey(Path(directory))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def server(shared_server: Valkey) -> Valkey:
    shared_server.call("FLUSHALL")
    return shared_server


@pytest.fixture
def own_server() -> Iterator[Valkey]:
    """One to kill or freeze, with every answered write on the disk."""
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        server = Valkey(Path(directory), "--appendonly", "yes", "--appendfsync", "always")
        server.start()
        yield server
        server.thaw()
        server.kill()


@pytest.fixture
async def open_hall() -> AsyncIterator[Open]:
    """Opens stores, as nodes do, and closes them after the test."""
    halls: list[Hall] = []

    async def open_(server: Valkey, node: str = "a", pulsing: bool = False) -> Hall:
        hall = await Hall.open(server.url, node, pulsing)
        halls.append(hall)
        return hall

    yield open_
    for hall in halls:
        await hall.close()


@pytest.fixture
async def hall(server: Valkey, open_hall: Open) -> Hall:
    return await open_hall(server)
