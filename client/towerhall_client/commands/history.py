"""`towerhall history`: the matches one has played here, the latest first."""

from datetime import UTC, datetime

from towerhall_client.exits import ExitCode
from towerhall_client.visit import Visit
from towerhall_protocol.lobby import PastMatch
from towerhall_protocol.replies import History
from towerhall_protocol.requests import HistoryRequest
from towerhall_protocol.text import show_code


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    before = visit.args.before
    history = await connection.ask(
        History, HistoryRequest, **({"before": before} if before else {})
    )
    out = visit.output
    if out.json:
        for match in history.matches:
            out.object(match)
    elif not history.matches:
        out.line("You have not finished a match here yet.")
    else:
        headings = ["when", "game", "room", "opponent", "score", "result", "rating"]
        out.table(headings, [_row(match) for match in history.matches])
    if history.before:
        out.problem(f"There is more: towerhall history --before {history.before}")
    return ExitCode.DONE


def _row(match: PastMatch) -> list[str]:
    when = datetime.fromtimestamp(match.at_ms / 1000, UTC).astimezone()
    own, theirs = match.score[match.seat], match.score[1 - match.seat]
    rating = f"{match.rating.value} ({match.change or 0:+})" if match.rating else ""
    return [
        f"{when:%Y-%m-%d %H:%M}",
        match.game,
        show_code(match.code),
        match.opponent.name,
        f"{own}-{theirs}",
        _result(match),
        rating,
    ]


def _result(match: PastMatch) -> str:
    if match.winner is None:
        return "called off" if match.reason == "aborted" else "drawn"
    return "won" if match.winner == match.seat else "lost"
