"""Stepping through a recorded game, and looking back at what was played."""

import re
from pathlib import Path

import pytest

from client.conftest import Arrive
from client.hall import Hall
from client.piped import PATIENCE_S, Ended, run, start

RECORD = """\
[Game "duel"]
[Options "tiles=5 towers=3"]
[Player1 "ann"]
[Player2 "bob"]
[First "1"]
[Clock "-"]
[Result "1-0"]
[Reason "hand_empty"]
[Date "2026-02-28"]

1. 2A 2. 1B 3. 3A 4. 2B 5. 4A 6. 3B 7. 5A 8. 4B 9. 1C 1-0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    kept = tmp_path / "duel.txt"
    kept.write_text(RECORD)
    return kept


def test_a_game_is_stepped_through(arrive: Arrive, file: Path) -> None:
    ann = arrive("ann", "replay", str(file))
    ann.sees("0/9  Before the first move.")
    ann.sees("Number Tower Duel · ann against bob · 2026-02-28")
    ann.types("\x1b[C")
    ann.sees("1/9  ann places 2 on tower A.")
    ann.types("\x1b[C")
    ann.sees("2/9  bob places 1 on tower B.")
    ann.types("\x1b[D")
    ann.sees("1/9")
    ann.types("\x1b[F")
    ann.sees("9/9  ann places 1 on tower C.  1-0: ann wins (hand empty).")
    ann.types("\x1b[H")
    ann.sees("0/9")
    ann.types("q")
    assert ann.ends() == 0


def test_a_game_plays_by_itself_at_the_speed_one_wants(arrive: Arrive, file: Path) -> None:
    ann = arrive("ann", "replay", str(file), "--speed", "8")
    ann.sees("stopped")
    ann.types("+ ")
    ann.sees("16 moves a second")
    ann.sees("9/9")
    ann.sees("stopped")
    ann.types("\x03")
    assert ann.ends() == 130


def play_rated(home: Path, at: tuple[str, str]) -> Ended:
    """Player-1 gives up the first game, Player-2 the second, as Player-2 sees it."""
    terms = ("--new", "--first=creator", "--rated", "--rounds=2", "--clock=none")
    one = start(home, "play", "duel", *terms, "--name=Player-1", *at)
    assert one.stdin and one.stdout
    told = ""
    while not (found := re.search(r"Code +(\S+)", told)):
        told += one.stdout.readline()
    one.stdin.write("/resign\n")
    one.stdin.flush()
    ended = run(home, "play", found[1], "--name=Player-2", *at, given="1A\n/resign\n")
    one.communicate(timeout=PATIENCE_S)
    assert one.returncode == 0
    return ended


def test_a_rated_match_is_in_the_history_of_both(tmp_path: Path, hall: Hall) -> None:
    at = ("--server", hall.server)
    assert run(tmp_path, "history", "--name=gus", *at).lines == [
        "You have not finished a match here yet."
    ]
    ended = play_rated(tmp_path, at)
    assert ended.code == 0, ended.problems
    assert "The match is drawn, 1 to 1." in ended.lines
    assert ended.lines[-1] == "Player-2 is rated 1500 now (+0)."
    looked = run(tmp_path, "history", "--name=Player-2", *at)
    assert looked.lines[0].split() == [
        "when",
        "game",
        "room",
        "opponent",
        "score",
        "result",
        "rating",
    ]
    assert looked.lines[1].split()[2] == "duel"
    assert looked.lines[1].split()[4:7] == ["Player-1", "1-1", "drawn"]
    [match] = run(tmp_path, "history", "--name=Player-1", "--json", *at).objects
    assert match["rated"] is True
    told = run(tmp_path, "whoami", "--name=Player-1", *at)
    assert any(line.startswith("Number Tower Duel: 1500 after 1 match") for line in told.lines)
    assert run(tmp_path, "leaders", "duel", *at).code == 0
    [leaders] = run(tmp_path, "leaders", "duel", "--json", *at).objects
    assert leaders["game"] == "duel"
