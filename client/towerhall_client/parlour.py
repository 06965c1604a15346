"""Where a room is shown: drawn for a person at a terminal, in lines for everybody else."""

from towerhall_client.exits import ExitCode
from towerhall_client.ink import text_of
from towerhall_client.plain import PlainRoom
from towerhall_client.screen import Scene, draw
from towerhall_client.sharing import not_over
from towerhall_client.sitting import Sitting
from towerhall_client.stdin_lines import StdinLines
from towerhall_client.visit import Visit

FAREWELL = (80, 20)


async def sit(
    visit: Visit, sitting: Sitting, *, reading: bool = True, waited: bool = False
) -> ExitCode:
    """Until the match is over, or the person leaves. A watcher in a pipe reads no input; whoever
    waited for an opponent may have looked away, and is called."""
    if not visit.output.drawn:
        lines = StdinLines() if reading else None
        return await PlainRoom(sitting, visit.output, lines).run()
    from towerhall_client.terminal import RoomTerminal

    try:
        return await RoomTerminal(sitting, color=visit.output.color).run(call=waited)
    finally:
        _say_farewell(visit, sitting)


def _say_farewell(visit: Visit, sitting: Sitting) -> None:
    """What stays in the terminal when the room is left: the last position, and how to return."""
    if sitting.room.status != "open":
        scene = Scene(sitting.table, sitting.seating, sitting.now_ms, terms=sitting.terms)
        for row in draw(scene, *FAREWELL):
            if text := text_of(row):
                visit.output.line(text)
    if not sitting.table.over and not sitting.seating.watching:
        visit.output.problem(not_over(sitting))
