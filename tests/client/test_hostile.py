"""Hostile names, chat, titles, rules and messages: a terminal gets nothing that it would obey."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.hostile_hall import EVIL, FORBIDDEN, hostile_hall
from client.person import Person
from client.piped import run
from towerhall_client.ink import cut, wrapped
from towerhall_client.safe import safe
from towerhall_protocol.text import is_printable


@pytest.fixture
def hostile() -> Iterator[str]:
    with hostile_hall() as address:
        yield address


def assert_harmless(heard: bytes) -> None:
    """Nothing of the evil arrived as it was sent; the program's own drawing may have escapes."""
    text = heard.decode()
    for piece in ("\x1b]0;owned", "\x1b[31;1mred", "\x1bP", "\x00", *FORBIDDEN):
        assert piece not in text, repr(piece)
    assert "\\x1b" in text or "owned" not in text


def test_whatever_is_hidden_is_spelled_out() -> None:
    assert safe("plain text, ünd 漢字") == "plain text, ünd 漢字"
    assert safe("a\x1b[1mb") == "a\\x1b[1mb"
    assert safe("\u202e\U000e0041\r\n") == "\\u202e\\U000e0041\\x0d\\x0a"
    assert is_printable(safe(EVIL))
    assert is_printable(safe("".join(map(chr, [*range(0xA0), *range(0x2000, 0x2070)]))))


def test_text_is_made_safe_before_it_is_measured() -> None:
    assert all(is_printable(line) for line in wrapped(EVIL, 20))
    assert len(cut(EVIL, 10)) == 10


COMMANDS = [
    ("games",),
    ("rules", "duel"),
    ("whoami",),
    ("watch", "K7Q-2MX"),
    ("play", "K7Q-2MX"),
    ("lobby",),
    ("leaders", "duel"),
    ("history",),
    ("record", "K7Q-2MX"),
    ("replay", "K7Q-2MX"),
    ("doctor", "--idle=0.1"),
]


@pytest.mark.parametrize("arguments", [c for c in COMMANDS if c[0] not in ("watch", "doctor")])
@pytest.mark.parametrize("form", ["--plain", "--json"])
def test_no_control_character_gets_into_a_pipe(
    arguments: tuple[str, ...], form: str, hostile: str, tmp_path: Path
) -> None:
    ended = run(tmp_path, *arguments, form, "--server", hostile, given="3A\n/quit\n")
    said = ended.out + ended.problems
    hidden = {c for c in said if not is_printable(c)} - {"\n"}
    assert not hidden, [hex(ord(c)) for c in hidden]
    assert "owned" in said, "the hall's texts were not shown at all"


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "K7Q-2MX"),
        ("play", "duel"),
        ("play",),
        ("watch", "K7Q-2MX"),
        ("lobby",),
        ("replay", "K7Q-2MX"),
    ],
)
def test_no_escape_reaches_a_terminal(
    arguments: tuple[str, ...], hostile: str, tmp_path: Path
) -> None:
    person = Person(tmp_path, *arguments, "--server", hostile)
    try:
        person.sees("\\x1b")
        if arguments == ("play", "K7Q-2MX"):
            person.enters("/resign")
            person.sees("No.")
        person.types("\x03")
        person.ends()
        assert_harmless(person.heard)
        assert "owned" not in person.glass.title.partition("\\x1b")[0]
    finally:
        person.leave()


@pytest.mark.parametrize("arguments", [("games",), ("leaders", "duel"), ("history",)])
def test_no_escape_reaches_a_terminal_by_a_table(
    arguments: tuple[str, ...], hostile: str, tmp_path: Path
) -> None:
    person = Person(tmp_path, *arguments, "--server", hostile, size=(200, 24))
    try:
        person.ends()
        assert_harmless(person.heard)
    finally:
        person.leave()
