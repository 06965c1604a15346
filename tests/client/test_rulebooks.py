"""The worked examples of the five rule books, as the rulings have them, played at one keyboard."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client.hall import Hall
from client.piped import Ended, run

Play = Callable[..., Ended]


@pytest.fixture
def play(hall: Hall, tmp_path: Path) -> Play:
    def played(game: str, moves: str, *more: str) -> Ended:
        terms = ("--hotseat", "--plain", "--clock=none", "--server", hall.server)
        return run(tmp_path, "play", game, *terms, *more, given="\n".join(moves.split()) + "\n")

    return played


def assert_refused(ended: Ended, *sentences: str) -> None:
    refused = [line for line in ended.problems.splitlines() if "refused:" in line]
    assert len(refused) == len(sentences), ended.problems
    for line, sentence in zip(refused, sentences, strict=True):
        assert line.endswith(sentence)


def test_the_strangers_example_with_its_false_attempts(play: Play) -> None:
    ended = play("strangers", "5 3 4 7 2 6 9 1 5 10 5 6 2 9 1")
    assert ended.code == 5, "the tenth number of the example is refused"
    assert_refused(
        ended,
        "6 is a multiple of 2.",
        "1 is a divisor of 9.",
        "10 is outside 1 to 9.",
        "5 is on top already, and is both a divisor and a multiple of itself.",
        "2 is a divisor of 6.",
        "1 is a divisor of 9.",
    )
    assert "Tower: 5 3 4 7 2 9 5 6 9" in ended.lines


def test_an_opening_1_wins_among_strangers(play: Play) -> None:
    ended = play("strangers", "1")
    assert ended.code == 0
    assert ended.lines[-1] == "Player-2 has no number to place on 1: Player-1 wins."


def test_the_relatives_example_to_its_end(play: Play) -> None:
    ended = play("relatives", "6 9 3 9 3 1 2 4 8")
    assert ended.code == 0
    assert_refused(
        ended, "9 is neither a divisor nor a multiple of 6.", "3 is already in the tower."
    )
    legal = [line.removeprefix("Legal: ") for line in ended.lines if line.startswith("Legal: ")]
    assert legal == ["1 2 3 4 5 6 7 8 9", "1 2 3", "1 9", "1", "2 4 5 7 8", "4 8", "8"]
    assert ended.lines[-1] == "Player-2 has no block to place on 8: Player-1 wins."


def test_the_duel_example_to_its_end(play: Play) -> None:
    ended = play("duel", "2A 1B 3A 2B 4A 3B 5A 4B 1A 1C")
    assert ended.code == 0
    assert_refused(ended, "1 is not higher than 5, the top of tower A.")
    assert ended.lines[-1] == "Player-1 has placed every tile: Player-1 wins."


def test_the_chain_sequence_and_the_sample_that_breaks_it(play: Play) -> None:
    assert "Chain: 1 2 4 14 28 42" in play("chain", "2 4 14 28 42").lines
    ended = play("chain", "2 4 14 28 thirty 35")
    assert ended.code == 0
    assert_refused(ended, "That is not a whole number: type digits only, such as 14.")
    broken = "35 is not a multiple of 28 and shares no digit with it: Player-2 wins."
    assert ended.lines[-1] == broken


def test_the_builder_example_to_its_end(play: Play) -> None:
    ended = play("builder", "5 4 4 5 3 3 3 2 5 2 3 4 3")
    assert ended.code == 0
    assert_refused(
        ended,
        "No size 5 block is left in your stock.",
        "A size 4 block would make 21, above 20.",
    )
    assert "Player-1's tower: 5 4 3 3 2 (17 of 20)" in ended.lines
    assert ended.lines[-1] == "The tower is 20 high: Player-1 wins."
