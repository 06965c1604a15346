"""How rounds and matches end: what is asked for, what time brings, and who has won what."""

from towerhall_server.games import Seat, other, player
from towerhall_server.match.actions import Claim, Ending, Resign
from towerhall_server.match.permission import may_abort
from towerhall_server.match.state import Match, Result

_NOBODY_PLAYS_ON = ("abandoned", "aborted")


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


def timeout_result(match: Match) -> Result:
    loser: Seat = match.position.turn
    text = f"{player(loser)} ran out of time: {player(other(loser))} wins."
    return Result(other(loser), "timeout", text)


def idle_result(match: Match, span: str) -> Result:
    """Who lets a match lie that both play has left it; before that, nobody has lost."""
    if may_abort(match):
        return Result(None, "aborted", f"Nobody moved for {span}.")
    gone: Seat = match.position.turn
    text = f"{player(gone)} did not move for {span}: {player(other(gone))} wins."
    return Result(other(gone), "abandoned", text)


def is_decided(match: Match, result: Result, score: tuple[int, int]) -> bool:
    """Whether the match ends with this round: nobody plays on, or nobody can be caught."""
    to_come = match.settings.rounds - match.played - 1
    return result.reason in _NOBODY_PLAYS_ON or not to_come or abs(score[0] - score[1]) > to_come


def match_winner(result: Result, score: tuple[int, int]) -> Seat | None:
    if result.reason in _NOBODY_PLAYS_ON:
        return result.winner
    if score[0] == score[1]:
        return None
    return 0 if score[0] > score[1] else 1
