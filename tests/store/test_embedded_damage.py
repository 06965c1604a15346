"""Row 8: an append-only log that is torn at its end, or corrupt inside."""

import asyncio
from pathlib import Path

import pytest

from store.running_store import ask, running, the_file, tree
from towerhall_server.store.embedded import EmbeddedStore
from towerhall_server.store.trouble import DataCorrupt


async def _written(directory: Path, count: int = 300) -> Path:
    """A data directory with as many keys; the file they are in."""
    async with running(directory) as store:
        for number in range(count):
            ask(store, "SET", f"key{number}", f"value{number}")
    return the_file(directory, "appendonlydir/*.incr.aof")


async def test_row_8_torn_at_its_end_it_starts_and_says_what_was_lost(tmp_path: Path) -> None:
    file = await _written(tmp_path)
    whole = file.stat().st_size
    with file.open("r+b") as log:
        log.truncate(whole - 5)
    async with running(tmp_path) as store:
        assert ask(store, "GET", "key298") == "value298"
        assert ask(store, "GET", "key299") is None
        (loss,) = store.losses
    kept = whole - len("*3\r\n$3\r\nSET\r\n$6\r\nkey299\r\n$8\r\nvalue299\r\n")
    assert f"{whole - 5 - kept} bytes" in loss
    assert f"byte {kept}" in loss
    assert file.name in loss


async def test_a_whole_log_lost_nothing(tmp_path: Path) -> None:
    await _written(tmp_path, 3)
    async with running(tmp_path) as store:
        assert store.losses == []


@pytest.mark.parametrize("damage", ["log", "base", "manifest"])
async def test_row_8_corrupt_inside_it_refuses_and_wipes_nothing(
    tmp_path: Path, damage: str
) -> None:
    log = await _written(tmp_path)
    base = the_file(tmp_path, "appendonlydir/*.base.*")
    manifest = tmp_path / "appendonlydir" / "appendonly.aof.manifest"
    file, where = {"log": (log, 2000), "base": (base, 40), "manifest": (manifest, 3)}[damage]
    with file.open("r+b") as damaged:
        damaged.seek(where)
        damaged.write(b"garbage")
    before = tree(tmp_path)
    for _ in range(2):
        with pytest.raises(DataCorrupt, match=r"Nothing was touched.*backup") as refusal:
            await EmbeddedStore(tmp_path).start()
        assert ("--fix" in str(refusal.value)) == (damage == "log")
        assert tree(tmp_path) == before


async def test_row_8_the_repair_that_is_named_repairs(tmp_path: Path) -> None:
    log = await _written(tmp_path)
    with log.open("r+b") as damaged:
        damaged.seek(2000)
        damaged.write(b"garbage")
    with pytest.raises(DataCorrupt) as refusal:
        await EmbeddedStore(tmp_path).start()
    command = str(refusal.value).rsplit("with: ", 1)[1]
    repair = await asyncio.create_subprocess_shell(
        command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await repair.communicate(b"y\n")
    assert b"Successfully truncated" in said
    async with running(tmp_path) as store:
        assert ask(store, "GET", "key30") == "value30"
        assert ask(store, "GET", "key299") is None
