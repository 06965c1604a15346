"""Strangers find each other: quick matches, the lobby, TV."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cable import Cable, cable_to
from client.conftest import Arrive
from client.hall import Hall
from client.person import Person
from client.piped import run, start


@pytest.fixture
def cable(hall: Hall) -> Iterator[Cable]:
    with cable_to(hall.host, hall.port) as laid:
        yield laid


def mover_of(*people: Person) -> Person:
    """Whoever is to move, of those who play."""
    for person in people:
        person.sees("move>")
    return next(person for person in people if "Your move>" in person.line)


def test_two_who_want_the_same_are_paired(arrive: Arrive) -> None:
    ann = arrive("ann", "play", "duel", "--clock=11+0")
    ann.sees("Looking for an opponent: Number Tower Duel, classic, 11+0, 2 games, rated.")
    bob = arrive("bob", "play", "duel", "--clock=11+0")
    mover = mover_of(ann, bob)
    mover.moves("2a")
    other = bob if mover is ann else ann
    other.sees("places 2 on tower A.")
    ann.enters("/abort")
    for person in (ann, bob):
        person.sees("match of 2")
        person.sees("ann aborted the game.")
        assert "drawn" not in person.look()


def test_a_seek_that_is_given_up_pairs_nobody(arrive: Arrive, hall: Hall, tmp_path: Path) -> None:
    ann = arrive("ann", "play", "chain", "--clock=12+0")
    ann.sees("Looking for an opponent")
    ann.types("\x03")
    assert ann.ends() == 130
    [lobby] = run(tmp_path, "lobby", "--json", "--server", hall.server).objects
    assert not [seek for seek in lobby["seeks"] if seek["game"] == "chain"]


def test_a_seek_outlives_a_dropped_line(arrive: Arrive, cable: Cable) -> None:
    ann = arrive("ann", "play", "builder", "--preset=quarry", "--clock=13+0", server=cable.server)
    ann.sees("Looking for an opponent")
    cable.cut()
    carried = cable.carried
    cable.mend()
    ann.until(lambda: cable.carried > carried, "a new connection")
    bob = arrive("bob", "play", "builder", "--preset=quarry", "--clock=13+0")
    mover_of(ann, bob).moves("5")


def test_a_listed_room_is_joined_from_the_lobby(arrive: Arrive) -> None:
    ann = arrive("ann", "play", "relatives", "--new", "--listed", "--first=creator")
    code = ann.code()
    bob = arrive("bob", "lobby")
    bob.sees(code)
    bob.sees("join")
    bob.sees("relatives")
    bob.until(lambda: code in next((row for row in bob.screen[2:] if "join" in row), ""))
    bob.types("\r")
    bob.sees("ann to move>")
    ann.moves("6")
    bob.sees("ann places block 6.")
    ann.enters("/resign")
    bob.sees("bob wins")


def test_the_lobby_changes_while_one_looks(arrive: Arrive) -> None:
    cleo = arrive("cleo", "lobby")
    cleo.sees("The lobby")
    ann = arrive("ann", "play", "strangers", "--new", "--listed")
    code = ann.code()
    cleo.sees(code)
    ann.enters("/abort")
    cleo.sees_no(code)
    cleo.types("q")
    assert cleo.ends() == 0


def test_tv_goes_from_one_game_to_the_next(arrive: Arrive) -> None:
    def listed(one: str, two: str, game: str) -> tuple[Person, Person]:
        host = arrive(one, "play", game, "--new", "--listed", "--first=creator", "--clock=none")
        guest = arrive(two, "play", host.code())
        guest.sees(f"{one} to move>")
        return host, guest

    ann, bob = listed("ann", "bob", "duel")
    time.sleep(1.1)  # the lobby is shown as it was a second ago, and others have played here
    cleo = arrive("cleo", "watch", "--tv")
    cleo.sees("Number Tower Duel")
    ann.moves("2a")
    cleo.sees("ann places 2 on tower A.")
    dan, eve = listed("dan", "eve", "chain")
    bob.enters("/resign")
    cleo.sees("bob resigned: ann wins.")
    cleo.sees("Number Chain")
    dan.moves("2")
    cleo.sees("dan adds 2.")
    eve.enters("/resign")
    dan.sees("dan wins")


def test_the_lobby_in_a_pipe(arrive: Arrive, hall: Hall, tmp_path: Path) -> None:
    at = ("--server", hall.server, "--name=fay")
    following = start(tmp_path, "lobby", "--follow", "--json", *at)
    assert following.stdout
    try:
        assert '"type": "lobby"' in following.stdout.readline()
        ann = arrive("ann", "play", "builder", "--new", "--listed", "--clock=none")
        code = ann.code()
        line = ""
        while code.replace("-", "") not in line:
            line = following.stdout.readline()
            assert line
    finally:
        following.kill()
        following.communicate()
    shown = run(tmp_path, "lobby", *at)
    assert re.match(r"The lobby · \d+ players? online", shown.lines[0])
    assert any(re.match(rf"join +builder .*ann.* {code}", row) for row in shown.lines)
    ann.enters("/abort")
    ann.sees("aborted")
