"""The page: package data of the client, read once, named by its hash, compressed in advance.

All files but the two documents lie under `/assets/HASH/`, where HASH changes when any of them does,
so that a browser keeps them for good and modules import each other by plain relative names.
"""

import gzip
import hashlib
import html
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files

import msgspec
from websockets.datastructures import Headers
from websockets.http11 import Response

from towerhall_protocol.text import read_code
from towerhall_server.gateway.responses import not_modified, respond
from towerhall_server.wire import GAME_INFOS

KEPT = "public, max-age=31536000, immutable"
ASKED_AGAIN = "no-cache"
WORTH_COMPRESSING = 256
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        # Older Safari does not count a websocket of the same host as 'self'.
        "connect-src 'self' {sockets}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


@dataclass(frozen=True)
class File:
    kind: str
    plain: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> "File":
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if name.endswith(".js"):
            kind = "text/javascript"
        if kind != "image/svg+xml":
            kind += "; charset=utf-8"
        packed = gzip.compress(content, 9, mtime=0)
        return cls(kind, content, packed, f'"{_hash([content])}"')


class Page:
    def __init__(self) -> None:
        web = files("towerhall_client") / "web"
        contents = {
            entry.name: entry.read_bytes()
            for entry in sorted(web.iterdir(), key=lambda entry: entry.name)
        }
        documents = ("index.html", "lost.html")
        assets = {name: content for name, content in contents.items() if name not in documents}
        self.base = f"/assets/{_hash(assets.values())}"
        self._assets = {name: File.of(name, content) for name, content in assets.items()}
        self._index = self._document("index.html", contents)
        self._indexes: dict[str, File] = {}
        self._lost = self._document("lost.html", contents)

    def respond(self, path: str, headers: Headers, hall: str) -> Response:
        """The answer to any path that is nobody else's.

        `hall`: where others find it, if that is not where this visitor has.
        """
        if _is_page(path):
            index = self._index_of(hall)
            caching = {"Cache-Control": ASKED_AGAIN, "ETag": index.tag}
            return _send(HTTPStatus.OK, index, headers, caching)
        name = "icon.svg" if path == "/favicon.ico" else path.rpartition("/")[2]
        asset = self._assets.get(name)
        if asset and path == f"{self.base}/{name}":
            return _send(HTTPStatus.OK, asset, headers, {"Cache-Control": KEPT})
        if asset and (path.startswith("/assets/") or path == "/favicon.ico"):
            # The page is of another version, as while one node after the other is replaced.
            caching = {"Cache-Control": ASKED_AGAIN, "ETag": asset.tag}
            return _send(HTTPStatus.OK, asset, headers, caching)
        return _send(HTTPStatus.NOT_FOUND, self._lost, headers, {"Cache-Control": "no-store"})

    def _index_of(self, hall: str) -> File:
        if hall not in self._indexes:
            named = self._index.plain.replace(b"{{hall}}", html.escape(hall).encode())
            self._indexes[hall] = File.of("index.html", named)
        return self._indexes[hall]

    def _document(self, name: str, contents: Mapping[str, bytes]) -> File:
        """With the assets' address, and the games, so that it is drawn before any socket opens."""
        games = msgspec.json.encode(GAME_INFOS).replace(b"<", b"\\u003c")
        modules = [asset for asset in self._assets if asset.endswith(".js")]
        preloads = "\n".join(
            f'<link rel="modulepreload" href="{self.base}/{module}">' for module in modules
        )
        document = contents[name].replace(b"{{assets}}", self.base.encode())
        document = document.replace(b"{{preloads}}", preloads.encode())
        return File.of(name, document.replace(b"{{games}}", games))


def _is_page(path: str) -> bool:
    if path in ("/", "/tv"):
        return True
    _, section, code = path.split("/", 2) if path.count("/") == 2 else ("", "", "")
    return section in ("r", "watch") and read_code(code) is not None


def _send(status: HTTPStatus, file: File, asked: Headers, caching: Mapping[str, str]) -> Response:
    headers = {
        **caching,
        "Content-Security-Policy": _policy(asked),
        "Referrer-Policy": "no-referrer",
        "Vary": "Accept-Encoding",
    }
    if "ETag" in caching and caching["ETag"] in _tags(asked):
        return not_modified(headers)
    if len(file.plain) >= WORTH_COMPRESSING and _takes_gzip(asked):
        return respond(status, file.packed, file.kind, {**headers, "Content-Encoding": "gzip"})
    return respond(status, file.plain, file.kind, headers)


def _policy(asked: Headers) -> str:
    hosts = asked.get_all("Host")
    host = hosts[0] if len(hosts) == 1 and is_host(hosts[0]) else ""
    return POLICY.format(sockets=f"ws://{host} wss://{host}" if host else "").replace(" ;", ";")


def is_host(text: str) -> bool:
    """Whether it is safe to repeat: a name or an address, and a port."""
    return 0 < len(text) <= 255 and all(c.isascii() and (c.isalnum() or c in ".-:[]") for c in text)


def _takes_gzip(asked: Headers) -> bool:
    offers = ",".join(asked.get_all("Accept-Encoding")).replace(" ", "").lower().split(",")
    weights = {name: weight for name, _, weight in (offer.partition(";q=") for offer in offers)}
    return weights.get("gzip", "0").strip("0.") != "" or weights.get("gzip") == ""


def _tags(asked: Headers) -> list[str]:
    # A proxy that compresses makes a tag weak; it still names the same content.
    named = ",".join(asked.get_all("If-None-Match")).split(",")
    return [tag.strip().removeprefix("W/") for tag in named]


def _hash(contents: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for content in contents:
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]
