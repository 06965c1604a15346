"""What the players have left to play with, as rows."""

from towerhall_client.ink import Row, cut, width_of
from towerhall_client.naming import Names, named
from towerhall_protocol.rooms import Supply, View


def draw_supplies(view: View, names: Names, width: int, height: int) -> list[Row]:
    """The supplies, then the notes; at most `height` rows."""
    rows: list[Row] = []
    for supply in view.supplies:
        rows += _supply(supply, names, width)
    if view.notes and rows:
        rows.append([])
    rows += [[("note", cut(named(note, names), width))] for note in view.notes]
    if len(rows) <= height:
        return rows
    return [*rows[: max(0, height - 1)], [("dim", "…")]]


def _supply(supply: Supply, names: Names, width: int) -> list[Row]:
    """Short ones on one line; long ones under their label."""
    label = cut(named(supply.label, names), width - 2)
    counted = any(item.count != 1 for item in supply.items)
    words = [f"{item.value}×{item.count}" if counted else str(item.value) for item in supply.items]
    if width_of(label) + 2 + sum(len(word) + 2 for word in words) <= width:
        return [[("title", f"{label}  "), ("", "  ".join(words) or "none")]]
    return [[("title", label)], *([("", line)] for line in _lines(words, width))]


def _lines(words: list[str], width: int) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines
