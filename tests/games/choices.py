"""Moves to choose from, for tests that play by themselves."""

from collections.abc import Callable
from typing import Any

from towerhall_server.games import Game, IllegalMove, State


def choices(game: Game[Any], state: State) -> list[str]:
    """The legal moves; some good ones where a game does not list them."""
    listed = game.legal_moves(state)
    if listed is not None:
        return listed
    return [text for text in UNLISTED[game.id](state) if _is_taken(game, state, text)]


def _is_taken(game: Game[Any], state: State, text: str) -> bool:
    try:
        game.play(state, text)
    except IllegalMove:
        return False
    return True


def _chain(state: Any) -> list[str]:
    last = state.chain[-1]
    return [str(n) for n in (2 * last, 3 * last, 10 * last, last + 10)]


# A game whose legal_moves() is None needs an entry here.
UNLISTED: dict[str, Callable[[Any], list[str]]] = {"chain": _chain}
