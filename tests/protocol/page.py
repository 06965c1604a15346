"""docs/protocol.md, taken apart: sections, messages, tables and examples."""

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def split(text: str, mark: str) -> dict[str, str]:
    """What stands under each heading of one level."""
    parts = re.split(rf"^{mark} (.+)$", text, flags=re.MULTILINE)
    titles = parts[1::2]
    assert len(set(titles)) == len(titles), f"a heading is there twice: {titles}"
    return dict(zip(titles, parts[2::2], strict=True))


SECTIONS = split(TEXT, "##")


def messages(section: str) -> dict[str, dict[str, str]]:
    """For each heading of a section the fields of its table: `?` marks what may be left out."""
    return {
        title.strip("`"): {field.replace("`", ""): kind for field, kind, _ in rows(text)}
        for title, text in split(SECTIONS[section], "###").items()
    }


def rows(text: str) -> list[list[str]]:
    """The cells of the table in a text, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def spoken(who: str) -> list[str]:
    """What `C:` or `S:` says in the examples."""
    return re.findall(rf"^{who}: (.+)$", TEXT, flags=re.MULTILINE)


def program() -> str:
    [found] = re.findall(r"^```python\n(.+?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    return str(found)
