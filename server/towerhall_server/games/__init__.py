"""The five games. A sixth: one file beside these, one name in the tuple, one golden playthrough."""

from typing import Any

from towerhall_server.games.base import (
    BadOptions,
    Game,
    GameError,
    IllegalMove,
    NoSuchGame,
    Option,
    Options,
    Outcome,
    Played,
    Preset,
    Seat,
    State,
    UnreadableMove,
    View,
    other,
    player,
)
from towerhall_server.games.builder import Builder
from towerhall_server.games.chain import Chain
from towerhall_server.games.duel import Duel
from towerhall_server.games.relatives import Relatives
from towerhall_server.games.strangers import Strangers

__all__ = [
    "GAMES",
    "BadOptions",
    "Game",
    "GameError",
    "IllegalMove",
    "NoSuchGame",
    "Option",
    "Options",
    "Outcome",
    "Played",
    "Preset",
    "Seat",
    "State",
    "UnreadableMove",
    "View",
    "game",
    "other",
    "player",
]

GAMES: tuple[Game[Any], ...] = (Strangers(), Relatives(), Duel(), Chain(), Builder())

_BY_ID = {game.id: game for game in GAMES}


def game(game_id: str) -> Game[Any]:
    if found := _BY_ID.get(game_id):
        return found
    raise NoSuchGame(f"There is no such game here; the games are {', '.join(_BY_ID)}.")
