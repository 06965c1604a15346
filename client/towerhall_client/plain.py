"""A room in a pipe, or for whoever wants plain lines: what happens is printed, what is read is
played. With `--json` the hall's own messages are printed, one a line.

A line of the input is a move or an order. A move waits for its turn. A refused line is reported and
the next one read; only an input that ends on a refusal is a failure.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from towerhall_client.board import board_lines
from towerhall_client.connection import Gone, News, Trouble
from towerhall_client.exits import ExitCode, Refused
from towerhall_client.naming import named
from towerhall_client.orders import Leave, obey
from towerhall_client.output import Output
from towerhall_client.sharing import Invitation, not_over, way_back
from towerhall_client.sitting import Sitting
from towerhall_client.status import clocks_sentence, next_sentence, turn_sentence
from towerhall_client.stdin_lines import StdinLines
from towerhall_client.table import Table
from towerhall_client.terms import terms_of
from towerhall_protocol.events import Rated
from towerhall_protocol.rooms import View

RATINGS_WITHIN_S = 2.0


class PlainRoom:
    """Runs until the match is over, or the input is (raises Stop when the line is)."""

    def __init__(self, sitting: Sitting, output: Output, lines: StdinLines | None) -> None:
        self.sitting = sitting
        self._output = output
        self._lines = lines
        self._news = asyncio.Event()
        self._printed = sitting.table.told_ever
        self._shown: tuple[View, int | None] | None = None
        self._refused = False
        self._input_ended = False
        self._rated = False

    async def run(self) -> ExitCode:
        sitting = self.sitting
        sitting.changed = self._changed
        sitting.connection.line = self._line_changed  # of two from one machine, one tells for both
        for connection in sitting.connections:
            connection.ended.add_done_callback(lambda _: self._news.set())
        self._introduce()
        try:
            code = await self._play()
            await self._hear_ratings()
        except Leave:
            self._tell_way_back()
            return ExitCode.DONE
        except asyncio.CancelledError:  # Ctrl-C
            self._tell_way_back()
            raise
        return code

    async def _play(self) -> ExitCode:
        while (line := await self._line()) is not None:
            if line.strip():
                await self._take(line.strip())
        if self._refused and self._input_ended:
            return ExitCode.ILLEGAL
        await self._until(lambda: self._may_move)
        if not self.sitting.over.is_set():
            command = way_back(self.sitting)
            self._output.problem(f"The input has ended and it is your turn; go on with: {command}")
        return ExitCode.DONE

    async def _hear_ratings(self) -> None:
        """They follow a rated match a moment later."""
        if self.sitting.room.rated and self.sitting.room.status == "over":
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RATINGS_WITHIN_S):
                    while not self._rated:
                        self._news.clear()
                        await self._news.wait()

    def _tell_way_back(self) -> None:
        if not self.sitting.table.over and not self.sitting.seating.watching:
            self._output.problem(not_over(self.sitting))

    # The input

    async def _line(self) -> str | None:
        """The next line; None when there is no more, or no more is needed."""
        if self._lines is None:
            await self._until(lambda: False)
            return None
        while not self._is_done:
            self._check_line()
            self._news.clear()
            line, news = self._lines.next(), asyncio.create_task(self._news.wait())
            either: set[asyncio.Future[Any]] = {line, news}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if line.done():
                self._input_ended = line.result() is None
                return line.result()
        return None

    @property
    def _is_done(self) -> bool:
        """A person may still ask for a rematch; a script is done when the match is."""
        typed = self._lines is not None and self._lines.typed and not self.sitting.table.closed
        return self.sitting.over.is_set() and not (typed and not self.sitting.seating.watching)

    @property
    def _may_move(self) -> bool:
        return self.sitting.seating.may_move(self.sitting.table)

    async def _take(self, line: str) -> None:
        try:
            if line.startswith("/"):
                await self._game_is_on(line)
                await obey(self.sitting, line)
            elif self.sitting.seating.watching:
                await self.sitting.say(line)
            elif await self._turn_comes():
                await self.sitting.move(line)
            self._refused = False
        except Refused as refused:
            self._refused = True
            self._report(line, refused)
        tell = self._output.problem if self._output.json else self._output.line
        for text in self.sitting.sheet:
            tell(text)
        self.sitting.sheet = []
        self._print_lines()

    async def _turn_comes(self) -> bool:
        """Whether a move may be sent now; a script waits for its turn, a person is told."""
        if self._lines is not None and self._lines.typed:
            if not self._may_move:
                self.sitting.tell("note", turn_sentence(self.sitting.table, self.sitting.seating))
            return self._may_move
        await self._until(lambda: self._may_move)
        return self._may_move

    async def _game_is_on(self, line: str) -> None:
        """What ends a game waits for one to be on, in a script."""
        typed = self._lines is not None and self._lines.typed
        if not typed and line.partition(" ")[0] in ("/resign", "/abort", "/claim"):
            await self._until(lambda: self.sitting.room.turn is not None)

    async def _until(self, true: Callable[[], bool]) -> None:
        """Until it is true, or the match is over."""
        while not true() and not self.sitting.over.is_set():
            self._check_line()
            self._news.clear()
            await self._news.wait()

    def _check_line(self) -> None:
        for connection in self.sitting.connections:
            if connection.ended.done():
                raise connection.ended.result()

    # The output

    def _introduce(self) -> None:
        room, output = self.sitting.room, self._output
        if output.json:
            output.object(room)
            return
        invitation = Invitation(self.sitting.connection.address, room.code)
        output.line(f"{room.title}, room {invitation.code}")
        output.line(f"Terms: {', '.join([*terms_of(room), *self.sitting.terms])}")
        if room.status == "open" and not self.sitting.seating.watching:
            for line in invitation.lines():
                output.line(line)
            if invitation.warning:
                output.problem(invitation.warning)
            output.line("Waiting for a second player.")
        self._show_position()

    def _changed(self, before: Table, news: News) -> None:
        self._rated = isinstance(news, Rated)
        if self._output.json:
            if isinstance(news, Gone):
                self._output.problem(news.sentence)
            else:
                self._output.object(news)
        else:
            self._print_lines()
            self._show_position()
            self._say_what_next(before)
        self._news.set()

    def _print_lines(self) -> None:
        table = self.sitting.table
        new = table.told_ever - self._printed
        self._printed = table.told_ever
        for line in table.lines[len(table.lines) - new :] if new else ():
            if not self._output.json:
                self._output.line(line.text)

    def _show_position(self) -> None:
        """The table, when it is one's turn or one watches; once for each position."""
        table, room = self.sitting.table, self.sitting.room
        if room.status != "live" or room.turn is None or self._shown == (room.view, room.turn):
            return
        if not self._may_move and not self.sitting.seating.watching:
            return
        self._shown = (room.view, room.turn)
        for line in board_lines(room.view, table.names):
            self._output.line(line)
        if clocks := clocks_sentence(table, self.sitting.now_ms):
            self._output.line(clocks)
        self._output.line(turn_sentence(table, self.sitting.seating))
        if self._may_move:
            self._output.line(named(room.view.prompt, table.names))
            if room.legal:
                self._output.line(f"Legal: {' '.join(room.legal)}")

    def _say_what_next(self, before: Table) -> None:
        table = self.sitting.table
        if table.over and not before.over and self._lines is not None and self._lines.typed:
            self._output.line(next_sentence(table, self.sitting.seating, self.sitting.now_ms))

    def _report(self, line: str, refused: Refused) -> None:
        if self._output.json:
            self._output.object(refused.error)
            return
        self._output.problem(f"refused: {line}: {self.sitting.why(refused)}")
        if self.sitting.room.legal and not line.startswith("/"):
            self._output.problem(f"legal moves: {' '.join(self.sitting.room.legal)}")

    def _line_changed(self, trouble: Trouble | None) -> None:
        self._output.line_changed(trouble)
        self._news.set()
