"""One hall for all tests of the client, and people who are sent home after each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.hall import Hall, open_hall
from client.person import Person

Arrive = Callable[..., Person]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each of these starts several programs, which takes its time where much else goes on."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.timeout(240))


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with open_hall(tmp_path_factory.mktemp("hall")) as opened:
        yield opened


@pytest.fixture
def arrive(hall: Hall, tmp_path: Path) -> Iterator[Arrive]:
    """`arrive("ann", "play", "duel", "--new")`: a person at a terminal, in this hall."""
    people: list[Person] = []

    def come(name: str, *arguments: str, server: str | None = None, **options: object) -> Person:
        place = ("--server", server or hall.server, "--name", name)
        person = Person(tmp_path / name, *arguments, *place, **options)  # type: ignore[arg-type]
        people.append(person)
        return person

    yield come
    for person in people:
        person.leave()
