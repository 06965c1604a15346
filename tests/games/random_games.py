"""Random games with random options, for properties that hold in every game."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

from games.assertions import data_of
from games.choices import choices
from towerhall_server.games import (
    BadOptions,
    Game,
    IllegalMove,
    Options,
    Seat,
    State,
    UnreadableMove,
    View,
)

BOUND = 200
"""More plies than any game of the hall can have."""

ASTRAY = 0.03
"""How often a random player tries just anything, which now and then breaks the rules."""


class RandomGame(NamedTuple):
    options: Options
    first: Seat
    sent: list[str]
    states: list[State]
    """The start, then the position after each move that was sent."""

    @property
    def end(self) -> State:
        return self.states[-1]


@st.composite
def random_games(draw: st.DrawFn, game: Game[Any]) -> RandomGame:
    given = {
        option.name: draw(st.integers(*option.range) if option.range else st.booleans())
        for option in game.options
    }
    first: Seat = draw(st.sampled_from((0, 1)))
    rng = Random(draw(st.integers(0, 2**32)))
    try:
        options = game.resolve(given)
    except BadOptions:
        reject()
    states, sent = [game.start(options, first)], list[str]()
    while not game.outcome(states[-1]) and len(sent) < BOUND:
        text, after = _random_move(game, states[-1], rng)
        sent.append(text)
        states.append(after)
    return RandomGame(options, first, sent, states)


def _random_move(game: Game[Any], state: State, rng: Random) -> tuple[str, State]:
    if rng.random() < ASTRAY:
        text = rng.choice(readable_around(game, state))
        try:
            return text, game.play(state, text)
        except IllegalMove:
            pass
    text = rng.choice(choices(game, state))
    return text, game.play(state, text)


def readable_around(game: Game[Any], state: State) -> list[str]:
    """Canonical moves, legal and not: past the highest setting, and near what is in the view."""
    settings = [value for value in data_of(state).values() if isinstance(value, int)]
    numbers = {*range(max([9, *settings]) + 3)}
    for number in numbers_in(game.view(state)):
        numbers |= {number, number + 1, number + 2, 2 * number, 2 * number + 1}
    texts = [str(number) for number in sorted(numbers)]
    texts += [f"{number}{letter}" for number in range(12) for letter in "ABCDEFG"]
    texts += [f"x{letter}" for letter in "ABCDEFG"]
    return [text for text in texts if _is_readable(game, text)]


def _is_readable(game: Game[Any], text: str) -> bool:
    try:
        return game.read(text) == text
    except UnreadableMove:
        return False


def numbers_in(view: View) -> Iterator[int]:
    for stack in view["stacks"]:
        yield from stack["items"]
    for supply in view["supplies"]:
        for item in supply["items"]:
            yield from (item["value"], item["count"])
