"""`towerhall play`: sit down somewhere and play."""

from shlex import quote
from typing import Any

from msgspec import structs

from towerhall_client.addresses import is_room, read_room
from towerhall_client.clockface import control
from towerhall_client.connection import Connection
from towerhall_client.exits import ExitCode, Refused, Usage
from towerhall_client.parlour import sit
from towerhall_client.seeking import Search
from towerhall_client.sitting import Sitting
from towerhall_client.terms import special_options
from towerhall_client.visit import Visit, find_game
from towerhall_client.wishes import check_together, wishes
from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.replies import Room
from towerhall_protocol.requests import Create, Join, Watch
from towerhall_protocol.rooms import GameInfo
from towerhall_protocol.text import show_code

HOTSEAT = ("Player-1", "Player-2")


async def run(visit: Visit) -> ExitCode:
    args = visit.args
    game_word, room_word = _words(args.words)
    wish = wishes(args)
    check_together(args, game=bool(game_word), room=bool(room_word))
    if room_word:
        address, room_word = read_room(room_word)
        if address:
            visit.addresses = (address,)
    if args.hotseat:
        return await _hotseat(visit, game_word, room_word, wish)
    if not game_word and not room_word:
        return await _menu(visit)
    connection = await visit.connect()
    if room_word:
        await _check_game(connection, game_word, room_word)
        return await join(visit, connection, room_word)
    game = find_game(connection.welcome.games, game_word)
    if args.new:
        return await open_room(visit, connection, game, wish)
    return await quick_match(visit, connection, game, wish)


async def join(visit: Visit, connection: Connection, code: str) -> ExitCode:
    try:
        room = await connection.ask(Room, Join, room=code)
    except Refused as refused:
        if refused.error.code == ErrorCode.ROOM_FULL:
            how = f"towerhall watch --server {quote(connection.address.server)} {quote(code)}"
            better = f"{refused.sentence} That is: {how}"
            raise Refused(structs.replace(refused.error, message=better)) from None
        raise
    sitting = Sitting(room, connection)
    if room.status == "open":
        sitting.tell("note", "You opened this room yourself: somebody else has to join it.")
    return await sit(visit, sitting)


async def open_room(
    visit: Visit, connection: Connection, game: GameInfo, wish: dict[str, Any]
) -> ExitCode:
    fields = {"first": visit.args.first or "random", "listed": visit.args.listed, **wish}
    room = await connection.ask_keyed(Room, Create, game=game.id, **fields)
    return await sit(visit, Sitting(room, connection))


async def quick_match(
    visit: Visit, connection: Connection, game: GameInfo, wish: dict[str, Any]
) -> ExitCode:
    search = Search(connection, {"game": game.id, **wish})
    seek = (await search.start()).seek
    rated = "rated" if seek.rated else "not rated"
    games = "one game" if seek.rounds == 1 else f"{seek.rounds} games"
    special = special_options(seek, [game])
    terms = [game.title, seek.preset, *special, control(seek.clock), games, rated]
    sentence = f"Looking for an opponent: {', '.join(terms)}. Ctrl-C stops."
    if visit.output.drawn:
        with visit.output.waiting(lambda: f"{connection.trouble or sentence}"):
            room = await search.opponent()
    else:
        visit.output.problem(sentence)
        search.line = visit.output.line_changed
        room = await search.opponent()
    return await sit(visit, Sitting(room, connection), waited=True)


async def _check_game(connection: Connection, game_word: str, code: str) -> None:
    """Whoever names a game and a room wants that game there."""
    if not game_word:
        return
    game = find_game(connection.welcome.games, game_word)
    room = await connection.ask(Room, Watch, room=code)
    if room.game != game.id:
        raise Usage(f"{room.title} is played in {show_code(room.code)}, not {game.title}.")


async def _hotseat(visit: Visit, game_word: str, room_word: str, wish: dict[str, Any]) -> ExitCode:
    """Both seats from here: two players, as any two, of one hall."""
    if not game_word and not room_word:
        raise Usage("Which game? towerhall play GAME --hotseat")
    one, two = [await visit.connect(name, last=False) for name in HOTSEAT]
    if room_word:
        await _check_game(one, game_word, room_word)
        return await _hotseat_again(visit, one, two, room_word)
    game = find_game(one.welcome.games, game_word)
    fields = {"first": visit.args.first or "creator", **wish}
    opened = await one.ask_keyed(Room, Create, game=game.id, **fields)
    sitting = Sitting(opened, one, two)
    await two.ask(Room, Join, room=show_code(opened.code))
    return await sit(visit, sitting)


async def _hotseat_again(visit: Visit, one: Connection, two: Connection, code: str) -> ExitCode:
    """Back to both seats; nobody sits down anew, which might make a rated match a hotseat."""
    room = await one.ask(Room, Watch, room=code)
    other = await two.ask(Room, Watch, room=code)
    if (room.you, other.you) != (0, 1):
        sentence = f"No hotseat of yours is in room {show_code(room.code)}."
        raise Refused.here(ErrorCode.NOT_SEATED, sentence)
    return await sit(visit, Sitting(room, one, two))


async def _menu(visit: Visit) -> ExitCode:
    if not visit.output.drawn:
        raise Usage("Play what? Give a game or a room's code: towerhall play duel")
    from towerhall_client.menu import choose

    return await choose(visit)


def _words(words: list[str]) -> tuple[str, str]:
    """The game and the room, of the words given; either may be missing."""
    rooms = [word for word in words if is_room(word)]
    games = [word for word in words if not is_room(word)]
    if len(rooms) > 1 or len(games) > 1:
        raise Usage(f"{' '.join(words)}: give a game, or a room's code, or a link.")
    return (games or [""])[0], (rooms or [""])[0]
