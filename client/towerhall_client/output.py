"""Where everything is printed: results on stdout, diagnostics on stderr, every line made safe.

In a terminal tables are drawn; in a pipe, or with `--plain`, they are lines; with `--json` every
result is one object a line, in ASCII.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from towerhall_client.exits import Unwritable
from towerhall_client.ink import pad, width_of
from towerhall_client.safe import safe
from towerhall_client.streams import let_go

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Output:
    json: bool = False
    plain: bool = False
    color: bool = True

    @property
    def drawn(self) -> bool:
        """Whether a person looks at a terminal that can be drawn on."""
        if self.json or self.plain or os.environ.get("TERM") == "dumb":
            return False
        return sys.stdin.isatty() and sys.stdout.isatty()

    def line(self, text: str = "") -> None:
        _write(sys.stdout, safe(text))

    def lines(self, text: str) -> None:
        """A text of several lines, each made safe by itself."""
        for line in text.splitlines():
            self.line(line)

    def problem(self, text: str) -> None:
        """Where nobody can be told there is nobody to tell so."""
        try:
            _write(sys.stderr, f"towerhall: {safe(text)}")
        except (BrokenPipeError, Unwritable):
            let_go(sys.stderr)

    def line_changed(self, trouble: object | None) -> None:
        """To the hall, that is: it dropped, or is back."""
        self.problem(str(trouble) if trouble else "The line is back.")

    def object(self, value: Any) -> None:
        """JSON in ASCII: what a terminal would obey is escaped by it."""
        _write(sys.stdout, json.dumps(msgspec.to_builtins(value)))

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        if self.drawn:
            self._draw(headings, rows)
            return
        cells = [list(headings), *(list(row) for row in rows)]
        widths = [max(width_of(row[n]) for row in cells) for n in range(len(headings))]
        for row in cells:
            padded = (pad(cell, width) for cell, width in zip(row, widths, strict=True))
            self.line("  ".join(padded).rstrip())

    def waiting(self, sentence: Callable[[], str]) -> AbstractContextManager[Any]:
        """Something turns at the terminal while one waits, and says what the sentence is by now."""
        from rich.text import Text

        class Now:
            def __rich__(self) -> Text:
                return Text(safe(sentence()))

        return self._console().status(Now())

    def _console(self) -> "Console":
        from rich.console import Console

        system: Any = "standard" if self.color else None
        return Console(color_system=system, highlight=False, markup=False)

    def _draw(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in headings:
            table.add_column(Text(safe(heading)))
        for row in rows:
            table.add_row(*(Text(safe(cell)) for cell in row))
        self._console().print(table)


def _write(stream: TextIO, line: str) -> None:
    """Raises BrokenPipeError where nobody reads any more, Unwritable where the disk is full."""
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(f"The output cannot be written: {error.strerror}.") from None
