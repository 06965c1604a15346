"""Where a hall is: what a person types, taken apart.

`host`, `host:port`, `http://…`, `https://…`, `ws://…` and `wss://…` all name a server. A link to a
room, `http://host:7777/r/K7Q-2MX`, names the room as well.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from towerhall_client.exits import Usage
from towerhall_protocol.limits import DEFAULT_PORT
from towerhall_protocol.text import read_code

_SCHEMES = {"http": False, "ws": False, "https": True, "wss": True}
_ROOM = re.compile(r"(?P<before>.*)/(?:r|watch)/(?P<code>[^/]+)/?")
_SCHEME = re.compile(r"[a-z]+://", re.IGNORECASE)


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    secure: bool = False
    path: str = ""
    """Where the hall is behind a proxy that serves other things too: "/hall"."""

    @property
    def websocket(self) -> str:
        return f"{'wss' if self.secure else 'ws'}://{self.place}{self.path}/ws"

    @property
    def link(self) -> str:
        return f"{'https' if self.secure else 'http'}://{self.place}{self.path}"

    @property
    def place(self) -> str:
        """As people write it: the port is left out where everybody knows it."""
        usual = self.port == (443 if self.secure else 80)
        return self._host if usual else f"{self._host}:{self.port}"

    @property
    def server(self) -> str:
        """What to give `--server` to come here again, in the shortest form."""
        if self.secure or self.path or self.port == 80:
            return self.link
        return self._host if self.port == DEFAULT_PORT else f"{self._host}:{self.port}"

    @property
    def key(self) -> str:
        """A name for this hall that is fit for a file."""
        return re.sub(r"[^A-Za-z0-9.-]+", "_", f"{self.host}_{self.port}{self.path}")

    @property
    def _host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def read_servers(texts: Iterable[str]) -> tuple[Address, ...]:
    """Several may be given, one by one or with commas between: the nodes of one hall."""
    words = [word.strip() for text in texts for word in text.split(",")]
    addresses = tuple(dict.fromkeys(read_address(word) for word in words if word))
    if not addresses:
        raise Usage("No hall is named: --server takes host, host:port or a URL.")
    return addresses


def read_address(text: str) -> Address:
    bare = not _SCHEME.match(text)
    try:
        parts = urlsplit(f"ws://{text}" if bare else text)
        port = parts.port
    except ValueError:
        raise Usage(f"{text} is not an address: write host or host:port.") from None
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.username is not None:
        raise Usage(f"{text} is not an address: write host, host:port or http://host:port.")
    secure = _SCHEMES[parts.scheme]
    if port is None:
        port = DEFAULT_PORT if bare else 443 if secure else 80
    path = parts.path.rstrip("/").removesuffix("/ws")
    return Address(parts.hostname, port, secure, path)


def read_room(text: str) -> tuple[Address | None, str]:
    """The server, where the text is a link, and the code or id of the room."""
    if not _SCHEME.match(text):
        return None, text
    found = _ROOM.fullmatch(text)
    if not found:
        raise Usage(f"{text} is not a link to a room: those end in /r/ and a code.")
    return read_address(found["before"]), found["code"]


def is_room(text: str) -> bool:
    """Whether a word names a room rather than a game: a code, a link, or an id."""
    return bool(read_code(text) or _SCHEME.match(text) or len(text) >= 16)
