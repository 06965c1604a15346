"""Quick match: look for an opponent until there is one."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from towerhall_client.connection import Connection, News, Trouble
from towerhall_client.exits import Stop
from towerhall_protocol.replies import Ok, Paired, Room, Seeking
from towerhall_protocol.requests import SeekRequest, Unseek, Watch

UNSEEK_WITHIN_S = 2.0


class Search:
    """A seek lives a few seconds longer than its line. When the line is back it is asked for again,
    or the room that it led to is found among one's seats."""

    def __init__(self, connection: Connection, wish: dict[str, Any]) -> None:
        self._connection = connection
        self._wish = wish
        self._before = {seat.room for seat in connection.welcome.seats}
        self._found: asyncio.Future[Room] = asyncio.get_running_loop().create_future()
        # A search that was refused at its start is awaited by nobody.
        self._found.add_done_callback(lambda found: found.cancelled() or found.exception())
        self._again: asyncio.Task[None] | None = None
        self.line: Callable[[Trouble | None], None] = lambda trouble: None
        """Is told what the connection tells of its line."""

    async def start(self) -> Seeking:
        self._connection.hear = self._hear
        self._connection.line = self._line_changed
        self._connection.ended.add_done_callback(self._lost)
        return await self._connection.ask_keyed(Seeking, SeekRequest, **self._wish)

    async def opponent(self) -> Room:
        """The room; given up, the seek is taken back."""
        try:
            return await self._found
        except asyncio.CancelledError:
            with contextlib.suppress(TimeoutError, Stop):
                await asyncio.wait_for(self._connection.ask(Ok, Unseek), UNSEEK_WITHIN_S)
            raise

    def _hear(self, news: News) -> None:
        if isinstance(news, Paired) and not self._found.done():
            self._found.set_result(news.snapshot)

    def _line_changed(self, trouble: Trouble | None) -> None:
        self.line(trouble)
        if trouble is None and not self._found.done():
            self._again = asyncio.create_task(self._look_again())

    async def _look_again(self) -> None:
        """A hall that does not let one look any more ends the search."""
        try:
            await self._take_up()
        except Stop as stop:
            if not self._found.done():
                self._found.set_exception(stop)

    async def _take_up(self) -> None:
        welcome = self._connection.welcome
        for seat in welcome.seats:
            if seat.room not in self._before and not self._found.done():
                room = await self._connection.ask(Room, Watch, room=seat.room)
                if not self._found.done():
                    self._found.set_result(room)
                return
        if welcome.seeking is None:
            await self._connection.ask_keyed(Seeking, SeekRequest, **self._wish)

    def _lost(self, ended: "asyncio.Future[Any]") -> None:
        if not self._found.done() and not ended.cancelled():
            self._found.set_exception(ended.result())
