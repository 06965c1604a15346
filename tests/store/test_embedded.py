"""The embedded store as a process: real servers, real signals."""

import os
import signal
import stat
from pathlib import Path

import pytest

from store.running_store import (
    ask,
    end,
    eventually,
    is_alive,
    network_sockets,
    parent_killed,
    running,
    sockets_of,
)
from towerhall_server.store import server_binary
from towerhall_server.store.embedded import EmbeddedStore
from towerhall_server.store.trouble import DirectoryLocked, DirectoryUnusable, NoServer


async def test_what_was_written_is_there_after_a_stop_and_a_start(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as store:
        ask(store, "SET", "answered", "yes")
        pid = store.pid
    assert pid and not is_alive(pid)
    async with running(tmp_path / "data") as store:
        assert ask(store, "GET", "answered") == "yes"


async def test_every_write_is_synced_and_nothing_is_evicted(tmp_path: Path) -> None:
    async with running(tmp_path) as store:
        for name, value in {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
            "save": "",
        }.items():
            answer = ask(store, "CONFIG", "GET", name)
            assert answer in ([name, value], {name: value})


async def test_row_36_the_store_listens_on_a_unix_socket_of_its_user_and_nowhere_else(
    tmp_path: Path,
) -> None:
    async with running(tmp_path / "data") as store:
        sockets = sockets_of(store.pid)
        assert sockets and not sockets & network_sockets()
        assert stat.S_IMODE(store.socket.stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


async def test_row_9_the_store_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    pid = await parent_killed(tmp_path)
    try:
        await eventually(lambda: not is_alive(pid))
    finally:
        end(pid)
    async with running(tmp_path) as store:
        assert ask(store, "GET", "answered") == "yes"


@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
async def test_row_9_an_orphan_is_ended_by_the_next_start(tmp_path: Path, stopped: bool) -> None:
    pid = await parent_killed(tmp_path, "unwatched")
    try:
        assert is_alive(pid)
        if stopped:
            os.kill(pid, signal.SIGSTOP)
        async with running(tmp_path) as store:
            assert not is_alive(pid)
            assert store.pid != pid
            assert ask(store, "GET", "answered") == "yes"
    finally:
        end(pid)


async def test_a_pid_that_another_process_has_now_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "store.pid").write_text(f"{os.getpid()}\n")
    async with running(tmp_path) as store:
        assert ask(store, "PING") is not None


async def test_a_store_that_dies_is_started_again_with_all_it_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as store:
        for attempt in range(3):
            ask(store, "SET", f"key{attempt}", "yes")
            died = store.pid
            assert died
            os.kill(died, signal.SIGKILL)
            await eventually(lambda died=died: store.pid not in {None, died})  # type: ignore[misc]
            await eventually(store.socket.exists)
            await eventually(lambda: _answers(store))
            assert ask(store, "GET", f"key{attempt}") == "yes"


def _answers(store: EmbeddedStore) -> bool:
    try:
        return ask(store, "PING") is not None
    except OSError:
        return False
    except Exception as error:
        assert "Connection" in type(error).__name__ or "Busy" in type(error).__name__
        return False


async def test_a_second_hall_on_the_same_directory_is_told_who_has_it(tmp_path: Path) -> None:
    async with running(tmp_path) as store:
        with pytest.raises(DirectoryLocked, match=rf"{tmp_path}.*process {os.getpid()}\."):
            await EmbeddedStore(tmp_path).start()
        assert ask(store, "SET", "still", "here")
    async with running(tmp_path):
        pass


async def test_a_directory_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DirectoryUnusable, match="--data"):
        await EmbeddedStore(tmp_path / "file" / "data").start()


@pytest.mark.parametrize("name", ["x" * 120, 'Hélène\'s "hall" 100%'], ids=["long", "odd"])
async def test_any_path_will_do(tmp_path: Path, name: str) -> None:
    async with running(tmp_path / name) as store:
        assert ask(store, "SET", "key", "value")
        socket = store.socket
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert len(os.fsencode(socket)) <= 100
    assert not socket.exists()
    assert socket.is_relative_to(tmp_path) or not socket.parent.exists()


async def test_without_a_server_the_message_names_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "valkey-server"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(server_binary, "_candidates", lambda: [broken, tmp_path / "none"])
    with pytest.raises(NoServer, match=r"valkey-server does not run here.*--redis"):
        await EmbeddedStore(tmp_path / "data").start()
