"""A connection until its one request is answered, whatever else a visitor sends with it.

websockets reads what follows a request as frames, before anybody knows whether it becomes a
websocket, and has no answer for a request that it cannot read. Here the rest waits, and everybody
who asked is answered.
"""

from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage

from towerhall_server.gateway.responses import respond

HEAD_ENDS = b"\r\n\r\n"
MOST_EARLY = 131_072
UNREADABLE = respond(
    HTTPStatus.BAD_REQUEST,
    "This cannot be read here: send a GET of HTTP/1.1, without a body.\n",
)


class Opening(ServerConnection):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head: bytes | None = b""
        """The last bytes of the request so far; None when it is whole."""
        self._early = bytearray()
        self._upgraded = False
        self._refused = False
        self._peer_is_done = False

    def upgraded(self) -> None:
        """It has become a websocket: frames that came too early are read now."""
        self._upgraded = True
        early, self._early = bytes(self._early), bytearray()
        if early:
            self.data_received(early)

    def data_received(self, data: bytes) -> None:
        if not self._upgraded:
            data = self._of_the_request(data)
        if data:
            super().data_received(data)

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Who has nothing more to say may still wait for the answer."""
        waits = self.request is not None and not self._upgraded and not self.protocol.eof_sent
        if not waits:
            super().eof_received()
            return None
        self._peer_is_done = True
        return True

    def send_data(self) -> None:
        trouble = self.protocol.handshake_exc
        if isinstance(trouble, InvalidMessage) and not self._refused:
            self._refused = True
            if not self.protocol.reader.eof:
                self.transport.write(UNREADABLE.serialize())
        super().send_data()
        if self._peer_is_done and self.protocol.eof_sent:
            self.transport.close()

    def _of_the_request(self, data: bytes) -> bytes:
        """What of it belongs to the request. The rest waits until that has become a websocket."""
        if self._head is not None:
            seen = self._head + data
            end = seen.find(HEAD_ENDS) + len(HEAD_ENDS)
            if end < len(HEAD_ENDS):
                self._head = seen[1 - len(HEAD_ENDS) :]
                return data
            ours = end - len(self._head)
            self._head = None
            self._early += data[ours:]
            return data[:ours]
        if self.protocol.eof_sent:
            # It has its answer.
            self._early.clear()
        elif len(self._early) < MOST_EARLY:
            self._early += data
        else:
            self.transport.abort()
        return b""
