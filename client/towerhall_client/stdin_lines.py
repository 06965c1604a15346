"""Lines of the standard input, one at a time, while other things go on.

A thread of its own reads: a pipe, a file and a terminal all work. It reads the descriptor itself:
an unfinished read of `sys.stdin` would hold a lock that the interpreter wants when it ends.
"""

import asyncio
import os
import threading

CHUNK = 65_536


class StdinLines:
    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._unread = b""
        self._asked = threading.Semaphore(0)
        self._next: asyncio.Future[str | None] | None = None
        self._thread: threading.Thread | None = None

    @property
    def typed(self) -> bool:
        """Whether a person types them."""
        return os.isatty(self._descriptor)

    def next(self) -> "asyncio.Future[str | None]":
        """The next line; None at the end. Asked again before it is there, it is the same one."""
        if self._next is None or self._next.done():
            self._next = asyncio.get_running_loop().create_future()
            if self._thread is None:
                loop = asyncio.get_running_loop()
                self._thread = threading.Thread(target=self._read, args=(loop,), daemon=True)
                self._thread.start()
            self._asked.release()
        return self._next

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            self._asked.acquire()
            line = self._line()
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(self._give, line)

    def _line(self) -> str | None:
        while b"\n" not in self._unread:
            try:
                data = os.read(self._descriptor, CHUNK)
            except OSError:
                data = b""
            if not data:
                break
            self._unread += data
        line, found, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r") if line or found else None

    def _give(self, line: str | None) -> None:
        if self._next and not self._next.done():
            self._next.set_result(line)
