"""A room as rows of text: view and table in, picture out. Pure; any game, also an unknown one.

title     game, options, code, who watches
players   names, clocks, score
─────
towers    supplies, notes
turn      what is asked, the legal moves
─────
lines     what happened, the latest last
"""

from dataclasses import dataclass

from towerhall_client.board import draw_board
from towerhall_client.clockface import face, remaining_ms
from towerhall_client.ink import Row, cut, cut_row, row_width, wrapped
from towerhall_client.naming import named
from towerhall_client.sharing import Invitation
from towerhall_client.status import Seating, away_sentence, next_sentence, turn_sentence
from towerhall_client.table import Table
from towerhall_client.terms import terms_of
from towerhall_protocol.text import show_code

MARGIN = 1
LEGAL_ROWS = 2
ASKED_ROWS = 4
SMALL, SMALLEST = 19, 12
"""Below so many rows nothing is left empty, and what the legal moves say is not said again; below
the second, what happened has no line above it."""
LOW_MS = 20_000


@dataclass(frozen=True)
class Scene:
    """All that is drawn. `invitation` is what an open room shows in place of its towers, `sheet` a
    text that is read in their place, `back` how many lines of what happened one has gone back."""

    table: Table
    seating: Seating
    now_ms: int
    trouble: str = ""
    invitation: Invitation | None = None
    sheet: tuple[str, ...] = ()
    back: int = 0
    terms: tuple[str, ...] = ()
    """The options that are not the preset's, as `tiles=7`."""


def draw(scene: Scene, width: int, height: int) -> list[Row]:
    """Exactly `height` rows, none wider than `width`. Each part keeps its place in all positions:
    the eye need not search."""
    inner = max(20, width - 2 * MARGIN)
    rule: Row = [("rule", "─" * width)]
    small, ruled = height < SMALL, height >= SMALLEST
    rows = [_indented(row, width) for row in (_title(scene, inner), *_players(scene, inner))]
    asked = _asked(scene, inner, small=small)
    air: list[Row] = [] if small else [[]]
    left = height - len(rows) - len(asked) - len(air) - 1 - ruled
    inviting = scene.invitation if scene.table.room.status == "open" else None
    lines = 1 if inviting or scene.sheet else max(1 if small else 3, left // 3)
    board = _board(scene, inviting, inner, max(3, left - lines))
    rows += [rule, *(_indented(row, width) for row in [*board, *air, *asked])]
    rows += [rule] * ruled
    rows += [_indented(row, width) for row in _lines(scene, inner, height - len(rows))]
    return (rows + [[] for _ in range(height)])[:height]


def _board(scene: Scene, inviting: Invitation | None, width: int, height: int) -> list[Row]:
    """Towers stand on the ground: what is missing above them is air."""
    table = scene.table
    if inviting or scene.sheet:
        rows = _sheet(scene.sheet, width) if scene.sheet else []
        rows = rows or (inviting.rows(width, height) if inviting else [])
        return (rows + [[] for _ in range(height)])[:height]
    rows = draw_board(table.room.view, table.names, width, height)
    return [[] for _ in range(height - len(rows))] + rows


def _indented(row: Row, width: int) -> Row:
    return cut_row([("", " " * MARGIN), *row], width) if row else row


def _title(scene: Scene, width: int) -> Row:
    room = scene.table.room
    facts = [show_code(room.code), *terms_of(room)]
    if room.watchers:
        facts.append(f"{room.watchers} watching")
    facts += scene.terms  # last: they may be many, and are cut first
    return cut_row([("title", room.title), ("dim", " · " + " · ".join(facts))], width)


def _players(scene: Scene, width: int) -> list[Row]:
    """One player on the left, the other on the right: turn, name, rating, clock, score. Where both
    do not fit, one below the other."""
    left, right = (_player(scene, seat) for seat in (0, 1))
    gap = max(3, width // 2 - row_width(left))
    if row_width(left) + gap + row_width(right) > width:
        return [left, right]
    return [[*left, ("", " " * gap), *right]]


def _player(scene: Scene, seat: int) -> Row:
    table, room = scene.table, scene.table.room
    sitter = room.seats[seat]
    mine = scene.seating.is_mine(seat)
    mark = "▶ " if room.turn == seat and room.status == "live" else "  "
    row: Row = [("key", mark), ("you" if mine else "them", table.names[seat] if sitter else "…")]
    if mine and not scene.seating.both:
        row.append(("dim", " (you)"))
    if sitter and sitter.rating:
        row.append(("dim", f" {sitter.rating.value}{'?' if sitter.rating.provisional else ''}"))
    if sitter and not sitter.online and not mine:
        row.append(("alert", " away"))
    if room.clocks:
        left = remaining_ms(room.clocks, seat, scene.now_ms)
        row.append(("alert" if left < LOW_MS else "title", f"  {face(left)}"))
    if room.rounds > 1 or room.match > 1 or any(room.score):
        row.append(("", f"  won {room.score[seat]}"))
    return row


def _sheet(texts: tuple[str, ...], width: int) -> list[Row]:
    lines = [line for text in texts for line in wrapped(text, width)]
    return [*([("", line)] for line in lines), [], [("key", "Enter brings the table back.")]]


def _asked(scene: Scene, width: int, *, small: bool) -> list[Row]:
    """What the player to move is asked; or how it ended, and what may be done."""
    table, room = scene.table, scene.table.room
    mine = scene.seating.may_move(table)
    style = "prompt" if mine or room.turn is None else "note"
    rows: list[Row] = []
    if scene.trouble:
        rows += [[("alert", line)] for line in wrapped(scene.trouble, width)]
    turn = turn_sentence(table, scene.seating)
    asking = mine and not (small and room.legal)
    ask = named(room.view.prompt, table.names) if asking else ""
    rows += [[(style, line)] for line in wrapped(f"{turn} {ask}".strip(), width)]
    if mine and room.legal:
        rows += legal_rows(room.legal, width)
    for sentence in (
        away_sentence(table, scene.seating, scene.now_ms),
        next_sentence(table, scene.seating, scene.now_ms),
    ):
        rows += [[("key", line)] for line in wrapped(sentence, width) if line]
    least = 0 if small or room.status == "open" else ASKED_ROWS
    return rows + [[] for _ in range(least - len(rows))]


def legal_rows(legal: list[str], width: int, most: int = LEGAL_ROWS) -> list[Row]:
    """The legal moves, and how many there are beyond what fits."""
    lines = [["Legal:"]]
    for number, move in enumerate(legal):
        if sum(len(word) + 1 for word in lines[-1]) + len(move) > width - 14:
            if len(lines) == most:
                lines[-1].append(f"and {len(legal) - number} more")
                break
            lines.append(["      "])
        lines[-1].append(move)
    return [[("note", cut(" ".join(line), width))] for line in lines]


def _lines(scene: Scene, width: int, height: int) -> list[Row]:
    """The end of what happened, as much as fits."""
    rows: list[Row] = []
    lines = scene.table.lines[: len(scene.table.lines) - scene.back]
    for line in reversed(lines[-max(0, height) :] if height > 0 else ()):
        folded = [[(line.kind, part)] for part in wrapped(line.text, width)]
        if len(rows) + len(folded) > height:
            rows = rows or folded[:height]
            break
        rows = [*folded, *rows]
    if scene.back and rows:
        below = f"↓ {scene.back} newer: Page Down"
        rows = [*rows[: height - 1], [("key", below)]]
    return rows


def counting(scene: Scene) -> tuple[str, ...]:
    """All that is drawn differently as time passes, though nothing happens."""
    table, now_ms = scene.table, scene.now_ms
    clocks = table.room.clocks
    faces = [face(remaining_ms(clocks, seat, now_ms)) for seat in (0, 1)] if clocks else []
    away = away_sentence(table, scene.seating, now_ms)
    return (*faces, away, next_sentence(table, scene.seating, now_ms), scene.trouble)


def title_of(scene: Scene) -> str:
    """For the terminal's title bar."""
    table = scene.table
    mark = "● your move · " if scene.seating.may_move(table) and not scene.seating.both else ""
    return f"{mark}{table.room.title} · {show_code(table.room.code)}"
