"""The stacks of a view as towers of blocks, any game's: what is on them is only numbers.

A tower that is too tall shows its top, and how many blocks are below. Towers that do not fit side
by side are written as lines.
"""

from towerhall_client.ink import Row, centred, cut, row_width, width_of
from towerhall_client.naming import Names, named
from towerhall_protocol.rooms import Stack

GAP = 2
LONGEST_LABEL = 24
SHORTEST_TOWER = 4


def draw_towers(stacks: list[Stack], names: Names, width: int, height: int) -> list[Row]:
    """At most `height` rows of at most `width` columns."""
    columns = [_column(stack, names) for stack in stacks]
    total = sum(columns) + GAP * max(0, len(columns) - 1)
    foot = 2 if any(stack.note for stack in stacks) else 1
    if total > width or height < foot + SHORTEST_TOWER:
        return _as_lines(stacks, names, width, height)
    body = height - foot - 2
    tallest = min(body, max((len(stack.items) for stack in stacks), default=0))
    towers = [
        _tower(stack, names, column, tallest, foot)
        for stack, column in zip(stacks, columns, strict=True)
    ]
    return [_joined(parts) for parts in zip(*towers, strict=True)]


def widest(stacks: list[Stack], names: Names) -> int:
    """How wide they are, drawn side by side."""
    return sum(_column(stack, names) for stack in stacks) + GAP * max(0, len(stacks) - 1)


def _joined(parts: tuple[Row, ...]) -> Row:
    row: Row = []
    for part in parts:
        row += [("", " " * GAP), *part] if row else part
    return row


def _column(stack: Stack, names: Names) -> int:
    label = min(LONGEST_LABEL, width_of(named(stack.label, names)))
    return max(_box(stack), label, min(LONGEST_LABEL, width_of(stack.note)))


def _box(stack: Stack) -> int:
    """A block's width: its number, a blank on each side, and the walls."""
    return max((len(str(item)) for item in stack.items), default=1) + 4


def _tower(stack: Stack, names: Names, column: int, body: int, foot: int) -> list[Row]:
    box = _box(stack)
    shown = list(reversed(stack.items))
    below = 0
    if len(shown) > body:
        below = len(shown) - (body - 1)
        shown = shown[: body - 1]
    rows: list[Row] = [[("", " " * column)] for _ in range(body - len(shown) - bool(below))]
    roof = "┌" + "─" * (box - 2) + "┐" if stack.items else ""
    rows.append(_centred_row("block", roof, column))
    for number, item in enumerate(shown):
        style = "top" if number == 0 else "block"
        rows.append(_block(str(item), style, box, column))
    if below:
        rows.append(_block(cut(f"+{below}", box - 2), "dim", box, column))
    base = "└" + "─" * (box - 2) + "┘" if stack.items else "─" * box
    rows.append(_centred_row("block", base, column))
    rows.append([("title", centred(named(stack.label, names), column))])
    if foot == 2:
        rows.append([("dim", centred(stack.note, column))])
    return rows


def _block(text: str, style: str, box: int, column: int) -> Row:
    left = (column - box) // 2
    row: Row = [
        ("", " " * left),
        ("block", "│"),
        (style, centred(text, box - 2)),
        ("block", "│"),
    ]
    return [*row, ("", " " * (column - row_width(row)))]


def _centred_row(style: str, text: str, column: int) -> Row:
    return [(style, centred(text, column))]


def _as_lines(stacks: list[Stack], names: Names, width: int, height: int) -> list[Row]:
    """Bottom to top; where a line is too long, its beginning is left out."""
    rows: list[Row] = []
    for stack in stacks:
        label = named(stack.label, names) + (f" ({stack.note})" if stack.note else "")
        head = cut(label, LONGEST_LABEL + 12) + ": "
        room = max(8, width - width_of(head))
        rows.append([("title", head), *tail_of(stack.items, room)])
    if len(rows) > height:
        left_out = len(rows) - height + 1
        rows = [*rows[: height - 1], [("dim", f"… and {left_out} more")]]
    return rows


def tail_of(items: list[int], width: int) -> Row:
    """The end of a list of numbers, the last one marked, and how many were left out."""
    if not items:
        return [("dim", "empty")]
    kept: list[str] = []
    for item in reversed(items):
        missing = len(items) - len(kept) - 1
        mark = len(f"+{missing} … ") if missing else 0
        if kept and sum(len(word) + 1 for word in kept) + len(str(item)) + mark > width:
            break
        kept.insert(0, str(item))
    left_out = len(items) - len(kept)
    before = f"+{left_out} … " if left_out else ""
    *others, last = kept
    return [("dim", before), ("block", "".join(f"{word} " for word in others)), ("top", last)]
