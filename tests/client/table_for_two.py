"""Two people sit down across from each other, and what they see is compared with what was seen."""

import contextlib
import re
from pathlib import Path

import pytest

from client.conftest import Arrive
from client.lines_of_play import SHORT
from client.person import Person

GOLDEN = Path(__file__).parent / "golden"
UNTIMED = ("--clock", "none")
SETTLES_WITHIN_S = 15.0


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
    file = GOLDEN / f"{name}.txt"
    if not file.exists():
        file.write_text(_as_kept(person.look()), encoding="utf-8")
        pytest.fail(f"{file.name} was missing and has been written: look at it")
    kept = file.read_text(encoding="utf-8")
    # Their own screen may be a moment behind the other's.
    with contextlib.suppress(AssertionError):
        person.until(lambda: _as_kept(person.picture) == kept, within=SETTLES_WITHIN_S)
    assert _as_kept(person.look()) == kept, person.picture


def _as_kept(picture: str) -> str:
    return re.sub(r"\b[0-9A-Z]{3}-[0-9A-Z]{3}\b", "K7Q-2MX", picture) + "\n"
