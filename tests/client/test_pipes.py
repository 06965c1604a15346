"""In pipes: plain lines, moves from stdin, exit codes, JSON for machines."""

import re
from pathlib import Path

import pytest

from client.hall import Hall
from client.piped import PATIENCE_S, Ended, run, start

DUEL = "2A\n1B\n3A\n2B\n4A\n3B\n5A\n4B\n1C\n"


@pytest.fixture
def at(hall: Hall) -> tuple[str, str]:
    return "--server", hall.server


def hotseat(home: Path, at: tuple[str, str], game: str, given: str, *more: str) -> Ended:
    arguments = ("play", game, "--hotseat", "--plain", "--clock=none", *at, *more)
    return run(home, *arguments, given=given)


def test_a_match_between_two_pipes(tmp_path: Path, at: tuple[str, str]) -> None:
    """Ann opens a room and says its link; both play what they are given."""
    ann = start(tmp_path / "ann", "play", "duel", "--new", "--first=creator", "--name=ann", *at)
    assert ann.stdin and ann.stdout
    ann.stdin.write("2A\n3A\n4A\n5A\n1C\n")
    ann.stdin.flush()
    told = ""
    while not (found := re.search(r"Link +(\S+)", told)):
        line = ann.stdout.readline()
        assert line, told
        told += line
    bob = run(tmp_path / "bob", "play", found[1], "--name=bob", given="1B\n2B\n3B\n4B")
    out, problems = ann.communicate(timeout=PATIENCE_S)
    assert (ann.returncode, bob.code) == (0, 0), problems + bob.problems
    for text in (out, bob.out):
        assert "ann has placed every tile: ann wins." in text
        assert "bob places 4 on tower B." in text
    assert "Legal: 1C" in out


def test_a_refused_line_is_reported_and_the_next_one_read(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = hotseat(tmp_path, at, "duel", DUEL.replace("1C", "1A\nhello\n1C"))
    assert ended.code == 0
    assert "1A: 1 is not higher than 5, the top of tower A." in ended.problems
    assert "hello: That is not a move" in ended.problems
    assert "legal moves: 1C" in ended.problems
    assert ended.lines[-1] == "Player-1 has placed every tile: Player-1 wins."


def test_an_input_that_ends_on_a_refusal_is_exit_code_5(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = hotseat(tmp_path, at, "duel", "2A\n2A\n")
    assert ended.code == 5
    assert "refused: 2A: 2 is not higher than 2, the top of tower A." in ended.problems


def test_an_input_that_ends_in_the_middle_of_a_game_says_how_to_go_on(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = hotseat(tmp_path, at, "duel", "9Z\n2A\n")
    assert ended.code == 0
    assert re.search(r"go on with: towerhall play --server \S+ --hotseat \S{7}", ended.problems)


def test_orders_can_be_piped_too(tmp_path: Path, at: tuple[str, str]) -> None:
    ended = hotseat(tmp_path, at, "duel", "/rules\n/say hello\n2A\n/dance\n/resign\n")
    assert ended.code == 0
    assert "Take turns placing one of your tiles" in ended.out
    assert "Player-1: hello" in ended.lines
    assert "refused: /dance: There is no order /dance." in ended.problems
    assert ended.lines[-1].endswith("Player-1 wins.")


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("/dance", "There is no order /dance."),
        ("/claim", "."),
        ("/say", "Say what? /say and a text."),
    ],
)
def test_a_refused_order_is_a_refusal_like_any(
    order: str, why: str, tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = hotseat(tmp_path, at, "duel", f"2A\n{order}\n", "--json")
    assert ended.code == 5
    [error] = [message for message in ended.objects if message["type"] == "error"]
    assert why in error["message"]


def test_a_refusal_is_no_failure_while_the_input_goes_on(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ann = start(tmp_path, "play", "duel", "--new", "--first=creator", "--name=ann", *at)
    assert ann.stdin and ann.stdout and ann.stderr
    told = ""
    while not (found := re.search(r"Code +(\S+)", told)):
        told += ann.stdout.readline()
    bob = start(tmp_path, "play", found[1], "--name=bob", *at)
    ann.stdin.write("9Z\n")
    ann.stdin.flush()
    while "refused: 9Z" not in ann.stderr.readline():
        pass
    bob.communicate("/resign\n", timeout=PATIENCE_S)
    assert ann.wait(PATIENCE_S) == 0
    ann.communicate()


def test_json_is_one_object_a_line_as_the_wire_has_them(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    ended = hotseat(tmp_path, at, "duel", DUEL.replace("1C", "1A\n1C"), "--json")
    assert ended.code == 0
    kinds = [message.get("kind", message["type"]) for message in ended.objects]
    assert kinds[0] == "room"
    assert [kind for kind in kinds if kind == "moved"] == ["moved"] * 9
    [error] = [message for message in ended.objects if message["type"] == "error"]
    assert error["code"] == "illegal_move"
    assert kinds[-1] == "finished"


def test_a_quick_match_a_code_or_a_link_must_be_named_in_a_pipe(
    tmp_path: Path, at: tuple[str, str]
) -> None:
    assert run(tmp_path, "play", *at).code == 2
    assert run(tmp_path, "play", "duel", "--clock=soon", *at).code == 2
    assert run(tmp_path, "play", "duel", "--option=tiles", "--new", *at).code == 2
    assert run(tmp_path, "play", "backgammon", *at).code == 2
    assert run(tmp_path, "dance").code == 2
    assert run(tmp_path).code == 2


def test_no_hall_is_exit_code_3(tmp_path: Path) -> None:
    ended = run(tmp_path, "games", "--server", "127.0.0.1:1")
    assert ended.code == 3
    assert "127.0.0.1:1: nothing listens there" in ended.problems
    assert ended.out == ""


def test_what_the_hall_refuses_is_exit_code_4(tmp_path: Path, at: tuple[str, str]) -> None:
    ended = run(tmp_path, "watch", "000-000", *at)
    assert ended.code == 4
    assert ended.problems.startswith("towerhall: ")
    ended = run(tmp_path, "play", "duel", "--new", "--option=tiles=99", *at)
    assert ended.code == 4
    assert "tiles must be a whole number from 3 to 9." in ended.problems
    assert run(tmp_path, "games", "--name=x", *at).code == 4


def test_options_go_before_or_after_the_command(tmp_path: Path, hall: Hall) -> None:
    before = run(tmp_path, "--server", hall.server, "--json", "games")
    after = run(tmp_path, "games", "--json", "--server", f"http://{hall.server}")
    told = run(tmp_path, "games", "--json", TOWERHALL_SERVER=f"ws://{hall.server}/ws")
    assert before.objects == after.objects == told.objects
    assert [game["id"] for game in before.objects][:2] == ["strangers", "relatives"]


def test_a_dead_node_among_the_addresses_is_passed_over(tmp_path: Path, hall: Hall) -> None:
    ended = run(tmp_path, "whoami", "--server", f"127.0.0.1:1,{hall.server}", "--name", "dora")
    assert ended.code == 0
    assert ended.lines[0] == f"dora at {hall.server}"


def test_one_is_the_same_player_again(tmp_path: Path, at: tuple[str, str]) -> None:
    ids = [
        run(tmp_path, "whoami", "--json", *more, *at).objects[0]["player"]
        for more in (["--name=eve"], [], ["--name=fay"], [], ["--name=eve"])
    ]
    assert [player["name"] for player in ids] == ["eve", "eve", "fay", "fay", "eve"]
    assert ids[0]["id"] == ids[1]["id"] == ids[4]["id"] != ids[2]["id"]
    [file] = (tmp_path / "config" / "towerhall").glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600


def test_rules_are_told_with_their_options(tmp_path: Path, at: tuple[str, str]) -> None:
    ended = run(tmp_path, "rules", "chain", *at)
    assert ended.code == 0
    assert "Number Chain" in ended.lines
    assert re.search(r"target +10 +3 to 30", ended.out)
    assert re.search(r"marathon +yes +target=25", ended.out)


def test_the_doctor_finds_a_healthy_hall_healthy(tmp_path: Path, at: tuple[str, str]) -> None:
    # It measures times, and on a busy machine rightly finds a line bad; but not every time.
    visits = (run(tmp_path, "doctor", "--json", "--idle=1", *at) for _ in range(3))
    told = ["reach", "json", "welcome", "version", "between", "round trip", "idle line"]
    healthy = []
    for ended in visits:
        checks = {finding["check"]: finding["ok"] for finding in ended.objects}
        assert checks["welcome"] and checks["reach"]
        assert (ended.code == 0) == all(checks.values())
        healthy.append(ended.code == 0)
        if healthy[-1]:
            assert list(checks) == [*told, "hall clock"]
            break
    assert any(healthy), "three times it was not"


def test_the_doctor_says_what_is_wrong_with_a_dead_one(tmp_path: Path) -> None:
    ended = run(tmp_path, "doctor", "--server", "127.0.0.1:1")
    assert ended.code == 3
    assert "BAD reach        nothing listens there." in ended.out


def test_the_doctor_finds_a_place_that_keeps_nobody(tmp_path: Path, at: tuple[str, str]) -> None:
    file = tmp_path / "file"
    file.touch()
    ended = run(tmp_path, "doctor", "--idle=1", *at, XDG_CONFIG_HOME=str(file))
    assert ended.code == 3
    assert "BAD identity     Who you are cannot be kept" in ended.out


def test_a_record_is_written_and_replayed(tmp_path: Path, at: tuple[str, str]) -> None:
    code = re.search(r"room (\S+)", hotseat(tmp_path, at, "duel", DUEL).lines[0])
    assert code
    text = run(tmp_path, "record", code[1], *at).out
    assert '[Game "duel"]' in text
    assert "9. 1C 1-0" in text
    file = tmp_path / "game.txt"
    file.write_text(text)
    by_code, by_file = (run(tmp_path, "replay", source, *at) for source in (code[1], str(file)))
    assert by_code.out == by_file.out
    assert "9. Player-1 places 1 on tower C.  1-0: Player-1 wins (hand empty)." in by_file.lines
    lines = run(tmp_path, "record", code[1], "--json", *at)
    assert [line["move"] for line in lines.objects[1:-1]] == DUEL.split()
    file.write_text(lines.out)
    assert run(tmp_path, "replay", str(file), *at).out == by_code.out


def test_a_file_that_is_no_record_is_a_sentence(tmp_path: Path, at: tuple[str, str]) -> None:
    file = tmp_path / "game.txt"
    file.write_text('[Game "duel"]\n[First "1"]\n\n1. 2A 3. 3A *\n')
    ended = run(tmp_path, "replay", str(file), *at)
    assert ended.code == 2
    assert "line 4: move 2 is due, not 3." in ended.problems
    file.write_text('[Game "duel"]\n[First "1"]\n\n1. 2A 2. 2A *\n')
    assert run(tmp_path, "replay", str(file), *at).code == 4
    assert run(tmp_path, "replay", "nothing.txt", *at).code == 2
    tags = '{"tags": {"Game": "duel", "First": "1"}}'
    file.write_text(f'{tags}\n{{"ply": 0, "move": "\\ud800"}}\n')
    ended = run(tmp_path, "replay", str(file), *at)
    assert ended.code == 4
    assert "That has characters that cannot be shown." in ended.problems


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path, at: tuple[str, str]) -> None:
    games = start(tmp_path, "games", *at)
    assert games.stdout
    games.stdout.close()
    assert games.wait(PATIENCE_S) == 0
    for pipe in (games.stdin, games.stderr):
        if pipe:
            pipe.close()


def test_a_watcher_in_a_pipe_follows_to_the_end(tmp_path: Path, at: tuple[str, str]) -> None:
    ann = start(tmp_path, "play", "duel", "--new", "--clock=none", "--name=ann", *at)
    assert ann.stdin and ann.stdout
    told = ""
    while not (found := re.search(r"Code +(\S+)", told)):
        told += ann.stdout.readline()
    looking = start(tmp_path, "watch", found[1], "--name=cleo", *at)
    assert looking.stdout
    assert looking.stdout.readline().startswith("Number Tower Duel, room")
    bob = run(tmp_path, "play", found[1], "--name=bob", *at, given="/resign\n")
    assert bob.code == 0
    out, _ = looking.communicate(timeout=PATIENCE_S)
    assert looking.returncode == 0
    assert "ann wins." in out.splitlines()[-1]
    ann.communicate(timeout=PATIENCE_S)
    assert ann.returncode == 0
