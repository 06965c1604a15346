"""Draw the README's screens: two people play a real game in pseudo-terminals, and what they see
becomes pictures.

    python -m client.screens DIRECTORY
"""

import io
import sys
import tempfile
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from client.hall import open_hall
from client.person import Person

ROWS = 24
COLUMNS = 80
DARK = TerminalTheme(
    (24, 26, 31),
    (220, 223, 228),
    [
        (24, 26, 31),
        (224, 108, 117),
        (130, 190, 110),
        (229, 192, 123),
        (97, 175, 239),
        (198, 120, 221),
        (86, 182, 194),
        (220, 223, 228),
    ],
)


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="th") as temporary:
        home = Path(temporary)
        with open_hall(home) as hall:

            def person(name: str, *arguments: str) -> Person:
                place = ("--server", hall.server, "--name", name)
                return Person(home / name, *arguments, *place, size=(COLUMNS, ROWS))

            people = _play(person)
            for title in ("playing", "watching", "lobby"):
                one = people[title]
                one.look()
                _draw(one, directory / f"{title}.svg")
                sys.stdout.write(f"{directory / title}.svg\n")


def _play(person: Callable[..., Person]) -> dict[str, Person]:
    """A duel, up to a moment worth a picture, and the same game as others see it."""
    ann = person("ann", "play", "duel", "--new", "--first=creator", "--preset=grand", "--listed")
    code = ann.code()
    bob = person("bob", "play", code)
    cleo = person("cleo", "watch", code)
    cleo.sees("It is ann's turn.")
    for who, move in ((ann, "2a"), (bob, "1b"), (ann, "4a"), (bob, "3b"), (ann, "1c"), (bob, "5b")):
        who.moves(move)
    bob.enters("/say C is yours, then")
    ann.sees("bob: C is yours")
    ann.moves("3a")
    ann.sees("Legal moves:")
    ann.types("3c")
    cleo.sees("bob: C is yours")
    dan = person("dan", "play", "chain", "--new", "--listed", "--clock=5+3")
    dan.code()
    eve = person("eve", "play", "relatives", "--preset=juniper")
    eve.sees("Looking for an opponent")
    fay = person("fay", "lobby")
    for row in ("join", "seek", "watch"):
        fay.sees(f" {row} ")
    return {"playing": ann, "watching": cleo, "lobby": fay, "bob": bob, "dan": dan, "eve": eve}


def _draw(person: Person, file: Path) -> None:
    console = Console(width=COLUMNS, record=True, file=io.StringIO())
    for row in range(ROWS):
        console.print(_row(person, row), soft_wrap=True)
    svg = console.export_svg(title="towerhall", theme=DARK, unique_id="towerhall")
    file.write_text(svg, encoding="utf-8")


def _row(person: Person, number: int) -> Text:
    text = Text()
    cells = person.glass.buffer[number]
    for style, run in groupby((cells[column] for column in range(COLUMNS)), key=_style):
        text.append("".join(cell.data for cell in run), style)
    return text


def _style(cell: Char) -> Style:
    color = None if cell.fg == "default" else cell.fg.replace("brown", "yellow")
    return Style(color=color, bold=cell.bold, reverse=cell.reverse, italic=cell.italics)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
