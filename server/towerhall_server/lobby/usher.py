"""Shows players to the room that was made for them: on every connection they have here, once."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from msgspec import UNSET

from towerhall_protocol.replies import Paired, Room, ServerMessage
from towerhall_server import metrics
from towerhall_server.backoff import BackOff
from towerhall_server.channel import Reader
from towerhall_server.hub import Hub
from towerhall_server.logs import Log
from towerhall_server.match.refusal import Refused
from towerhall_server.referee import Referee
from towerhall_server.store import NoAnswer

log = Log(__name__)

MOST_ROOMS = 100
"""What a connection may be shown of, besides those that it may watch: many, and not without end."""


class Guest(Reader, Protocol):
    """A connection, as far as the lobby knows it."""

    open: bool
    rooms: set[str]

    def send(self, message: ServerMessage) -> None: ...


class Usher:
    def __init__(self, referee: Referee, hub: Hub, here: Mapping[str, Sequence[Guest]]) -> None:
        """`here` are the connections of each player who is on this node."""
        self._referee = referee
        self._hub = hub
        self._here = here
        self._answering: dict[Guest, list[tuple[str, str]]] = {}
        self._showing: set[tuple[Guest, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @contextmanager
    def answering(self, guest: Guest) -> Iterator[None]:
        """What there is to show the guest meanwhile comes after the answer to its request."""
        self._answering[guest] = []
        try:
            yield
        finally:
            for player, room in self._answering.pop(guest):
                self.spawn(self._show(guest, player, room))

    def tell(self, player: str, room: str) -> None:
        for guest in self._here.get(player, ()):
            if room in guest.rooms or len(guest.rooms) >= MOST_ROOMS:
                continue  # it was shown, or is one too many
            if guest in self._answering:
                self._answering[guest].append((player, room))
            else:
                self.spawn(self._show(guest, player, room))

    async def tell_again(
        self, guest: Guest, player: str, pairing: str, followed: frozenset[str]
    ) -> None:
        """A guest asks again for what had led to this pairing, and may have missed that. Where it
        was shown the room since, as `followed` tells, that will do."""
        match = await self._referee.paired(pairing)
        if match and (match.room in followed or match.room not in guest.rooms):
            await self._show(guest, player, match.room)

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Have it done; what goes wrong is logged, and is due again."""
        task = asyncio.get_running_loop().create_task(_watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _show(self, guest: Guest, player: str, room: str) -> None:
        if (guest, room) in self._showing:
            return
        self._showing.add((guest, room))
        try:
            await self._lead(guest, player, room)
        finally:
            self._showing.discard((guest, room))

    async def _lead(self, guest: Guest, player: str, room: str) -> None:
        back_off = BackOff()
        while guest.open:
            try:
                seat = (await self._referee.load(room)).seat_of(player)
                snapshot = await self._hub.follow(guest, room, seat, None, UNSET)
            except Refused:
                return  # the room is gone already
            except NoAnswer:
                await asyncio.sleep(back_off.pause(0))
                continue
            assert isinstance(snapshot, Room)  # noqa: S101 - nothing was said of events
            guest.rooms.add(room)
            guest.send(Paired(room=room, snapshot=snapshot))
            if not guest.open:
                self._hub.unfollow(guest, room)
            return


async def _watched(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except NoAnswer as trouble:
        # Claimed for a while only: this node or another takes it up again.
        log.info("A pairing waits for the store.", why=str(trouble))
    except Exception as error:
        metrics.BACKGROUND_FAILURES.inc("pairing")
        log.exception("A pairing could not be carried out.", error)
