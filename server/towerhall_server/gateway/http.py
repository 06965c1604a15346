"""Plain HTTP on the same port, and who may open a websocket. Runs before the upgrade."""

import re
import time
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from towerhall_server import metrics
from towerhall_server.gateway.hall import Hall
from towerhall_server.gateway.limits import Address, files_but, limited_by, peer_address
from towerhall_server.gateway.page import Page
from towerhall_server.gateway.qr_codes import QrCodes
from towerhall_server.gateway.responses import respond, without_body
from towerhall_server.listening import EVERYWHERE, is_local, link

METHODS = ("GET", "HEAD")
SPARE_FILES = 256
"""Left for the store, and for those who only ask how the node is."""
FORWARDED = ("forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip")


class Door:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._page = Page()
        self._qr_codes = QrCodes()

    def __call__(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request, or None: let it become a websocket."""
        path = request.path.partition("?")[0]
        if path == "/ws":
            return self._refusal(connection, request)
        if request.method not in METHODS:
            allow = {"Allow": ", ".join(METHODS), "Cache-Control": "no-store"}
            sentence = "This address can only be read.\n"
            return respond(HTTPStatus.METHOD_NOT_ALLOWED, sentence, headers=allow)
        response = self._read(connection, request, path)
        return without_body(response) if request.method == "HEAD" else response

    def _read(self, connection: ServerConnection, request: Request, path: str) -> Response:
        match path:
            case "/healthz":
                return respond(HTTPStatus.OK, "alive\n")
            case "/readyz":
                return self._ready()
            case "/metrics":
                return self._metrics(connection, request)
        if path.startswith("/qr/"):
            asker, scheme = self.address(connection, request), self._scheme(connection, request)
            hall = self._address_for_others(connection, request)
            return self._qr_codes.respond(path, request.headers, scheme, hall, asker)
        return self._page.respond(
            path, request.headers, self._address_for_others(connection, request)
        )

    def _address_for_others(self, connection: ServerConnection, request: Request) -> str:
        """What a link to this hall begins with; empty: as this visitor has found it.

        Whoever opens the page on the hall's own machine, as localhost, still invites others.
        """
        settings, peer = self._hall.settings, self.address(connection, request)
        if settings.public_url:
            return settings.public_url
        hosts = [re.sub(r":\d+$", "", host) for host in request.headers.get_all("Host")]
        here = peer and peer.is_loopback and all(is_local(host.strip("[]")) for host in hosts)
        if not here or settings.host not in EVERYWHERE:
            return ""
        return link(settings.host, connection.local_address[1])

    def address(self, connection: ServerConnection, request: Request) -> Address | None:
        peer = connection.remote_address
        connected = peer[0] if isinstance(peer, tuple) else ""
        forwarded = ",".join(request.headers.get_all("X-Forwarded-For")) or None
        return peer_address(connected, forwarded, self._hall.settings.trusted_proxy)

    def _scheme(self, connection: ServerConnection, request: Request) -> str:
        """What the browser speaks: the hall itself speaks plain HTTP, a proxy before it may not."""
        forwarded = request.headers.get_all("X-Forwarded-Proto")
        return "https" if self.is_proxied(connection) and forwarded == ["https"] else "http"

    def is_proxied(self, connection: ServerConnection) -> bool:
        """Whether a trusted proxy is at the other end."""
        peer = connection.remote_address
        connected = peer_address(peer[0], None, ()) if isinstance(peer, tuple) else None
        trusted = self._hall.settings.trusted_proxy
        return connected is not None and any(connected in net for net in trusted)

    def _ready(self) -> Response:
        return self._unready() or respond(HTTPStatus.OK, "ready\n")

    def _unready(self) -> Response | None:
        """Why nobody can be served here just now."""
        if self._hall.draining:
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, "This part of the hall is closing.\n")
        if not self._hall.store.ready:
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, "The hall's store does not answer.\n")
        return None

    def _metrics(self, connection: ServerConnection, request: Request) -> Response:
        peer = connection.remote_address
        names = [name.lower() for name, _ in request.headers.raw_items()]
        direct = not any(n in FORWARDED or n.startswith("x-forwarded") for n in names)
        local = peer_address(peer[0], None, ()) if isinstance(peer, tuple) else None
        if self._hall.settings.metrics_open or (direct and local and local.is_loopback):
            return respond(HTTPStatus.OK, metrics.exposition(), metrics.CONTENT_TYPE)
        return respond(HTTPStatus.FORBIDDEN, "Metrics are for this machine alone.\n")

    def _refusal(self, connection: ServerConnection, request: Request) -> Response | None:
        if not self._origin_is_ours(request.headers):
            return respond(HTTPStatus.FORBIDDEN, "This page may not connect to this hall.\n")
        if unready := self._unready():
            return unready
        connections_max = self._hall.settings.connections_max
        if len(self._hall.sessions) >= min(connections_max, files_but(SPARE_FILES)):
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, "The hall is full; try again.\n")
        address = self.address(connection, request)
        if address and not address.is_loopback:
            now = time.monotonic()
            if not self._hall.upgrades.of(limited_by(address), now).take(now):
                return respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections; wait.\n")
        return None

    def _origin_is_ours(self, headers: Headers) -> bool:
        """A browser says which page connects; programs of other kinds say nothing."""
        origins = headers.get_all("Origin")
        if not origins:
            return True
        origin = origins[0].lower()
        hosts = headers.get_all("Host")
        ours = [f"{scheme}://{hosts[0].lower()}" for scheme in ("http", "https") if len(hosts) == 1]
        return len(origins) == 1 and origin in (*ours, *self._hall.settings.origin)
