"""Streams that are closed, full, or read by nobody: a sentence at most, never a traceback."""

import subprocess
from pathlib import Path

import pytest

from client.hall import Hall, environment
from client.piped import PATIENCE_S, command


def shell(home: Path, hall: Hall, *arguments: str, way: str) -> "subprocess.CompletedProcess[str]":
    """The client, its streams as a shell leaves them: `>&-`, `2>/dev/full`, `| true`."""
    words = ["bash", "-c", f'"$@" {way}', "bash", *command(*arguments, "--server", hall.server)]
    return subprocess.run(
        words,
        env=environment(home),
        input="",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("way", [">&-", "<&-", "2>&-", ">&- 2>&- <&-", "| true"])
@pytest.mark.parametrize("asked", ["games", "--version", "--help"])
def test_a_closed_stream_is_one_to_nowhere(
    tmp_path: Path, hall: Hall, asked: str, way: str
) -> None:
    ended = shell(tmp_path, hall, asked, way=way)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_is_wrong_is_never_told_on_stdout(tmp_path: Path, hall: Hall) -> None:
    ended = shell(tmp_path, hall, "nonsense", way="2>&-")
    assert (ended.returncode, ended.stdout) == (2, "")


def test_a_closed_input_is_an_input_that_has_ended(tmp_path: Path, hall: Hall) -> None:
    """And no socket is read in its place."""
    ended = shell(tmp_path, hall, "play", "duel", "--hotseat", way="<&-")
    assert ended.returncode == 0
    assert "The input has ended" in ended.stderr


@pytest.mark.parametrize("arguments", [("games",), ("play", "duel", "--hotseat")])
def test_a_full_disk_is_a_sentence(tmp_path: Path, hall: Hall, arguments: tuple[str, ...]) -> None:
    ended = shell(tmp_path, hall, *arguments, way=">/dev/full")
    assert ended.returncode == 1
    assert ended.stderr == "towerhall: The output cannot be written: No space left on device.\n"


def test_a_disk_that_fills_up_while_one_plays_is_a_sentence(tmp_path: Path, hall: Hall) -> None:
    """What the hall says is printed from elsewhere than what is asked for."""
    limited = "ulimit -f 1; trap '' XFSZ; "
    moves = "\n".join(["5", "7"] * 20)
    ended = subprocess.run(
        [
            *("bash", "-c", f'{limited} exec "$@" > {tmp_path}/out', "bash"),
            *command("play", "strangers", "--hotseat", "--clock=none", "--server", hall.server),
        ],
        env=environment(tmp_path),
        input=moves,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr == "towerhall: The output cannot be written: File too large.\n"


def test_diagnostics_that_nobody_can_read_stop_nothing(tmp_path: Path, hall: Hall) -> None:
    ended = shell(tmp_path, hall, "play", "nonsense", way="2>/dev/full")
    assert ended.returncode == 2
