"""A hall as processes: it opens, survives its parts, and ends as a whole."""

import asyncio
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from server.hall_process import HallProcess, eventually, hall, is_alive

WORKERS = "towerhall_server.worker"
STORE = "--appendonly"


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
@pytest.mark.parametrize("workers", [1, 2])
async def test_it_opens_and_ends_with_its_store_within_10_seconds(
    tmp_path: Path, workers: int, sign: signal.Signals
) -> None:
    async with hall(tmp_path, "--workers", str(workers)) as opened:
        assert f"ws://127.0.0.1:{opened.port}/ws" in opened.invitation
        assert (await opened.get("/healthz"))[0] == 200
        (store,) = opened.children(STORE)
        expected = workers if workers > 1 else 0
        await eventually(lambda: len(opened.children(WORKERS)) == expected)
        served = opened.children(WORKERS)
        began = time.monotonic()
        opened.process.send_signal(sign)
        assert await opened.ended() == 0
        assert time.monotonic() - began < 10
        assert not any(map(is_alive, [store, *served]))
        assert "Traceback" not in opened.said()


async def test_a_worker_that_is_killed_is_started_again(tmp_path: Path) -> None:
    async with hall(tmp_path, "--workers", "2") as opened:
        await eventually(lambda: len(opened.children(WORKERS)) == 2)
        killed, other = opened.children(WORKERS)
        os.kill(killed, signal.SIGKILL)
        await eventually(lambda: len(set(opened.children(WORKERS)) - {killed}) == 2, within=10)
        assert other in opened.children(WORKERS)
        assert f"A worker died; it is started again. pid={killed} end=-9" in opened.said()
        for _ in range(10):
            assert (await opened.get("/healthz"))[0] == 200


@pytest.mark.parametrize("workers", [1, 2])
async def test_row_9_all_end_when_the_first_process_is_killed(tmp_path: Path, workers: int) -> None:
    async with hall(tmp_path, "--workers", str(workers), "--drain-seconds", "1") as opened:
        if workers > 1:
            await eventually(lambda: len(opened.children(WORKERS)) == workers)
        parts = [*opened.children(STORE), *opened.children(WORKERS)]
        opened.process.kill()
        await eventually(lambda: not any(map(is_alive, parts)), within=8)
    async with hall(tmp_path, "--workers", str(workers)) as again:
        assert (await again.get("/healthz"))[0] == 200


async def test_a_killed_store_comes_back_and_the_hall_is_ready_again(tmp_path: Path) -> None:
    async with hall(tmp_path) as opened:
        (store,) = opened.children(STORE)
        os.kill(store, signal.SIGKILL)
        await eventually(lambda: opened.children(STORE) not in ([], [store]))
        status = 0
        for _ in range(100):
            status = (await opened.get("/readyz"))[0]
            if status == 200:
                break
            await _short()
        assert status == 200


async def test_metrics_are_summed_over_workers(tmp_path: Path) -> None:
    async with hall(tmp_path, "--workers", "2") as opened:
        await eventually(lambda: len(opened.children(WORKERS)) == 2)
        shown = ""
        for _ in range(60):
            status, shown = await opened.get("/metrics")
            assert status == 200
            if "towerhall_store_ready 1.0" in shown:
                break
            await _short()
        assert "towerhall_store_ready 1.0" in shown
        assert "towerhall_connections " in shown


async def refused(tmp_path: Path, *flags: str, data: Path | None = None) -> tuple[int, str]:
    """Start a hall that cannot open: its exit status, and all it said."""
    process = HallProcess(data or tmp_path / "data", *flags, told=tmp_path / "refused")
    await process.start()
    status = await process.ended()
    process.process._transport.close()  # type: ignore[attr-defined]
    said = process.said()
    assert "Traceback" not in said
    return status, said


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_without_its_store_it_says_so_in_one_sentence(tmp_path: Path, workers: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"redis://:secret@127.0.0.1:{nobody.getsockname()[1]}"
        status, said = await refused(tmp_path, "--redis", url, "--workers", workers)
    assert status == 1
    assert said.count("towerhall-server: No store answers") == 1
    assert "--redis" in said and "secret" not in said


async def test_a_second_hall_on_the_directory_is_refused(tmp_path: Path) -> None:
    async with hall(tmp_path) as opened:
        status, said = await refused(tmp_path)
        assert status == 1
        assert f"in use by process {opened.process.pid}" in said
        assert (await opened.get("/healthz"))[0] == 200


async def test_a_taken_port_and_a_bad_setting_are_one_sentence_each(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, said = await refused(tmp_path, "--port", str(taken.getsockname()[1]))
    assert (status, said.count("\n")) == (1, 1)
    assert "Another program listens" in said
    status, said = await refused(tmp_path, "--workers", "none")
    assert status == 2
    assert "The setting workers, from the flag --workers, must be" in said


async def _short() -> None:
    await asyncio.sleep(0.1)
