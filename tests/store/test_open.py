"""Opening a store, and what stands in the way."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.hall import Hall, assert_committed
from store.valkey import Valkey
from towerhall_server.store import RedisStore, StoreTooOld, StoreUnreachable


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
    with pytest.raises(StoreTooOld, match=r"7\.2\.4"):
        await open_and_close(server.url)


async def test_a_store_knows_its_node_and_time(server: Valkey) -> None:
    store = await RedisStore.open(server.url, "b", lambda room, payload: None, lambda: None)
    seconds, micros = (int(part) for part in server.call("TIME"))
    assert abs(store.hall_now() - (seconds * 1000 + micros // 1000)) < 100
    assert (store.node, store.ready, len(store.epoch)) == ("b", True, 12)
    await store.close()
