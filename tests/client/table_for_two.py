"""Two people sit down across from each other, and what they see is compared with what was seen."""

import re
from pathlib import Path

import pytest

from client.conftest import Arrive
from client.lines_of_play import SHORT
from client.person import Person

GOLDEN = Path(__file__).parent / "golden"
UNTIMED = ("--clock", "none")


def sit_down(
    arrive: Arrive, game: str, *terms: str, ann_by: str | None = None
) -> tuple[Person, Person]:
    """Ann opens a room and begins; Bob joins."""
    options = [f"--option={name}={value}" for name, value in SHORT[game].items()]
    ann = arrive("ann", "play", game, "--new", "--first=creator", *options, *terms, server=ann_by)
    bob = arrive("bob", "play", ann.code())
    bob.sees("ann to move>")
    ann.sees("Your move>")
    return ann, bob


def assert_golden(name: str, person: Person) -> None:
    """The screen is what it was when somebody last looked at it; missing ones are written."""
    shown = re.sub(r"\b[0-9A-Z]{3}-[0-9A-Z]{3}\b", "K7Q-2MX", person.look()) + "\n"
    file = GOLDEN / f"{name}.txt"
    if not file.exists():
        file.write_text(shown, encoding="utf-8")
        pytest.fail(f"{file.name} was missing and has been written: look at it")
    assert shown == file.read_text(encoding="utf-8")
