"""A room, and whoever plays in it from here: one seat, both, or none.

What is heard goes into the table; what is done goes out through the connection whose seat it is.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from towerhall_client.connection import Connection, Gone, News
from towerhall_client.exits import Refused
from towerhall_client.naming import named
from towerhall_client.status import Seating
from towerhall_client.table import Table, introduced
from towerhall_client.terms import special_options
from towerhall_protocol.events import RoomEvent, UnknownEvent
from towerhall_protocol.replies import Accepted, Ok, Paired, Presence, Room
from towerhall_protocol.requests import (
    Abort,
    Claim,
    ClientMessage,
    Move,
    RematchRequest,
    Resign,
    Say,
)
from towerhall_protocol.rooms import GameInfo


class Sitting:
    """`changed` is told of every change: the table before, and what was heard."""

    def __init__(self, room: Room, *connections: Connection) -> None:
        self.table = introduced(room)
        self.connections = connections
        self.changed: Callable[[Table, News], None] = lambda before, news: None
        self.over = asyncio.Event()
        """Set when the match is, or the room is gone."""
        self.sheet: list[str] = []
        """A text to be read in place of the table: the rules, a list of orders."""
        self._hotseat = len(connections) > 1
        self._heard = asyncio.Event()
        connections[0].hear = self.hear
        connections[0].ended.add_done_callback(lambda _: self._heard.set())
        for other in connections[1:]:
            other.hear = lambda news: None

    @property
    def connection(self) -> Connection:
        return self.connections[0]

    @property
    def room(self) -> Room:
        return self.table.room

    @property
    def seating(self) -> Seating:
        if self._hotseat:
            return Seating((0, 1))
        return Seating(() if self.room.you is None else (self.room.you,))

    @property
    def now_ms(self) -> int:
        return self.connection.clock.now_ms()

    @property
    def game(self) -> GameInfo | None:
        games = self.connection.welcome.games
        return next((game for game in games if game.id == self.room.game), None)

    @property
    def terms(self) -> tuple[str, ...]:
        """The options that this room does not have from its preset."""
        return special_options(self.room, self.connection.welcome.games)

    def hear(self, news: News) -> None:
        if _room_of(news) != self.room.room:
            return
        before = self.table
        if isinstance(news, Gone):
            self.table = before.gone().told("alert", news.sentence)
        else:
            self.table = before.after(news)
        self._heard.set()
        if self.table.over:
            self.over.set()
        else:
            self.over.clear()
        self.changed(before, news)

    def turn_to(self, room: Room) -> None:
        """Another room takes the place of this one."""
        before, self.table = self.table, introduced(room)
        self.over.clear()
        self.changed(before, room)

    def tell(self, kind: str, text: str) -> None:
        """A line for the person here, of which nobody else knows."""
        self.table = self.table.told(kind, text)

    def note(self, text: str) -> None:
        """The same, where nothing else shows it."""
        before = self.table
        self.tell("note", text)
        self.changed(before, before.room)

    def why(self, refused: Refused) -> str:
        """The hall's reason, with the players by their names."""
        return named(refused.sentence, self.table.names)

    # What a player does

    async def move(self, text: str) -> None:
        room = self.room
        fields = {"round": room.round, "ply": room.ply, "move": text}
        accepted = await self._mover.ask(Accepted, Move, room=room.room, **fields)
        await self._until_seen(room.epoch, accepted.seq)

    async def _until_seen(self, epoch: str, seq: int) -> None:
        """An answer may overtake what it is about, and the next move is made from what is seen."""
        while self.room.epoch == epoch and self.room.seq < seq and not self.table.closed:
            if self.connection.ended.done():
                raise self.connection.ended.result()
            self._heard.clear()
            await self._heard.wait()

    async def resign(self) -> None:
        await self._do(self._mover, Resign)

    async def abort(self) -> None:
        await self._do(self._mover, Abort)

    async def claim(self) -> None:
        await self._do(self._mover, Claim)

    async def rematch(self) -> None:
        for connection in self.connections:
            await self._do(connection, RematchRequest)

    async def say(self, text: str) -> None:
        await self.connection.ask_keyed(Ok, Say, room=self.room.room, text=text)

    async def _do(self, connection: Connection, kind: type[ClientMessage]) -> None:
        await connection.ask(Ok, kind, room=self.room.room, round=self.room.round)

    @property
    def _mover(self) -> Connection:
        """In a hotseat whoever is to move acts; the first seat where nobody is."""
        return self.connections[self.room.turn or 0] if self._hotseat else self.connection


def _room_of(news: Any) -> str | None:
    if isinstance(news, RoomEvent | UnknownEvent | Presence | Gone | Room | Paired):
        return news.room
    return None
