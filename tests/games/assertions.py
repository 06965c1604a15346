"""What the tests of the games say over and over: a game is played, refuses a move, is over."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

from towerhall_server.games import (
    GAMES,
    Game,
    IllegalMove,
    Outcome,
    Seat,
    State,
    UnreadableMove,
)

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def played(
    game: Game[Any], moves: str, options: Mapping[str, object] | None = None, first: Seat = 0
) -> State:
    """The position after the moves, written with blanks between them."""
    return played_on(game, game.start(options or {}, first), moves)


def played_on(game: Game[Any], state: State, moves: str) -> State:
    for move in moves.split():
        state = game.play(state, move)
    return state


def recorded(game: Game[Any], state: State) -> str:
    """The record as one text, forced passes included."""
    return " ".join(move.text for move in game.moves(state))


def items(game: Game[Any], state: State, stack: int = 0) -> list[int]:
    """What lies on one of the stacks of the view, bottom first."""
    return game.view(state)["stacks"][stack]["items"]


def supply(game: Game[Any], state: State, index: int = 0) -> dict[int, int]:
    """One of the supplies of the view: how many there are of each value."""
    return {item["value"]: item["count"] for item in game.view(state)["supplies"][index]["items"]}


def data_of(state: State) -> dict[str, Any]:
    """The fields, which are all that is stored of a state."""
    return {field.name: getattr(state, field.name) for field in fields(state)}


def snapshot(game: Game[Any], state: State) -> dict[str, object]:
    """All that anybody can learn of a position."""
    return {
        "data": data_of(state),
        "view": game.view(state),
        "legal": game.legal_moves(state),
        "moves": game.moves(state),
        "turn": game.to_move(state),
        "outcome": game.outcome(state),
    }


def assert_refused(game: Game[Any], state: State, move: str, sentence: str) -> None:
    """The rules forbid the move, in exactly this sentence, and nothing has changed."""
    before = snapshot(game, state)
    with pytest.raises(IllegalMove) as refusal:
        game.play(state, move)
    assert str(refusal.value) == sentence
    assert snapshot(game, state) == before


def assert_unreadable(game: Game[Any], state: State, move: str, sentence: str) -> None:
    """The text is no move of this game, in exactly this sentence, and nothing has changed."""
    before = snapshot(game, state)
    with pytest.raises(UnreadableMove) as refusal:
        game.play(state, move)
    assert str(refusal.value) == sentence
    assert snapshot(game, state) == before


def assert_to_move(game: Game[Any], state: State, seat: Seat, legal: str | None = None) -> None:
    """The game goes on with this seat, and with exactly these moves if they are given."""
    assert game.outcome(state) is None
    assert game.to_move(state) == seat
    if legal is not None:
        assert game.legal_moves(state) == legal.split()


def assert_won(game: Game[Any], state: State, winner: Seat, reason: str, text: str) -> None:
    """The game is over so, and nobody is asked for another move."""
    assert game.outcome(state) == Outcome(winner, reason, text)
    assert game.to_move(state) is None
    assert not game.legal_moves(state)
