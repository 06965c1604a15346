"""`towerhall replay`: step through a game, from the hall or from a file."""

import sys
from pathlib import Path

from msgspec import UNSET

from towerhall_client.addresses import is_room, read_room
from towerhall_client.exits import Dropped, ExitCode, Refused, Usage
from towerhall_client.film import Film
from towerhall_client.record import BadRecord, read, read_any
from towerhall_client.record import Record as GameRecord
from towerhall_client.visit import Visit
from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.replies import Record
from towerhall_protocol.requests import RecordRequest, Replay


async def run(visit: Visit) -> ExitCode:
    film = await _film(visit, visit.args.game_of)
    if not visit.output.drawn:
        _print(visit, film)
        return ExitCode.DONE
    from towerhall_client.projector import Projector

    return await Projector(film, color=visit.output.color, speed=visit.args.speed).run()


async def _film(visit: Visit, source: str) -> Film:
    """A file wins over a code: nobody calls a file like a room by accident."""
    if (game := _read_file(source)) is not None:
        connection = await visit.connect()
        record = await connection.ask(Record, Replay, **_fields(game))
        return Film.of(game, record.frames, connection.welcome.games)
    if not is_room(source):
        raise Usage(f"{source} is neither a file nor a room's code.")
    address, code = read_room(source)
    if address:
        visit.addresses = (address,)
    connection = await visit.connect()
    number = visit.args.game_number or UNSET
    try:
        record = await connection.ask(Record, RecordRequest, room=code, round=number)
    except Refused as refused:
        if refused.error.code != ErrorCode.NO_SUCH_ROOM or address:
            raise
        sentence = f"There is neither a file nor a room {source}."
        raise Refused.here(ErrorCode.NO_SUCH_ROOM, sentence) from None
    try:
        return Film.of(read(record.text), record.frames, connection.welcome.games)
    except BadRecord as bad:
        raise Dropped(f"The hall sent a record that cannot be read: {bad}") from None


def _read_file(source: str) -> GameRecord | None:
    """None where there is no such file; `-` is the input."""
    path = Path(source)
    called = "the input" if source == "-" else source
    try:
        if source == "-":
            return read_any(sys.stdin.read())
        if path.is_dir() or not path.exists():
            return None
        return read_any(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{called} cannot be read: {error}") from None
    except BadRecord as bad:
        raise Usage(f"{called}, {bad}") from None


def _fields(game: GameRecord) -> dict[str, object]:
    moves = [move.text for move in game.moves]
    return {"game": game.game, "options": game.options, "first": game.first, "moves": moves}


def _print(visit: Visit, film: Film) -> None:
    if visit.output.json:
        for frame in film.frames:
            visit.output.object(frame)
        return
    for number in range(len(film.frames)):
        for line in film.lines(number):
            visit.output.line(line)
        visit.output.line()
