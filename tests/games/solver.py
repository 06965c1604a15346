"""Whole game trees, walked with nothing but the public functions of a game."""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from towerhall_server.games import Game, Options, Seat, State, other

Key = Callable[[Any], Hashable]
"""What two positions must have in common to be played on in the same way."""


def layers(game: Game[Any], options: Options) -> list[int]:
    """How many ways there are to make 0, 1, 2 … moves, forced passes not counted."""
    counts, layer = [], [game.start(options, 0)]
    while layer:
        counts.append(len(layer))
        layer = [after for state in layer for after in _after(game, state)]
    return counts


def positions(game: Game[Any], options: Options, key: Key) -> list[State]:
    """One state for each different position that can come about, ends included."""
    start = game.start(options, 0)
    found, waiting = {(key(start), game.outcome(start)): start}, [start]
    while waiting:
        for after in _after(game, waiting.pop()):
            position = key(after), game.outcome(after)
            if position not in found:
                found[position] = after
                waiting.append(after)
    return list(found.values())


def winning_openings(game: Game[Any], options: Options, key: Key) -> list[str]:
    """The first moves after which the player who began wins, whatever the other does."""
    start, known = game.start(options, 0), dict[Hashable, Seat]()
    return [
        move
        for move in game.legal_moves(start) or ()
        if _winner(game, game.play(start, move), key, known) == 0
    ]


def _winner(game: Game[Any], state: State, key: Key, known: dict[Hashable, Seat]) -> Seat:
    if outcome := game.outcome(state):
        return outcome.winner
    turn = game.to_move(state)
    assert turn is not None
    if key(state) not in known:
        wins = any(_winner(game, after, key, known) == turn for after in _after(game, state))
        known[key(state)] = turn if wins else other(turn)
    return known[key(state)]


def _after(game: Game[Any], state: State) -> Iterator[State]:
    for move in game.legal_moves(state) or ():
        yield game.play(state, move)
