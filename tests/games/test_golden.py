"""The golden playthroughs: one for every game and preset, and every one true today."""

from pathlib import Path

import pytest

from games.playthrough import GOLDEN, REGISTERED, playthrough, regenerate, subject

FILES = sorted(GOLDEN.glob("*"))


@pytest.mark.parametrize("name", REGISTERED)
def test_every_game_and_preset_has_a_playthrough(name: str) -> None:
    assert (GOLDEN / f"{name}.txt").exists(), "make golden invents it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_playthrough_is_of_a_game_and_preset_that_exist(path: Path) -> None:
    assert path.suffix == ".txt"
    assert subject(path.stem), "the game or preset is gone: remove the file"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_playthrough_shows_what_the_game_does_today(path: Path) -> None:
    kept = path.read_text("utf-8")
    assert playthrough(path.stem, kept) == kept, "make golden shows what has changed"


def test_a_missing_playthrough_is_invented_and_then_kept(tmp_path: Path) -> None:
    names = regenerate(tmp_path)
    invented = {name: (tmp_path / f"{name}.txt").read_text("utf-8") for name in names}
    assert invented.keys() == REGISTERED.keys()
    assert regenerate(tmp_path) == names
    assert invented == {name: (tmp_path / f"{name}.txt").read_text("utf-8") for name in names}


def test_a_playthrough_of_ones_own_needs_only_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "relatives-classic-short.txt"
    path.write_text("first: Player 2\n> 7\n> 1\n> 5\n", "utf-8")
    assert path.stem in regenerate(tmp_path)
    assert "over after 3 plies: Player 2 wins by no_moves" in path.read_text("utf-8")


def test_a_refused_move_stays_in_the_playthrough_with_its_refusal() -> None:
    text = playthrough("relatives-classic-refused", "> 7\n> 7\n> pass\n> 1\n> 5\n")
    assert "> 7\nrefused: 7 is already in the tower.\n> pass\nrefused: That is not" in text


def test_a_playthrough_of_no_game_is_left_alone(tmp_path: Path) -> None:
    stale = tmp_path / "checkers-classic.txt"
    stale.write_text("> 1\n", "utf-8")
    assert stale.stem not in regenerate(tmp_path)
    assert stale.read_text("utf-8") == "> 1\n"
    with pytest.raises(ValueError, match="checkers-classic"):
        playthrough(stale.stem, "")
