"""A request that comes again gets the answer it got: what has been done is not done twice."""

from typing import NamedTuple

from towerhall_server.games import Played, Seat, UnreadableMove, game, other, player
from towerhall_server.match.actions import Abort, Action, Claim, Ending, Move, Rematch, Resign
from towerhall_server.match.plies import Plies
from towerhall_server.match.state import Record, Result, Settings

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


def same_result(result: Result | None, asked: Result) -> bool:
    """Whether it ended as was asked. The sentence may differ: both players may ask for the same."""
    return result is not None and (result.winner, result.reason) == (asked.winner, asked.reason)


def asked_result(seat: Seat, action: Ending) -> Result:
    me, opponent = player(seat), player(other(seat))
    if isinstance(action, Resign):
        return Result(other(seat), "resigned", f"{me} resigned: {opponent} wins.")
    if isinstance(action, Claim):
        return Result(seat, "abandoned", f"{opponent} has left: {me} wins.")
    return Result(None, "aborted", f"{me} aborted the game.")
