"""A recorded game in a terminal: step, play, faster and slower."""

import asyncio
import contextlib

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth

from towerhall_client.exits import ExitCode
from towerhall_client.film import Film
from towerhall_client.terminal import STYLE, fragments

SLOWEST, FASTEST = 0.125, 16.0
HELP = " ←/→ step · Home/End · Space play · +/- speed · q leave"


class Projector:
    def __init__(self, film: Film, *, color: bool, speed: float = 1.0) -> None:
        self._film = film
        self._at = 0
        self._speed = min(max(speed, SLOWEST), FASTEST)
        self._playing = False
        depth = ColorDepth.DEPTH_4_BIT if color else ColorDepth.DEPTH_1_BIT
        picture = Window(FormattedTextControl(self._picture), wrap_lines=False)
        bar = Window(FormattedTextControl(self._bar), height=1)
        self._app: Application[ExitCode] = Application(
            layout=Layout(HSplit([picture, bar])),
            key_bindings=self._keys(),
            style=STYLE,
            color_depth=depth,
            full_screen=True,
        )

    async def run(self) -> ExitCode:
        playing = asyncio.create_task(self._play())
        try:
            return await self._app.run_async()
        finally:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing

    def _picture(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        return fragments(self._film.rows(self._at, size.columns, size.rows - 1))

    def _bar(self) -> StyleAndTextTuples:
        state = f"{self._speed:g} moves a second" if self._playing else "stopped"
        return [("class:hint", f"{HELP} · {state}")]

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def bind(*names: str, to: int | None = None, step: int = 0) -> None:
            def go(event: KeyPressEvent) -> None:
                self._playing = False
                self._show(self._at + step if to is None else to)

            for name in names:
                keys.add(name)(go)

        bind("left", "up", "p", step=-1)
        bind("right", "down", "n", "enter", step=1)
        bind("home", "g", to=0)
        bind("end", "G", to=self._film.last)

        @keys.add(" ")
        def _(event: KeyPressEvent) -> None:
            self._playing = not self._playing
            if self._playing and self._at == self._film.last:
                self._at = 0

        @keys.add("+")
        def _(event: KeyPressEvent) -> None:
            self._speed = min(self._speed * 2, FASTEST)

        @keys.add("-")
        def _(event: KeyPressEvent) -> None:
            self._speed = max(self._speed / 2, SLOWEST)

        @keys.add("q")
        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=ExitCode.DONE)

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=ExitCode.INTERRUPTED)

        return keys

    def _show(self, number: int) -> None:
        self._at = min(max(number, 0), self._film.last)
        self._app.invalidate()

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(1 / self._speed)
            if self._playing:
                self._show(self._at + 1)
                self._playing = self._at < self._film.last
