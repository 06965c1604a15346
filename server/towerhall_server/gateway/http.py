"""Plain HTTP on the same port, and who may open a websocket. Runs before the upgrade."""

import time
from http import HTTPStatus
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from towerhall_server import metrics
from towerhall_server.gateway.hall import Hall
from towerhall_server.gateway.limits import Address, files_but, limited_by, peer_address

WELCOME = "This is a towerhall. Clients connect by WebSocket at /ws.\n"
SPARE_FILES = 256
"""Left for the store, and for those who only ask how the node is."""
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


class Door:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def __call__(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request, or None: let it become a websocket."""
        path = request.path.partition("?")[0]
        match path:
            case "/ws":
                return self._refusal(connection, request)
            case "/":
                return _respond(HTTPStatus.OK, WELCOME)
            case "/healthz":
                return _respond(HTTPStatus.OK, "alive\n")
            case "/readyz":
                return self._ready()
            case "/metrics":
                return self._metrics(connection, request)
        return _respond(HTTPStatus.NOT_FOUND, "There is nothing here.\n")

    def address(self, connection: ServerConnection, request: Request) -> Address | None:
        peer = connection.remote_address
        connected = peer[0] if isinstance(peer, tuple) else ""
        forwarded = ",".join(request.headers.get_all("X-Forwarded-For")) or None
        return peer_address(connected, forwarded, self._hall.settings.trusted_proxy)

    def _ready(self) -> Response:
        return self._unready() or _respond(HTTPStatus.OK, "ready\n")

    def _unready(self) -> Response | None:
        """Why nobody can be served here just now."""
        if self._hall.draining:
            return _respond(HTTPStatus.SERVICE_UNAVAILABLE, "This part of the hall is closing.\n")
        if not self._hall.store.ready:
            return _respond(HTTPStatus.SERVICE_UNAVAILABLE, "The hall's store does not answer.\n")
        return None

    def _metrics(self, connection: ServerConnection, request: Request) -> Response:
        peer = connection.remote_address
        direct = not any(name in request.headers for name in FORWARDED)
        local = peer_address(peer[0], None, ()) if isinstance(peer, tuple) else None
        if self._hall.settings.metrics_open or (direct and local and local.is_loopback):
            return _respond(HTTPStatus.OK, metrics.exposition(), metrics.CONTENT_TYPE)
        return _respond(HTTPStatus.FORBIDDEN, "Metrics are for this machine alone.\n")

    def _refusal(self, connection: ServerConnection, request: Request) -> Response | None:
        if not self._origin_is_ours(request.headers):
            return _respond(HTTPStatus.FORBIDDEN, "This page may not connect to this hall.\n")
        if unready := self._unready():
            return unready
        connections_max = self._hall.settings.connections_max
        if len(self._hall.sessions) >= min(connections_max, files_but(SPARE_FILES)):
            return _respond(HTTPStatus.SERVICE_UNAVAILABLE, "The hall is full; try again.\n")
        address = self.address(connection, request)
        if address and not address.is_loopback:
            now = time.monotonic()
            if not self._hall.upgrades.of(limited_by(address), now).take(now):
                return _respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections; wait.\n")
        return None

    def _origin_is_ours(self, headers: Headers) -> bool:
        """A browser says which page connects; programs of other kinds say nothing."""
        origins = headers.get_all("Origin")
        if not origins:
            return True
        origin = origins[0].lower()
        hosts = headers.get_all("Host")
        same = len(hosts) == 1 and urlsplit(origin).netloc == hosts[0].lower()
        return len(origins) == 1 and (same or origin in self._hall.settings.origin)


def _respond(
    status: HTTPStatus, body: str | bytes, kind: str = "text/plain; charset=utf-8"
) -> Response:
    payload = body.encode() if isinstance(body, str) else body
    headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(payload)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        }
    )
    return Response(status.value, status.phrase, headers, payload)
