"""Opening a store, and what stands in the way."""

import asyncio
import contextlib
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.hall import Hall, assert_committed
from store.valkey import Valkey
from towerhall_server.store import RedisStore, StoreIsSpread, StoreTooOld, StoreUnreachable


@pytest.fixture
def locked_server() -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory(prefix="th") as directory:
        server = Valkey(Path(directory), "--requirepass", "s3cret")
        server.start()
        yield server
        server.kill()


async def open_and_close(url: str) -> None:
    hall = await Hall.open(url, "a", False)
    await hall.close()


async def test_a_password_in_the_url_opens(locked_server: Valkey) -> None:
    hall = await Hall.open(f"unix://:s3cret@{locked_server.socket}?db=3", "a", False)
    first = hall.first()
    assert_committed(await hall.store.commit(first), first)
    assert await hall.store.create_player("00" * 32, "Ada")
    await hall.store.subscribe(first.room)
    await hall.close()


async def test_a_wrong_password_is_told_and_not_shown(locked_server: Valkey) -> None:
    with pytest.raises(StoreUnreachable, match="WRONGPASS") as refused:
        await open_and_close(f"unix://:guess@{locked_server.socket}")
    assert "guess" not in str(refused.value)


async def test_a_missing_password_is_told(locked_server: Valkey) -> None:
    with pytest.raises(StoreUnreachable, match="NOAUTH"):
        await open_and_close(locked_server.url)


async def test_nobody_there_is_told_with_the_address() -> None:
    with pytest.raises(StoreUnreachable, match="no store answers at unix:///nowhere/s: "):
        await open_and_close("unix:///nowhere/s")


async def test_somebody_else_there_is_told() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    other = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    with pytest.raises(StoreUnreachable, match=f"127.0.0.1:{port}"):
        await open_and_close(f"redis://127.0.0.1:{port}")
    other.close()
    await other.wait_closed()


async def test_an_old_store_is_refused_with_its_version(
    server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("towerhall_server.store.redis_store.OLDEST", (99, 0))
    version = server.call("INFO", "server")["redis_version"]
    with pytest.raises(StoreTooOld, match=f"is version {version};"):
        await open_and_close(server.url)


async def test_a_cluster_of_several_servers_is_told_as_what_it_is() -> None:
    with contextlib.ExitStack() as stack:
        ports = _free_ports(2)
        one, two = (_member_of_a_cluster(stack, port) for port in ports)
        one.call("CLUSTER", "ADDSLOTS", *range(8192))
        two.call("CLUSTER", "ADDSLOTS", *range(8192, 16384))
        one.call("CLUSTER", "MEET", "127.0.0.1", ports[1])
        until = time.monotonic() + 20
        while "cluster_state:ok" not in str(one.call("CLUSTER", "INFO")):
            assert time.monotonic() < until, "the two did not meet"
            await asyncio.sleep(0.1)
        with pytest.raises(StoreIsSpread, match="a cluster of several servers"):
            await open_and_close(one.url)


def _member_of_a_cluster(stack: contextlib.ExitStack, port: int) -> Valkey:
    directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="th"))
    bound = ("--bind", "127.0.0.1", "--port", str(port))
    server = Valkey(Path(directory), "--cluster-enabled", "yes", *bound)
    server.start()
    stack.callback(server.kill)
    return server


def _free_ports(count: int) -> list[int]:
    """Below those that the kernel gives away, as a cluster takes the port 10,000 higher, too."""
    found = [port for port in range(15_000, 16_000) if _is_free(port) and _is_free(port + 10_000)]
    return found[:count]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


async def test_a_store_knows_its_node_and_time(server: Valkey) -> None:
    store = await RedisStore.open(server.url, "b", lambda room, payload: None, lambda: None)
    seconds, micros = (int(part) for part in server.call("TIME"))
    assert abs(store.hall_now() - (seconds * 1000 + micros // 1000)) < 100
    assert (store.node, store.ready, len(store.epoch)) == ("b", True, 12)
    await store.close()
