"""Two machines: the hall in one network namespace, each player in one of their own, and virtual
links between them, one of which is taken down and up in the middle of a game."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from client.hall import Hall, open_hall
from client.lines_of_play import line_of
from client.person import Person

NAMES = ("ann", "bob")


class Network:
    """A hall's machine with a link to each player's; all of it made here, and removed again."""

    def __init__(self) -> None:
        self._mark = f"th{os.getpid() % 100_000}"
        self.made: list[str] = []

    def build(self) -> None:
        for machine in ("hall", *NAMES):
            _ip("netns", "add", self._namespace(machine))
            self.made.append(machine)
            _ip("-n", self._namespace(machine), "link", "set", "lo", "up")
        for number, name in enumerate(NAMES, 1):
            hall_end, own_end = f"{self._mark}h{number}", f"{self._mark}p{number}"
            _ip("link", "add", hall_end, "type", "veth", "peer", "name", own_end)
            self._plug(hall_end, "hall", f"10.77.{number}.1/24")
            self._plug(own_end, name, f"10.77.{number}.2/24")

    def inside(self, machine: str) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self._namespace(machine))

    def link(self, name: str, state: str) -> None:
        """Down, as if the cable were pulled; up again."""
        number = NAMES.index(name) + 1
        device = f"{self._mark}h{number}"
        _ip("-n", self._namespace("hall"), "link", "set", device, state)

    def remove(self) -> None:
        for machine in self.made:
            _ip("netns", "del", self._namespace(machine))

    def _namespace(self, machine: str) -> str:
        return f"{self._mark}-{machine}"

    def _plug(self, device: str, machine: str, address: str) -> None:
        namespace = self._namespace(machine)
        _ip("link", "set", device, "netns", namespace)
        _ip("-n", namespace, "addr", "add", address, "dev", device)
        _ip("-n", namespace, "link", "set", device, "up")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture
def network() -> Iterator[Network]:
    if shutil.which("ip") is None:
        pytest.skip("there is no ip command here to make network namespaces with")
    built = Network()
    try:
        try:
            built.build()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces cannot be made here: {error.stderr.strip()}")
        yield built
    finally:
        built.remove()


@pytest.fixture
def far_hall(network: Network, tmp_path: Path) -> Iterator[Hall]:
    with open_hall(tmp_path, host="0.0.0.0", inside=network.inside("hall")) as hall:
        yield hall


def test_a_game_between_two_machines_lives_through_a_link_that_goes_down(
    network: Network, far_hall: Hall, tmp_path: Path
) -> None:
    def person(name: str, *arguments: str) -> Person:
        server = f"10.77.{NAMES.index(name) + 1}.1:{far_hall.port}"
        place = ("--server", server, "--name", name)
        return Person(tmp_path / name, *arguments, *place, inside=network.inside(name))

    with ExitStack() as leaving:
        ann = person("ann", "play", "duel", "--new", "--first=creator", "--clock=10+0")
        leaving.callback(ann.leave)
        bob = person("bob", "play", ann.code())
        leaving.callback(bob.leave)
        people = (ann, bob)
        line = line_of("duel")
        for number, (seat, move) in enumerate(line):
            if number == len(line) // 2:
                _pull_the_cable(network, people[seat], people[1 - seat], NAMES[seat], move)
            else:
                people[seat].moves(move)
        for one in people:
            one.sees("wins.")
            one.enters("/quit")
            assert one.ends() == 0


def _pull_the_cable(network: Network, mover: Person, other: Person, name: str, move: str) -> None:
    """The mover enters a move that cannot get out; it arrives when the cable is back."""
    mover.sees("Your move>")
    mover.look()
    network.link(name, "down")
    mover.enters(move)
    mover.sees("sending")
    mover.sees("reconnecting…")
    network.link(name, "up")
    mover.sees("The line is back.")
    mover.until(lambda: "sending" not in mover.line, "the move to arrive")
    placed = f"{move[0]} on tower {move[1].upper()}"
    other.sees(placed)
    other.sees("Your move>")
    assert other.picture.count(placed) == 1
