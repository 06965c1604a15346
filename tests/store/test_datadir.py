"""Who may open a data directory: never a server that would take it for empty."""

import json
from pathlib import Path

import pytest

from store.running_store import ask, running, tree
from towerhall_server.store import server_binary
from towerhall_server.store.embedded import EmbeddedStore
from towerhall_server.store.server_binary import Server
from towerhall_server.store.trouble import DataMissing, OtherServerWroteIt


@pytest.mark.parametrize(
    ("product", "version"), [("Valkey", [99, 0]), ("Redis", [7, 0])], ids=["newer", "other"]
)
async def test_data_of_a_newer_version_or_another_product_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: str, version: list[int]
) -> None:
    await _only_the_wheel(monkeypatch)
    async with running(tmp_path) as store:
        ask(store, "SET", "key", "value")
    (tmp_path / "written-by.json").write_text(json.dumps({"product": product, "version": version}))
    before = tree(tmp_path)
    with pytest.raises(OtherServerWroteIt, match=f"{product} {version[0]}.{version[1]}"):
        await EmbeddedStore(tmp_path).start()
    assert tree(tmp_path) == before


async def _only_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    usable, _ = await server_binary.installed()
    monkeypatch.setattr(server_binary, "_candidates", lambda: [usable[0].binary])


async def test_the_server_that_wrote_the_data_is_chosen_over_a_better_one(tmp_path: Path) -> None:
    usable, _ = await server_binary.installed()
    if len({server.product for server in usable}) < 2:
        pytest.skip("needs both a Valkey and a Redis")
    store = EmbeddedStore(tmp_path)
    store._data.lock()
    other = next(server for server in usable if server.product != usable[0].product)
    store._data.remember(other)
    (tmp_path / "appendonlydir").mkdir()
    store._data.manifest.write_text("")
    assert store._data.choose(usable) == other
    store._data.unlock()


async def test_data_whose_index_is_gone_does_not_start_as_empty(tmp_path: Path) -> None:
    async with running(tmp_path) as store:
        ask(store, "SET", "key", "value")
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").unlink()
    before = tree(tmp_path)
    with pytest.raises(DataMissing, match="backup"):
        await EmbeddedStore(tmp_path).start()
    assert tree(tmp_path) == before


def test_a_redis_before_7_may_not_open_a_log_in_parts(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    old = Server(tmp_path / "redis-server", "Redis", (6, 2))
    with pytest.raises(OtherServerWroteIt):
        EmbeddedStore(tmp_path)._data.choose([old])
