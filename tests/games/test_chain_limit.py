"""Number Chain lists no moves: here the rule is stated a second time, with its limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import assert_refused, assert_won, items, played_on
from games.random_games import RandomGame, random_games
from towerhall_server.games import IllegalMove, State, game

CHAIN = game("chain")
EXACT = 2**53 - 1


def limit(state: State, target: int) -> int:
    length = len(items(CHAIN, state)) + 1
    return int(EXACT // 2 ** (target - length))


def too_large(number: int, most: int) -> str:
    return f"{number} is too large: at most {most} keeps the chain playable."


@pytest.mark.parametrize("target", range(3, 31))
@pytest.mark.parametrize("strict", [True, False])
def test_doubling_is_possible_from_the_largest_number_to_the_end(target: int, strict: bool) -> None:
    state = CHAIN.start({"target": target, "strict": strict}, 0)
    largest = limit(state, target)
    state = CHAIN.play(state, str(largest))
    for _ in range(target - 2):
        assert CHAIN.outcome(state) is None
        largest *= 2
        state = CHAIN.play(state, str(largest))
    outcome = CHAIN.outcome(state)
    assert outcome and outcome.reason == "target_length"
    assert EXACT - 2 ** (target - 1) < largest <= EXACT


@pytest.mark.parametrize("target", range(3, 31))
@pytest.mark.parametrize("strict", [True, False])
def test_a_number_above_the_limit_is_refused_and_does_not_lose(target: int, strict: bool) -> None:
    state = CHAIN.start({"target": target, "strict": strict}, 0)
    while not CHAIN.outcome(state):
        most = limit(state, target)
        assert f"The next number may be at most {most}." in CHAIN.view(state)["notes"]
        for number in (most + 1, 10**31 + 7):
            assert_refused(CHAIN, state, str(number), too_large(number, most))
        state = CHAIN.play(state, str(2 * items(CHAIN, state)[-1]))


def test_the_largest_number_of_all_can_end_a_chain() -> None:
    state = CHAIN.start({"target": 3}, 0)
    assert_refused(CHAIN, state, str(2**52), too_large(2**52, EXACT // 2))
    state = played_on(CHAIN, state, f"9 {EXACT}")
    assert_won(CHAIN, state, 1, "target_length", "The chain is 3 numbers long: Player 2 wins.")


@settings(max_examples=60, deadline=None)
@given(random_game=random_games(CHAIN), step=st.integers(-3, 60))
def test_a_number_stands_exactly_if_it_keeps_the_rules(random_game: RandomGame, step: int) -> None:
    for state in random_game.states[:-1]:
        last = items(CHAIN, state)[-1]
        for number in (max(0, last + step), last, 2 * last, 2 * last + 1, 7 * last, 10 * last):
            assert stands(state, number) == (
                number > last
                and (number % last == 0 or any(digit in str(last) for digit in str(number)))
                and number <= limit(state, random_game.options["target"])
            )


def stands(state: State, number: int) -> bool:
    """Whether the number becomes part of the chain, rather than refused or lost with."""
    try:
        after = CHAIN.play(state, str(number))
    except IllegalMove:
        return False
    return items(CHAIN, after)[-1] == number and len(items(CHAIN, after)) > len(items(CHAIN, state))
