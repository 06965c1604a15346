"""SIGTERM and SIGHUP: the program is told to go, and leaves the terminal as it found it."""

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Terminated(Exception):
    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number

    def end(self) -> int:
        """As whoever sent the signal expects, now that all is put away."""
        signal.signal(self.signal, signal.SIG_DFL)
        signal.raise_signal(self.signal)
        return 128 + self.signal


async def until_terminated(doing: Coroutine[Any, Any, T]) -> T:
    """Raises Terminated when the signal came, after everything was put away."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(doing)
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        task.cancel()

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Ignored it stays, as nohup wants it; Windows has no such handlers.
        if number and signal.getsignal(number) == signal.SIG_DFL:
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, end, int(number))
    try:
        return await task
    except asyncio.CancelledError:
        if came:
            raise Terminated(came[0]) from None
        raise
