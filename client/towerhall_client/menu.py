"""The short menu of `towerhall play` without arguments."""

import shutil
from collections.abc import Awaitable, Callable

from prompt_toolkit import PromptSession

from towerhall_client.addresses import read_room
from towerhall_client.commands import play, watch
from towerhall_client.connection import Connection
from towerhall_client.exits import ExitCode, NoConnection, Refused, Stop, Usage
from towerhall_client.ink import wrapped
from towerhall_client.parlour import sit
from towerhall_client.sitting import Sitting
from towerhall_client.unfinished import described, unfinished
from towerhall_client.visit import Visit, find_game
from towerhall_client.wishes import wishes
from towerhall_protocol.replies import Room
from towerhall_protocol.rooms import GameInfo

CHOICES = (
    "quick match against whoever wants to play",
    "open a room and get a code for a friend",
    "join a room by its code or link",
    "watch a game",
)
OPEN_ROOM = 2
ROOM = "The room's code or link"

Going = Callable[[Visit, Connection, str], Awaitable[ExitCode]]


async def choose(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    if visit.args.new:  # all but the game has been said
        try:
            return await _go(visit, connection, OPEN_ROOM)
        except EOFError:
            return ExitCode.DONE
    rooms = await unfinished(connection)
    out, player = visit.output, connection.welcome.player
    out.line(f"The hall at {connection.address.place}. You are {player.name}.")
    out.line()
    for number, choice in enumerate(CHOICES, 1):
        out.line(f"  {number}  {choice}")
    for number, room in enumerate(rooms, len(CHOICES) + 1):
        out.line(f"  {number}  back to {described(room)}")
    out.line("  q  leave")
    try:
        return await _follow(visit, connection, rooms)
    except EOFError:  # Ctrl-D at any of the questions
        return ExitCode.DONE


async def _follow(visit: Visit, connection: Connection, rooms: list[Room]) -> ExitCode:
    numbers = [str(number) for number in range(1, len(CHOICES) + len(rooms) + 1)]
    while (answer := await _ask("Your choice")) not in numbers:
        if answer in ("", "q"):
            return ExitCode.DONE
        visit.output.line(f"Type a number from 1 to {numbers[-1]}, or q.")
    if int(answer) > len(CHOICES):
        return await sit(visit, Sitting(rooms[int(answer) - len(CHOICES) - 1], connection))
    return await _go(visit, connection, int(answer))


async def _go(visit: Visit, connection: Connection, choice: int) -> ExitCode:
    if choice in (1, 2):
        game = await _choose_game(visit, connection.welcome.games)
        start = play.quick_match if choice == 1 else play.open_room
        return await start(visit, connection, game, wishes(visit.args))
    if choice == 3:
        return await _enter(visit, connection, play.join, await _ask(ROOM))
    room = await _ask(f"{ROOM}, or nothing for TV")
    if not room:
        return await watch.tv(visit, connection)
    return await _enter(visit, connection, watch.watch, room)


async def _enter(visit: Visit, connection: Connection, go: Going, room: str) -> ExitCode:
    """Asks again as long as there is no such room; nothing, and one has thought better of it."""
    while room:
        try:
            address, code = read_room(room)
            if address and address != connection.address:
                visit.addresses = (address,)
                connection = await visit.connect()
            return await go(visit, connection, code)
        except (Usage, NoConnection, Refused) as stop:
            if connection.ended.done():
                raise
            visit.output.line(stop.sentence)
        room = await _ask(ROOM)
    return ExitCode.DONE


async def _choose_game(visit: Visit, games: list[GameInfo]) -> GameInfo:
    columns = shutil.get_terminal_size().columns
    for number, game in enumerate(games, 1):
        lines = wrapped(f"{game.title}: {game.summary}", max(20, columns - 6))
        visit.output.line(f"  {number}  {lines[0]}")
        for line in lines[1:]:
            visit.output.line(f"     {line}")
    numbered = {str(number): game for number, game in enumerate(games, 1)}
    while True:
        answer = await _ask("Which game")
        try:
            return numbered.get(answer) or find_game(games, answer)
        except Stop as stop:
            visit.output.line(stop.sentence)


async def _ask(question: str) -> str:
    session: PromptSession[str] = PromptSession()
    return (await session.prompt_async(f"{question}> ")).strip()
