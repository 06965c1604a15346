"""The rooms in which one still has a seat."""

from towerhall_client.connection import Connection
from towerhall_client.exits import Refused
from towerhall_client.naming import names_of
from towerhall_protocol.replies import Room
from towerhall_protocol.requests import Watch
from towerhall_protocol.text import show_code


async def unfinished(connection: Connection) -> list[Room]:
    rooms = [await _look(connection, seat.room) for seat in connection.welcome.seats]
    return [room for room in rooms if room]


def described(room: Room) -> str:
    if room.status == "open" or room.you is None:
        return f"your open room {show_code(room.code)}, {room.title}"
    return f"{room.title} against {names_of(room.seats)[1 - room.you]}, room {show_code(room.code)}"


async def _look(connection: Connection, room: str) -> Room | None:
    """None where it has just gone."""
    try:
        return await connection.ask(Room, Watch, room=room)
    except Refused:
        return None
