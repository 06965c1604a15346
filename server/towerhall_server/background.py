"""Tasks that run as long as the server does: one that fails is logged, counted, started again."""

import asyncio
from collections.abc import Awaitable, Callable

from . import metrics
from .backoff import FIRST_WAIT, LONGEST_WAIT, BackOff
from .logs import Log

log = Log(__name__)


async def keep_running(
    name: str,
    coroutine_function: Callable[[], Awaitable[None]],
    *,
    first_wait: float = FIRST_WAIT,
    longest_wait: float = LONGEST_WAIT,
) -> None:
    """Await `coroutine_function()` again and again until it returns or this task is cancelled."""
    back_off = BackOff(first_wait, longest_wait)
    now = asyncio.get_running_loop().time
    while True:
        began = now()
        try:
            return await coroutine_function()
        except Exception as error:
            wait = back_off.pause(now() - began)
            metrics.BACKGROUND_FAILURES.inc(name)
            log.exception("A background task failed; it starts again.", error, task=name, wait=wait)
        await asyncio.sleep(wait)
