"""Takes connections, looks after them, and lets them go when the node drains."""

import asyncio
import socket as sockets
import time
from collections.abc import Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from towerhall_protocol.codec import CODECS, MSGPACK
from towerhall_protocol.errors import CloseCode
from towerhall_server import metrics
from towerhall_server.gateway.answers import answer, hurry
from towerhall_server.gateway.hall import Hall
from towerhall_server.gateway.http import Door
from towerhall_server.gateway.limits import limited_by
from towerhall_server.gateway.session import Session
from towerhall_server.gateway.socket import Socket
from towerhall_server.listening import BACKLOG

HANDSHAKE_S = 5.0
ACCEPTED_AT_ONCE = 16
LOOK_AFTER_S = 0.5
CUT_OFF_S = 10.0
"""Without its store for so long, a node sends its guests elsewhere."""
PARTS = 20
"""Into how many turns of the loop one round of looking after everybody is spread."""


class Listener:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._door = Door(hall)
        self._server: Server | None = None
        self._ready_at = time.monotonic()

    async def open(self, listening: sockets.socket) -> None:
        self._server = await serve(
            self._converse,
            sock=listening,
            create_connection=Socket,
            process_request=self._door,
            subprotocols=[Subprotocol(name) for name in CODECS],
            select_subprotocol=_select,
            compression=None,
            server_header=None,
            max_size=self._hall.settings.frames_max,
            open_timeout=HANDSHAKE_S,
            ping_interval=None,
            close_timeout=2,
            backlog=ACCEPTED_AT_ONCE,
        )
        # To asyncio the backlog is also how many it accepts before anybody else has a turn.
        listening.listen(BACKLOG)

    async def look_after(self) -> None:
        """Ping, beat, cut: one round over all connections, then a pause."""
        while True:
            await asyncio.sleep(LOOK_AFTER_S)
            sessions = list(self._hall.sessions)
            some = max(100, len(sessions) // PARTS)
            for start in range(0, len(sessions), some):
                now = time.monotonic()
                for session in sessions[start : start + some]:
                    session.look_after(now)
                await asyncio.sleep(0)
            self._hall.hub.catch_up()
            self._send_away_if_cut_off(time.monotonic())
            metrics.CONNECTIONS.set(len(self._hall.sessions))
            metrics.ROOMS_FOLLOWED.set(self._hall.hub.rooms)
            metrics.STORE_READY.set(self._hall.store.ready)

    async def drain(self) -> None:
        """Take nobody any more, send everybody elsewhere, cut whoever does not go."""
        self._hall.draining = True
        if self._server:
            self._server.close(close_connections=False)
        for session in list(self._hall.sessions):
            session.send_elsewhere()
        closed = [session.socket.wait_closed() for session in self._hall.sessions]
        try:
            async with asyncio.timeout(self._hall.settings.drain_seconds):
                await asyncio.gather(*closed)
        except TimeoutError:
            for session in list(self._hall.sessions):
                session.socket.cut()

    def _send_away_if_cut_off(self, now: float) -> None:
        """Guests stay through a short outage, watching and told `unavailable`; in a long one
        another node may be better off."""
        if self._hall.store.ready:
            self._ready_at = now
        elif now - self._ready_at > CUT_OFF_S:
            for session in list(self._hall.sessions):
                session.close(CloseCode.UNAVAILABLE, "this part of the hall has lost its store")

    async def _converse(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Socket)  # noqa: S101 - made by create_connection
        assert connection.request is not None  # noqa: S101 - the handshake is done
        codec = CODECS.get(connection.subprotocol or "", MSGPACK)
        address = self._door.address(connection, connection.request)
        counted = limited_by(address) if address else None
        connection.proxied = self._door.is_proxied(connection)
        session = Session(self._hall, connection, codec, counted, answer, hurry)
        self._hall.sessions.add(session)
        connection.converse(session)
        if self._hall.draining:
            session.send_elsewhere()
        await connection.wait_closed()
        session.lost()


def _select(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first that both speak; a client that offers none gets msgpack without a name."""
    return next((name for name in offered if name in CODECS), None)
