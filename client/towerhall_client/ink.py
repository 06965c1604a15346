"""Drawn text: rows of segments, each with the name of a style. What it looks like is decided where
it is shown; what it means is decided here.

Styles: title, dim, you, them, top, block, prompt, alert, chat, move, game, note, rule, key, and the
empty one.
"""

from wcwidth import wcswidth, wcwidth

from towerhall_client.safe import safe

Segment = tuple[str, str]
Row = list[Segment]


def width_of(text: str) -> int:
    """Columns in a terminal. What is hidden has none; it is spelled out before it is shown."""
    return max(0, wcswidth(safe(text)))


def row_width(row: Row) -> int:
    return sum(width_of(text) for _, text in row)


def cut(text: str, width: int) -> str:
    """At most that wide, with … where something is left out."""
    text = safe(text)
    if width_of(text) <= width:
        return text
    kept, used = "", 0
    for character in text:
        used += max(0, wcwidth(character))
        if used > width - 1:
            break
        kept += character
    return f"{kept}…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    text = cut(text, width)
    return text + " " * (width - width_of(text))


def centred(text: str, width: int) -> str:
    text = cut(text, width)
    left = (width - width_of(text)) // 2
    return pad(" " * left + text, width)


def wrapped(text: str, width: int) -> list[str]:
    """Lines at most that wide, broken at blanks where there are any."""
    lines, line = [], ""
    for word in safe(text).split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        while width_of(word) > width:
            head = _head(word, width)
            lines.append(head)
            word = word[len(head) :]
        line = word
    return [*lines, line]


def cut_row(row: Row, width: int) -> Row:
    """The row, at most that wide."""
    kept: Row = []
    left = width
    for style, text in row:
        if left <= 0:
            break
        text = cut(text, left)
        kept.append((style, text))
        left -= width_of(text)
    return kept


def beside(left: list[Row], right: list[Row], width: int, gap: int = 3) -> list[Row]:
    """Two blocks of rows side by side, `left` taking `width` columns."""
    rows = []
    for number in range(max(len(left), len(right))):
        row = list(left[number]) if number < len(left) else []
        if number < len(right) and right[number]:
            row.append(("", " " * (width - row_width(row) + gap)))
            row += right[number]
        rows.append(row)
    return rows


def text_of(row: Row) -> str:
    return "".join(text for _, text in row).rstrip()


def _head(word: str, width: int) -> str:
    used = 0
    for number, character in enumerate(word):
        used += max(0, wcwidth(character))
        if used > width:
            return word[: max(1, number)]
    return word
