"""The lobby in a terminal: it changes while one looks, and what is marked stays marked."""

import asyncio
import contextlib

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth

from towerhall_client.connection import Connection, News
from towerhall_client.exits import Stop
from towerhall_client.lobby_list import Entry, draw_list, entries_of
from towerhall_client.terminal import STYLE, fragments
from towerhall_protocol.replies import LobbyState

TICK_S = 0.5
HELP = " ↑/↓ choose · Enter join, play or watch · q leave"


class LobbyTerminal:
    """Gives the entry that was chosen, or None."""

    def __init__(self, connection: Connection, lobby: LobbyState, *, color: bool) -> None:
        self._connection = connection
        self._lobby = lobby
        self._entries = entries_of(lobby, connection.welcome.games)
        self._at = 0
        depth = ColorDepth.DEPTH_4_BIT if color else ColorDepth.DEPTH_1_BIT
        listing = Window(FormattedTextControl(self._listing), wrap_lines=False)
        bar = Window(FormattedTextControl(self._bar), height=1)
        self._app: Application[Entry | None] = Application(
            layout=Layout(HSplit([listing, bar])),
            key_bindings=self._keys(),
            style=STYLE,
            color_depth=depth,
            full_screen=True,
        )

    async def run(self) -> Entry | None:
        self._connection.hear = self._hear
        self._connection.line = lambda trouble: self._app.invalidate()
        self._connection.ended.add_done_callback(lambda ended: self._lost(ended.result()))
        counting = asyncio.create_task(self._count_down())
        try:
            return await self._app.run_async()
        finally:
            counting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await counting

    async def _count_down(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if self._connection.trouble:
                self._app.invalidate()

    def _listing(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        place = (size.columns, size.rows - 1)
        return fragments(draw_list(self._lobby, self._entries, self._at, place))

    def _bar(self) -> StyleAndTextTuples:
        if trouble := self._connection.trouble:
            return fragments([[("alert", f" {trouble} q leaves.")]])
        return [("class:hint", HELP)]

    def _hear(self, news: News) -> None:
        if not isinstance(news, LobbyState):
            return
        marked = self._entries[self._at].key if self._entries else None
        self._lobby, self._entries = news, entries_of(news, self._connection.welcome.games)
        keys = [entry.key for entry in self._entries]
        at = keys.index(marked) if marked in keys else self._at
        self._at = max(0, min(at, len(keys) - 1))
        self._app.invalidate()

    def _lost(self, stop: Stop) -> None:
        if self._app.is_running:
            self._app.exit(exception=stop)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("up")
        @keys.add("k")
        def _(event: KeyPressEvent) -> None:
            self._at = max(0, self._at - 1)

        @keys.add("down")
        @keys.add("j")
        def _(event: KeyPressEvent) -> None:
            self._at = max(0, min(len(self._entries) - 1, self._at + 1))

        @keys.add("enter")
        def _(event: KeyPressEvent) -> None:
            # What is shown may be gone, and whoever waits for an answer sees nothing of the line.
            if self._entries and not self._connection.trouble:
                event.app.exit(result=self._entries[self._at])

        @keys.add("q")
        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        return keys
