"""Logs of rooms in which everything happened that can."""

from match.table import ANN, BOB, EVE, PLAYERS, Line, opened, small_duel
from towerhall_server.match.actions import Abort, Rate, Rematch, Say
from towerhall_server.match.state import Rating

NEW = Rating(value=1500, deviation=350, provisional=True, matches=0)


def _eventful() -> list[Line]:
    """Moves with and without passes, a rematch, words of a player and of a watcher."""
    table = small_duel().play("3A 1B 2B 3B")
    table.do(Say(BOB, "bob", "well played ✓"))
    table.do(Say(EVE, "eve", "indeed"))
    for player in PLAYERS:
        table.do(Rematch(player, 1))
    table.do(Rate(1, (NEW, NEW), (NEW, NEW)))
    table.do(Abort(ANN, 2))
    return table.log


def _closed() -> list[Line]:
    table = opened()
    table.do(Abort(ANN, 1))
    return table.log


EVERY_KIND = [*_eventful(), *_closed()]
