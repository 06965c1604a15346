"""Lines that drop, rooms that are gone: everybody is told, and nobody waits for ever."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cable import Cable, cable_to
from client.conftest import Arrive
from client.hall import Hall, open_hall
from client.piped import PATIENCE_S, run, start
from towerhall_client.addresses import read_servers
from towerhall_client.commands.watch import Channel
from towerhall_client.connection import Connection, News, Trouble
from towerhall_client.exits import Dropped, Refused
from towerhall_client.identity import Identity
from towerhall_client.seeking import Search
from towerhall_client.sitting import Sitting
from towerhall_client.tokens import Tokens
from towerhall_protocol.events import Moved, Started
from towerhall_protocol.replies import Room
from towerhall_protocol.requests import Create, Join

COUNTED = re.compile(r"The line dropped \([^)]+\): reconnecting… (now|in \d+ s)\.")


@pytest.fixture
def cable(hall: Hall) -> Iterator[Cable]:
    with cable_to(hall.host, hall.port) as laid:
        yield laid


async def connected(
    server: str, home: Path, name: str = "ann", patience_s: float | None = None
) -> Connection:
    addresses = read_servers([server])
    connection = Connection(addresses, Identity(name, Tokens(addresses, home)), patience_s)
    await connection.open()
    return connection


def test_the_lobby_counts_down_and_can_be_left_without_a_line(arrive: Arrive, cable: Cable) -> None:
    ann = arrive("ann", "lobby", server=cable.server)
    ann.sees("The lobby")
    cable.cut()
    ann.until(lambda: COUNTED.search(ann.picture) is not None, "the trouble")
    seen: set[str] = set()

    def has_counted() -> bool:
        seen.add(ann.screen[-1])
        return len(seen) > 3

    ann.until(has_counted, "the seconds to go down")
    ann.types("q")
    assert ann.ends() == 0


def test_tv_says_what_it_waits_for(arrive: Arrive, tmp_path: Path) -> None:
    """For a first game, for the line, for the next one; in a hall where nothing else is on."""
    with open_hall(tmp_path) as quiet, cable_to(quiet.host, quiet.port) as cable:
        cleo = arrive("cleo", "watch", "--tv", server=cable.server)
        cleo.sees("Nothing is on TV yet; waiting for a game.")
        cable.cut()
        cleo.until(lambda: COUNTED.search(cleo.picture) is not None, "the trouble")
        cable.mend()
        cleo.sees("Nothing is on TV yet; waiting for a game.")
        terms = ("--new", "--listed", "--first=creator")
        ann = arrive("ann", "play", "duel", *terms, server=quiet.server)
        bob = arrive("bob", "play", ann.code(), server=quiet.server)
        cleo.sees("It is ann's turn.")
        bob.enters("/resign")
        cleo.sees("bob resigned: ann wins.")
        cleo.sees("Nothing else is on TV; waiting for the next game.")


def test_a_quick_match_says_that_its_line_dropped(arrive: Arrive, cable: Cable) -> None:
    ann = arrive("ann", "play", "duel", "--clock=14+0", server=cable.server)
    ann.sees("Looking for an opponent")
    cable.cut()
    ann.until(lambda: COUNTED.search(" ".join(ann.picture.split())) is not None, "the trouble")
    cable.mend()
    ann.sees("Looking for an opponent")
    ann.sees_no("reconnecting")
    ann.types("\x03")
    assert ann.ends() == 130


async def test_a_search_that_is_refused_when_the_line_is_back_ends(
    hall: Hall, tmp_path: Path
) -> None:
    connection = await connected(hall.server, tmp_path)
    try:
        search = Search(connection, {"game": "no-such-game"})
        with pytest.raises(Refused):
            await search.start()
        connection.line(Trouble("a test", 1, 0.0))
        connection.line(None)
        with pytest.raises(Refused, match="There is no such game here"):
            await asyncio.wait_for(search.opponent(), 30)
    finally:
        await connection.close()


async def test_tv_ends_with_the_line(cable: Cable, tmp_path: Path) -> None:
    connection = await connected(cable.server, tmp_path, patience_s=0.1)
    try:
        channel = Channel(connection)
        await channel.open()
        channel.featured = None
        waiting = asyncio.create_task(channel.next_room(None))
        cable.cut()
        with pytest.raises(Dropped, match="did not come back"):
            await asyncio.wait_for(waiting, 60)
    finally:
        await connection.close()


def test_a_watcher_in_a_pipe_goes_when_the_room_is_gone(hall: Hall, tmp_path: Path) -> None:
    """The line comes back, and leads to a hall that has never heard of the room."""
    at = ("--server", hall.server)
    terms = ("--hotseat", "--plain", "--clock=none")
    played = run(tmp_path, "play", "duel", *terms, *at, given="2A\n")
    code = re.search(r"room (\S+)", played.lines[0])
    assert code
    (tmp_path / "other").mkdir()
    with cable_to(hall.host, hall.port) as cable, open_hall(tmp_path / "other") as other:
        watching = start(tmp_path, "watch", code[1], "--name=cleo", "--server", cable.server)
        assert watching.stdout
        assert watching.stdout.readline().startswith("Number Tower Duel, room")
        cable.cut()
        cable.lead_to(other.host, other.port)
        cable.mend()
        out, problems = watching.communicate(timeout=PATIENCE_S)
    assert watching.returncode == 0
    assert out.splitlines()[-1] == "There is no such room."
    assert COUNTED.search(problems)
    assert "The line is back." in problems


async def test_a_move_is_done_when_it_is_seen(hall: Hall, tmp_path: Path) -> None:
    """At two seats the answer comes by one line, and what happened by another, later."""
    one, two = [await connected(hall.server, tmp_path, name) for name in ("gil", "hal")]
    try:
        fields = {"game": "duel", "clock": None, "first": "joiner"}
        room = await one.ask_keyed(Room, Create, **fields)
        sitting = Sitting(room, one, two)
        started, moved = asyncio.Event(), asyncio.Event()
        sitting.changed = lambda before, news: started.set() if isinstance(news, Started) else None
        await two.ask(Room, Join, room=room.code)
        await asyncio.wait_for(started.wait(), 30)
        hear = one.hear
        kept: list[News] = []

        def keep(news: News) -> None:
            kept.append(news)
            if isinstance(news, Moved):
                moved.set()

        one.hear = keep
        moving = asyncio.create_task(sitting.move("2A"))
        await asyncio.wait_for(moved.wait(), 30)
        await asyncio.sleep(0.1)
        assert not moving.done()
        one.hear = hear
        for news in kept:
            hear(news)
        await asyncio.wait_for(moving, 30)
        assert sitting.room.ply == 1
    finally:
        await one.close()
        await two.close()
