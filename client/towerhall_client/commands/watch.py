"""`towerhall watch`: look on, at one room or at whatever is on TV."""

import asyncio
import contextlib

from towerhall_client.addresses import read_room
from towerhall_client.connection import Connection, News
from towerhall_client.exits import ExitCode, Refused, Usage
from towerhall_client.parlour import sit
from towerhall_client.sitting import Sitting
from towerhall_client.visit import Visit
from towerhall_protocol.replies import LobbyState, Ok, Room
from towerhall_protocol.requests import LobbyRequest, Unwatch, Watch

LOOK_AT_RESULT_S = 6.0
NOTHING_YET = "Nothing is on TV yet; waiting for a game. Ctrl-C stops."


async def run(visit: Visit) -> ExitCode:
    args = visit.args
    if args.tv == bool(args.room):
        raise Usage("Watch which room? Give its code, or --tv for the featured one.")
    if args.tv:
        return await tv(visit, await visit.connect())
    address, code = read_room(args.room)
    if address:
        visit.addresses = (address,)
    return await watch(visit, await visit.connect(), code)


async def watch(visit: Visit, connection: Connection, code: str) -> ExitCode:
    room = await connection.ask(Room, Watch, room=code)
    return await sit(visit, Sitting(room, connection), reading=False)


async def tv(visit: Visit, connection: Connection) -> ExitCode:
    channel = Channel(connection)
    await channel.open()
    sitting = channel.seat(await _first_room(visit, connection, channel))
    if not visit.output.drawn:
        return await _tv_in_lines(visit, channel, sitting)
    switching = asyncio.create_task(_switch(channel, sitting))
    try:
        return await sit(visit, sitting, reading=False)
    finally:
        switching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await switching


async def _first_room(visit: Visit, connection: Connection, channel: "Channel") -> Room:
    if channel.featured is None and visit.output.drawn:
        with visit.output.waiting(lambda: f"{connection.trouble or NOTHING_YET}"):
            return await channel.next_room(None)
    if channel.featured is None:
        visit.output.problem(NOTHING_YET)
        connection.line = visit.output.line_changed
    return await channel.next_room(None)


async def _tv_in_lines(visit: Visit, channel: "Channel", sitting: Sitting) -> ExitCode:
    """One match after the other, until somebody has seen enough."""
    while True:
        await sit(visit, sitting, reading=False)
        sitting = channel.seat(await channel.next_room(sitting.room))


async def _switch(channel: "Channel", sitting: Sitting) -> None:
    """When a match is over, its result is left standing for a while."""
    while True:
        await sitting.over.wait()
        await asyncio.sleep(LOOK_AT_RESULT_S)
        if sitting.over.is_set():  # else they play a rematch
            if channel.featured in (None, sitting.room.room):
                sitting.note("Nothing else is on TV; waiting for the next game.")
            sitting.turn_to(await channel.next_room(sitting.room))


class Channel:
    """The featured room, as the lobby has it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._changed = asyncio.Event()
        self.featured: str | None = None
        self._round = 0
        """Of the game there."""

    async def open(self) -> None:
        self._connection.hear = self.hear
        self._connection.ended.add_done_callback(lambda _: self._changed.set())
        self._take(await self._connection.ask(LobbyState, LobbyRequest, on=True))

    def seat(self, room: Room) -> Sitting:
        """A place in front of it, from which the lobby is heard as well."""
        sitting = Sitting(room, self._connection)

        def hear(news: News) -> None:
            self.hear(news)
            sitting.hear(news)

        self._connection.hear = hear
        return sitting

    def hear(self, news: News) -> None:
        if isinstance(news, LobbyState):
            self._take(news)

    async def next_room(self, last: Room | None) -> Room:
        """The featured room, as soon as it is another one than the last, or has a rematch on."""
        gone = None
        while True:
            room = self.featured
            if room not in (None, gone) and not self._shows(last):
                try:
                    snapshot = await self._connection.ask(Room, Watch, room=room)
                except Refused:
                    gone = room  # it has just ended; the lobby will name another
                else:
                    if last and last.room != room:
                        await self._leave(last.room)
                    return snapshot
            self._changed.clear()
            if self._connection.ended.done():
                raise self._connection.ended.result()
            await self._changed.wait()

    def _shows(self, last: Room | None) -> bool:
        """Whether what was seen last is still what is on."""
        return last is not None and self.featured == last.room and self._round <= last.round

    async def _leave(self, room: str) -> None:
        self._connection.unfollow(room)
        with contextlib.suppress(Refused):  # a room that is gone cannot be left
            await self._connection.ask(Ok, Unwatch, room=room)

    def _take(self, lobby: LobbyState) -> None:
        self.featured = lobby.featured
        self._round = next((one.round for one in lobby.live if one.room == lobby.featured), 0)
        self._changed.set()
