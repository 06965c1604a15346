"""A whole game of each kind: the moves, as the rules of the hall find them."""

from typing import Any

from towerhall_server.games import GAMES, game

# Options that make a game end soon, and by its own rules.
SHORT: dict[str, dict[str, int | bool]] = {
    "strangers": {"pool": 12, "copies": 1, "one_may_open": False},
    "relatives": {},
    "duel": {},
    "chain": {"target": 6},
    "builder": {"shared": True},
}
IDS = tuple(rules.id for rules in GAMES)


def line_of(game_id: str) -> list[tuple[int, str]]:
    """Who moves what, to the end of the game; forced passes are left out."""
    rules: Any = game(game_id)
    state = rules.start(rules.resolve(SHORT[game_id]), 0)
    while rules.outcome(state) is None:
        legal = rules.legal_moves(state)
        state = rules.play(state, legal[0] if legal else str(2 ** (len(state.moves) + 1)))
    return [(move.seat, move.text) for move in rules.moves(state) if not move.forced]


def ending_of(game_id: str) -> tuple[int, str]:
    """Who wins, and the sentence about it."""
    rules: Any = game(game_id)
    state = rules.start(rules.resolve(SHORT[game_id]), 0)
    for _, text in line_of(game_id):
        state = rules.play(state, text)
    outcome = rules.outcome(state)
    return outcome.winner, outcome.text
