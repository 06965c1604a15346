"""A request that comes again gets the answer it got: what has been done is not done twice."""

from typing import NamedTuple

from towerhall_server.games import Played, Seat, UnreadableMove, game
from towerhall_server.match.actions import Abort, Action, Claim, Move, Rematch, Resign
from towerhall_server.match.endings import asked_result, same_result
from towerhall_server.match.plies import Plies
from towerhall_server.match.state import Record, Settings

SEATS: tuple[Seat, Seat] = (0, 1)
Moves = tuple[Played, ...]


class Repeat(NamedTuple):
    """The same was asked and done before; `seq` is its event, where the reply names one."""

    seq: int = 0


def repeats(record: Record, action: Action) -> Repeat | None:
    """Whether the action was carried out in a round that is finished and gone from the board."""
    seat = next((s for s in SEATS if record.players[s] == action[0]), None)
    if seat is None:
        return None
    if isinstance(action, Move):
        return same_move(record.settings, record.moves, record.plies, seat, action)
    if isinstance(action, Rematch):
        return Repeat() if record.match_over else None
    if isinstance(action, Resign | Abort | Claim):
        return Repeat() if same_result(record.result, asked_result(seat, action)) else None
    return None


def same_move(
    settings: Settings, moves: Moves, plies: Plies, seat: Seat, action: Move
) -> Repeat | None:
    if action.ply >= len(moves):
        return None
    try:
        text = game(settings.game).read(action.text)
    except UnreadableMove:
        return None
    return Repeat(plies[action.ply].seq) if moves[action.ply] == (seat, text, False) else None
