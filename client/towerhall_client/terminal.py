"""A room in a terminal: the table above, the line one types below, which nothing disturbs."""

import asyncio
import contextlib
from collections.abc import Coroutine, Iterable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Float, FloatContainer, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import AfterInput, Processor
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from towerhall_client.connection import News, Trouble
from towerhall_client.exits import ExitCode, Refused, Stop
from towerhall_client.ink import Row, cut
from towerhall_client.orders import Leave, obey, orders_for
from towerhall_client.safe import safe
from towerhall_client.screen import Scene, counting, draw, title_of
from towerhall_client.sharing import Invitation
from towerhall_client.sitting import Sitting
from towerhall_client.table import Table

TICK_S = 0.2
PAGE = 3
MOVE_SHOWN = 24
KEEP_TITLE, TITLE_AS_BEFORE = "\x1b[22;0t", "\x1b[23;0t"
"""For terminals that keep titles on a stack; others forget the title of the room at least."""

# Sixteen colours that can be read on light and on dark; most is told by weight, not by colour.
STYLE = Style.from_dict(
    {
        "title": "bold",
        "key": "bold",
        "prompt": "bold",
        "you": "bold ansigreen",
        "them": "bold ansimagenta",
        "top": "bold reverse",
        "alert": "bold ansired",
        "game": "bold",
        "chat": "ansimagenta",
        "qr": "ansiwhite bg:ansiblack",
        "hint": "italic",
    }
)


def fragments(rows: Iterable[Row]) -> StyleAndTextTuples:
    """The one way onto the screen: every piece of text is made safe here."""
    drawn: StyleAndTextTuples = []
    for row in rows:
        drawn += [(f"class:{style}" if style else "", safe(text)) for style, text in row]
        drawn.append(("", "\n"))
    return drawn[:-1]


class RoomTerminal:
    """Runs until the person leaves, or the line is lost for good (raises Stop)."""

    def __init__(self, sitting: Sitting, *, color: bool) -> None:
        self.sitting = sitting
        self._invitation = Invitation(sitting.connection.address, sitting.room.code)
        self._sending = ""
        self._back = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._buffer = Buffer(
            multiline=False,
            completer=_Words(sitting),
            history=InMemoryHistory(),
            accept_handler=self._entered,
        )
        depth = ColorDepth.DEPTH_4_BIT if color else ColorDepth.DEPTH_1_BIT
        self._app: Application[ExitCode] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            color_depth=depth,
            full_screen=True,
            before_render=self._scroll_to_start,
        )

    async def run(self, *, call: bool = False) -> ExitCode:
        self.sitting.changed = self._changed
        for connection in self.sitting.connections:
            connection.line = self._line_changed
            connection.ended.add_done_callback(self._line_ended)
        ticking = asyncio.create_task(self._tick())
        self._app.output.write_raw(KEEP_TITLE)
        try:
            self._call(ring=call)
            return await self._app.run_async()
        finally:
            for task in [ticking, *self._tasks]:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
            self._app.output.clear_title()
            self._app.output.write_raw(TITLE_AS_BEFORE)
            self._app.output.flush()

    # What is shown

    def _layout(self) -> Layout:
        hint: list[Processor] = [AfterInput(self._hint)]
        table = Window(FormattedTextControl(self._table), wrap_lines=False)
        # The prompt has a window of its own: a long line scrolls, and must not take it along.
        prompt = Window(FormattedTextControl(self._prompt), height=1, dont_extend_width=True)
        line = Window(BufferControl(self._buffer, input_processors=hint), height=1)
        self._line = line
        menu = Float(CompletionsMenu(max_height=6), xcursor=True, ycursor=True)
        content = HSplit([table, VSplit([prompt, line])])
        return Layout(FloatContainer(content, [menu]), focused_element=line)

    def _table(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        return fragments(draw(self._scene(), size.columns, size.rows - 1))

    def _scroll_to_start(self, _: Any) -> None:
        """What was scrolled out of a narrow window is to be seen again when it is wide; from here
        it is scrolled as far as the cursor needs."""
        self._line.horizontal_scroll = 0

    def _scene(self) -> Scene:
        sitting = self.sitting
        return Scene(
            table=sitting.table,
            seating=sitting.seating,
            now_ms=sitting.now_ms,
            trouble=self._trouble(),
            invitation=self._invitation if not sitting.seating.watching else None,
            sheet=tuple(sitting.sheet),
            back=self._back,
            terms=sitting.terms,
        )

    def _trouble(self) -> str:
        for connection in self.sitting.connections:
            if trouble := connection.trouble:
                return str(trouble)
        return ""

    def _prompt(self) -> StyleAndTextTuples:
        room, seating = self.sitting.room, self.sitting.seating
        if seating.watching:
            text = "Say"
        elif room.status == "live" and room.turn is not None:
            mine = seating.is_mine(room.turn) and not seating.both
            text = "Your move" if mine else f"{self.sitting.table.names[room.turn]} to move"
        else:
            text = "Order"
        widest = self._app.output.get_size().columns // 2
        return [("class:key", f" {cut(text, widest)}> ")]

    def _hint(self) -> StyleAndTextTuples:
        if self._sending:
            return [("class:hint", safe(f"  (sending {cut(self._sending, MOVE_SHOWN)}…)"))]
        if self._tasks and self._trouble():
            return [("class:hint", f"  ({len(self._tasks)} to be sent when the line is back)")]
        if self._buffer.text:
            return []
        return [("class:hint", "/help for what can be typed")]

    # What is typed

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("tab")
        def _(event: KeyPressEvent) -> None:
            if self._buffer.complete_state:
                self._buffer.complete_next()
            else:
                self._buffer.start_completion(insert_common_part=True)

        @keys.add("pageup")
        def _(event: KeyPressEvent) -> None:
            self._back = min(self._back + PAGE, max(0, len(self.sitting.table.lines) - PAGE))

        @keys.add("pagedown")
        def _(event: KeyPressEvent) -> None:
            self._back = max(0, self._back - PAGE)

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            if self._buffer.text:
                self._buffer.reset()
            else:
                event.app.exit(result=ExitCode.INTERRUPTED)

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            if not self._buffer.text:
                event.app.exit(result=ExitCode.DONE)

        return keys

    def _entered(self, buffer: Buffer) -> bool:
        """Whether the line stays as it is: it does where it could not be used now."""
        text = buffer.text.strip()
        sitting = self.sitting
        sitting.sheet, self._back = [], 0
        if text.startswith("/"):
            self._start(obey(sitting, text))
        elif sitting.seating.watching:
            if text:
                self._start(sitting.say(text))
        elif text and self._sending:
            return True
        elif text and not sitting.seating.may_move(sitting.table):
            sitting.tell("note", _why_not_now(sitting))
            return True
        elif text:
            self._sending = text
            self._start(self._move(text))
        return False

    async def _move(self, text: str) -> None:
        try:
            await self.sitting.move(text)
        except Refused as refused:
            self.sitting.tell("alert", f"{cut(text, MOVE_SHOWN)}: {self.sitting.why(refused)}")
            if legal := self.sitting.room.legal:
                self.sitting.tell("note", f"Legal moves: {' '.join(legal)}")
        finally:
            self._sending = ""

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._done(doing))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _done(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
        except Refused as refused:
            self.sitting.tell("alert", self.sitting.why(refused))
        except Leave:
            self._app.exit(result=ExitCode.DONE)
        except Stop:
            pass  # the line is gone, of which the room is told otherwise
        finally:
            self._app.invalidate()

    # What happens

    def _changed(self, before: Table, news: News) -> None:
        room = self.sitting.room
        turned = (before.room.turn, before.room.round) != (room.turn, room.round)
        joined = before.room.status == "open" and room.status == "live"
        if (turned and self.sitting.seating.may_move(self.sitting.table)) or joined:
            self._call(ring=joined)
        else:
            self._app.output.set_title(safe(title_of(self._scene())))
        self._app.invalidate()

    def _call(self, *, ring: bool = False) -> None:
        """To the table: when it is one's turn, and when the opponent came whom one waited for."""
        output, scene = self._app.output, self._scene()
        output.set_title(safe(title_of(scene)))
        if (ring or scene.seating.may_move(scene.table)) and not scene.seating.both:
            output.bell()
        output.flush()

    def _line_changed(self, trouble: Trouble | None) -> None:
        if trouble is None and not self._trouble():  # the other seat's may still be down
            self.sitting.tell("note", "The line is back.")
        self._app.invalidate()

    def _line_ended(self, ended: "asyncio.Future[Stop]") -> None:
        if self._app.is_running and not ended.cancelled():
            self._app.exit(exception=ended.result())

    async def _tick(self) -> None:
        """Clocks do not tick, they are drawn: anew whenever they would look different."""
        drawn = counting(self._scene())
        while True:
            await asyncio.sleep(TICK_S)
            if (now := counting(self._scene())) != drawn:
                drawn = now
                self._app.invalidate()


class _Words(Completer):
    """Tab: orders after a slash, else legal moves."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith("/"):
            words = [f"/{order.name}" for order in orders_for(self._sitting)]
        elif self._sitting.seating.may_move(self._sitting.table):
            words = self._sitting.room.legal or []
        else:
            words = []
        for word in words:
            if word.lower().startswith(typed.lower()):
                yield Completion(safe(word), start_position=-len(typed))


def _why_not_now(sitting: Sitting) -> str:
    room = sitting.room
    if room.status == "live" and room.turn is not None:
        return f"It is {sitting.table.names[room.turn]}'s turn; your line stays as it is."
    return "Nobody is to move now; your line stays as it is."
