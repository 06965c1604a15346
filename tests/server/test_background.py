"""Row 35: an exception in a background task is logged and counted, and the task is restarted."""

import asyncio
import logging

import pytest

from towerhall_server import metrics
from towerhall_server.background import keep_running
from towerhall_server.backoff import BackOff


def failures(task: str) -> float:
    return metrics.BACKGROUND_FAILURES.values.get(task, 0)


async def test_row_35_a_failure_is_logged_and_counted_and_the_task_restarted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runs = 0

    async def fails_twice() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise RuntimeError(f"run {runs}")

    await keep_running("twice", fails_twice, first_wait=0.001)
    assert runs == 3
    assert failures("twice") == 2
    told = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [str(record.exc_info[1]) for record in told if record.exc_info] == ["run 1", "run 2"]
    assert b'towerhall_background_failures_total{task="twice"} 2.0' in metrics.exposition()


async def test_cancellation_passes_while_it_runs_and_while_it_waits() -> None:
    async def runs_on() -> None:
        await asyncio.sleep(60)

    async def fails() -> None:
        raise RuntimeError

    for name, work in {"runs": runs_on, "waits": fails}.items():
        task = asyncio.create_task(keep_running(name, work, first_wait=60, longest_wait=60))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert failures("runs") == 0


def test_pauses_double_up_to_the_longest_and_shrink_after_a_run_that_lasted() -> None:
    back_off = BackOff(0.1, 5.0)
    pauses = [back_off.pause(lasted=0) for _ in range(8)]
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])
    assert back_off.pause(lasted=11) == pytest.approx(0.1)
