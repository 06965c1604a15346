"""What a command line asks for must make sense; where it does not, a sentence says why."""

import os
import re
import signal
from pathlib import Path

import pytest

from client.cable import cable_to
from client.hall import Hall
from client.piped import PATIENCE_S, Ended, run, start

CODE = "K7Q-2MX"


@pytest.fixture
def at(hall: Hall) -> tuple[str, str]:
    return "--server", hall.server


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["play", CODE, "--new"], "--new opens a room, a code leads to one that is there"),
        (["play", CODE, "--clock=3+2", "--unrated"], "--clock --unrated: a room that is there"),
        (["play", CODE, "--option=tiles=5"], "--option: a room that is there has its terms"),
        (["play", "duel", "--hotseat", "--rated"], "A hotseat cannot be rated"),
        (["play", "duel", "--hotseat", "--listed"], "in a hotseat both are there"),
        (["play", "duel", "--first=joiner", "--listed"], "--first --listed: this is for a room"),
        (["play", "--hotseat"], "Which game? towerhall play GAME --hotseat"),
        (["replay", CODE, "--round=0"], "--round: 0 is not a whole number from 1 up"),
        (["record", CODE, "--round=x"], "--round: x is not a whole number from 1 up"),
        (["replay", CODE, "--speed=nan"], "--speed: nan is not a number above 0"),
        (["doctor", "--idle=-1"], "--idle: -1 is not a number above 0"),
        (["games", "--server="], "No hall is named"),
        (["games", "more"], "unrecognized arguments: more"),
    ],
)
def test_what_makes_no_sense_is_exit_code_2(tmp_path: Path, arguments: list[str], why: str) -> None:
    """Before any hall is asked: none is there."""
    place = [] if "--server=" in arguments else ["--server=127.0.0.1:1"]
    ended = run(tmp_path, *arguments, *place)
    assert ended.code == 2
    assert why in ended.problems


def test_whoever_names_no_hall_is_told_how(tmp_path: Path) -> None:
    """Nobody listens at localhost's usual port, or it is no hall of this test's."""
    ended = run(tmp_path, "play", "duel", "--new", "--preset=nonsense")
    assert ended.code == 4 or ended.problems.endswith(
        "nothing listens there). Name a hall with --server, or open one on this machine: "
        "towerhall-server\n"
    )
    ended = run(tmp_path, "games", "--server", "127.0.0.1:1")
    assert ended.problems.endswith("nothing listens there).\n")


def test_a_full_room_says_how_to_watch_it(tmp_path: Path, at: tuple[str, str]) -> None:
    code = code_of(run(tmp_path, "play", "duel", "--hotseat", *at, given="2A\n"))
    ended = run(tmp_path, "play", code, "--name=ann", *at)
    assert ended.code == 4
    assert f"towerhall watch --server {at[1]} {code}" in ended.problems


def code_of(ended: Ended) -> str:
    found = re.search(r"room (\S+)", ended.lines[0])
    assert found
    return found[1]


def test_a_hotseat_is_left_and_taken_up_again(tmp_path: Path, at: tuple[str, str]) -> None:
    left = run(tmp_path, "play", "duel", "--hotseat", *at, given="2A\n")
    again = run(tmp_path, "play", "--hotseat", code_of(left), *at, given="1B\n3A\n/resign\n")
    assert again.code == 0
    assert "Player-2 places 1 on tower B." in again.lines
    assert "Player-1 places 3 on tower A." in again.lines
    assert again.lines[-1] == "Player-2 resigned: Player-1 wins."


def test_a_hotseat_takes_no_seat_of_others(tmp_path: Path, at: tuple[str, str]) -> None:
    """A rated room that waits for somebody would become a rated hotseat."""
    ann = start(tmp_path, "play", "duel", "--new", "--rated", "--rounds=2", "--name=ann", *at)
    assert ann.stdout
    told = ""
    while not (found := re.search(r"Code +(\S+)", told)):
        told += ann.stdout.readline()
    ended = run(tmp_path, "play", "--hotseat", found[1], *at)
    assert ended.code == 4
    assert f"No hotseat of yours is in room {found[1]}." in ended.problems
    ann.kill()
    ann.communicate()


def test_a_game_named_with_a_room_must_be_the_rooms(tmp_path: Path, at: tuple[str, str]) -> None:
    """The words may stand on both sides of an option."""
    code = code_of(run(tmp_path, "play", "duel", "--hotseat", *at, given="2A\n"))
    ended = run(tmp_path, "play", "chain", "--hotseat", code, *at)
    assert ended.code == 2
    assert f"Number Tower Duel is played in {code}, not Number Chain." in ended.problems
    assert run(tmp_path, "play", "duel", "--hotseat", code, *at, given="/resign\n").code == 0


def test_a_search_that_is_refused_is_one_sentence(tmp_path: Path, at: tuple[str, str]) -> None:
    ended = run(tmp_path, "play", "duel", "--preset=nonsense", *at)
    assert ended.code == 4
    assert len(ended.problems.splitlines()) == 1, ended.problems


def test_one_plays_where_nothing_can_be_kept(tmp_path: Path, at: tuple[str, str]) -> None:
    file = tmp_path / "file"
    file.touch()
    ended = run(tmp_path, "whoami", "--name=ann", *at, XDG_CONFIG_HOME=str(file))
    assert ended.code == 0
    assert ended.lines == [f"ann at {at[1]}"]
    assert "Who you are cannot be kept" in ended.problems
    assert str(file) in ended.problems


def test_a_pipe_is_told_the_terms_the_time_left_and_the_way_back(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    terms = ("--clock=5+3", "--option=tiles=4", "--rounds=3")
    ended = run(tmp_path, "play", "duel", "--hotseat", *terms, *at, given="2A\n/quit\n")
    assert ended.code == 0
    assert ended.lines[1] == "Terms: 5+3, match of 3, tiles=4"
    assert re.search(r"^Time left: Player-1 [45]:\d\d, Player-2 5:00\.$", ended.out, re.MULTILINE)
    assert f"come back with: towerhall play --server {at[1]} --hotseat" in ended.problems


def test_a_hotseat_in_a_pipe_is_told_of_its_line_once(tmp_path: Path, hall: Hall) -> None:
    with cable_to(hall.host, hall.port) as cable:
        playing = start(tmp_path, "play", "duel", "--hotseat", "--server", cable.server)
        assert playing.stdin and playing.stdout
        while "Legal:" not in playing.stdout.readline():
            pass
        cable.cut()
        cable.mend()
        playing.stdin.write("2A\n/resign\n")
        out, problems = playing.communicate(timeout=PATIENCE_S)
    assert "Player-1 places 2 on tower A." in out
    assert problems.count("The line is back.") == 1, problems


def test_whoami_names_the_rooms_one_can_go_back_to(tmp_path: Path, at: tuple[str, str]) -> None:
    code = code_of(run(tmp_path, "play", "duel", "--hotseat", *at, given="2A\n"))
    ended = run(tmp_path, "whoami", "--name=Player-2", *at)
    assert f"Not over: Number Tower Duel against Player-1, room {code}" in ended.lines


def test_an_interrupt_ends_with_130_and_tells_the_way_back(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    playing = start(tmp_path, "play", "duel", "--hotseat", *at)
    assert playing.stdout
    while "Legal:" not in playing.stdout.readline():
        pass
    os.kill(playing.pid, signal.SIGINT)
    _, problems = playing.communicate(timeout=PATIENCE_S)
    assert playing.returncode == 130
    assert "The game is not over; come back with: towerhall play" in problems


def test_a_record_is_replayed_from_a_pipe_with_its_clocks(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    code = code_of(run(tmp_path, "play", "duel", "--hotseat", *at, given="2A\n1B\n/resign\n"))
    record = run(tmp_path, "record", code, *at).out
    piped = run(tmp_path, "replay", "-", *at, given=record)
    assert piped.code == 0
    assert re.search(r"1\. Player-1 places 2 on tower A\.  \[3:0\d\]", piped.out)
    assert piped.out == run(tmp_path, "replay", code, *at).out
    assert "the input, line" in run(tmp_path, "replay", "-", *at, given="nonsense").problems


def test_what_is_neither_a_file_nor_a_room_is_called_so(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = run(tmp_path, "replay", "nofile", *at)
    assert ended.code == 4
    assert "There is neither a file nor a room nofile." in ended.problems
