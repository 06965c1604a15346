"""A room's link as a QR code, for the phone of whoever sits across the table."""

import io
import time
from collections import OrderedDict
from collections.abc import Hashable
from http import HTTPStatus

import segno
from websockets.datastructures import Headers
from websockets.http11 import Response

from towerhall_protocol.text import read_code
from towerhall_server.gateway.limits import Address, Buckets, limited_by
from towerhall_server.gateway.page import is_host
from towerhall_server.gateway.responses import respond

DRAWN_PER_MINUTE = 30
"""For one address. Drawing one takes some milliseconds of everybody's time."""
KEPT = 256


class QrCodes:
    def __init__(self) -> None:
        self._drawn = Buckets(DRAWN_PER_MINUTE)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def respond(
        self, path: str, headers: Headers, scheme: str, hall: str, asker: Address | None
    ) -> Response:
        """`hall`: where others find it, if that is not where this visitor has."""
        code = read_code(path.removeprefix("/qr/").removesuffix(".svg"))
        hosts = headers.get_all("Host")
        if code is None or not path.endswith(".svg") or len(hosts) != 1 or not is_host(hosts[0]):
            return respond(HTTPStatus.NOT_FOUND, "There is nothing here.\n")
        link = f"{hall or f'{scheme}://{hosts[0]}'}/r/{code}"
        picture = self._picture(link, limited_by(asker) if asker else None)
        if picture is None:
            return respond(HTTPStatus.TOO_MANY_REQUESTS, "Too many pictures; wait a little.\n")
        cached = {"Cache-Control": "private, max-age=3600"}
        return respond(HTTPStatus.OK, picture, "image/svg+xml", cached)

    def _picture(self, link: str, asker: Hashable) -> bytes | None:
        if link not in self._kept:
            now = time.monotonic()
            if not self._drawn.of(asker, now).take(now):
                return None
            self._kept[link] = _draw(link)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(link)
        return self._kept[link]


def _draw(link: str) -> bytes:
    drawing = io.BytesIO()
    code = segno.make_qr(link, error="m")
    code.save(drawing, kind="svg", border=3, light="#fff", xmldecl=False, omitsize=True)
    return drawing.getvalue()
