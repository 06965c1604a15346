"""The text of a move: what can be read, and that it is written in one way only."""

import re
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import assert_unreadable, every_game, snapshot
from games.choices import choices
from towerhall_server.games import Game, UnreadableMove, game

FORMS = {
    "strangers": r"[0-9]{1,32}",
    "relatives": r"[0-9]{1,32}",
    "duel": r"([0-9]{1,32}|[xX])[A-Za-z]",
    "chain": r"[0-9]{1,32}",
    "builder": r"[0-9]{1,32}",
}
NO_MOVE_ANYWHERE = [
    "",
    " ",
    "\n",
    "pass",
    "PASS",
    "+5",
    "-1",
    "5.0",
    "5,",
    "1e3",
    "1_000",
    "0x5",
    "five",
    "3 A",
    "A3",
    "x",
    "xAB",
    "x3",
    "AA",
    "٣",
    "３",
    "²",
    "½",
    "3\u212a",  # the Kelvin sign, a K to a careless reader
    "٣A",
    "5\x00",
    "9" * 33,
    "0" * 33,
    "9" * 33 + "A",
]
SENTENCES = {
    "strangers": "That is not a number: type a whole number in digits, such as 5.",
    "relatives": "That is not a block: type its number in digits, such as 6.",
    "duel": "That is not a move: type tile and tower, such as 3A.",
    "chain": "That is not a whole number: type digits only, such as 14.",
    "builder": "That is not a block: type its size in digits, 1 to 5.",
}


@every_game
@pytest.mark.parametrize("text", NO_MOVE_ANYWHERE, ids=ascii)
def test_what_is_no_move_in_any_game_cannot_be_read(game: Game[Any], text: str) -> None:
    state = game.start({}, 0)
    before = snapshot(game, state)
    with pytest.raises(UnreadableMove):
        game.play(state, text)
    assert snapshot(game, state) == before


@pytest.mark.parametrize("game_id", SENTENCES)
def test_the_refusal_says_what_to_type_instead(game_id: str) -> None:
    one = game(game_id)
    assert_unreadable(one, one.start({}, 0), "pass", SENTENCES[game_id])


@pytest.mark.parametrize(
    ("game_id", "text"),
    [("duel", "5"), ("duel", "05"), ("strangers", "3A"), ("builder", "3A"), ("chain", "xA")],
)
def test_a_move_of_another_game_cannot_be_read(game_id: str, text: str) -> None:
    with pytest.raises(UnreadableMove):
        game(game_id).read(text)


@pytest.mark.parametrize(
    ("game_id", "text", "canonical"),
    [
        ("strangers", " 5 ", "5"),
        ("strangers", "005", "5"),
        ("strangers", "0", "0"),
        ("strangers", "000", "0"),
        ("relatives", "\t6\n", "6"),
        ("relatives", "100", "100"),
        ("chain", "0" * 31 + "7", "7"),
        ("chain", "9" * 32, "9" * 32),
        ("builder", "05\r\n", "5"),
        ("duel", "3a", "3A"),
        ("duel", " 03A ", "3A"),
        ("duel", "Xb", "xB"),
        ("duel", "xX", "xX"),
        ("duel", "00z", "0Z"),
    ],
)
def test_case_blanks_and_leading_zeros_do_not_matter(
    game_id: str, text: str, canonical: str
) -> None:
    assert game(game_id).read(text) == canonical


@every_game
def test_every_way_to_write_a_move_is_played_as_the_same_move(game: Game[Any]) -> None:
    state = game.start({}, 0)
    for move in choices(game, state):
        assert game.read(move) == move
        for text in (f" {move}\t", move.lower(), move.upper()):
            assert game.play(state, text) == game.play(state, move)


@pytest.mark.parametrize("game_id", FORMS)
@settings(max_examples=300, deadline=None)
@given(text=st.text("0123456789xXaAbGzpass +-.٣\t", max_size=6))
def test_exactly_the_forms_of_a_game_can_be_read(game_id: str, text: str) -> None:
    readable = re.fullmatch(FORMS[game_id], text.strip(string.whitespace)) is not None
    try:
        canonical = game(game_id).read(text)
    except UnreadableMove:
        assert not readable
    else:
        assert readable
        assert game(game_id).read(canonical) == canonical
        assert not re.match("0[0-9]", canonical)
