"""Where a store is: redis://, rediss:// and unix:// URLs."""

import asyncio
import ssl
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from redis.asyncio.connection import SSLConnection, parse_url

P = TypeVar("P", bound=asyncio.Protocol)


class Address(NamedTuple):
    url: str
    shown: str
    """The URL as people may see it: without its password."""
    host: str
    port: int
    path: str | None
    """The unix socket, if it is one."""
    tls: ssl.SSLContext | None
    greeting: tuple[tuple[str, ...], ...]
    """The commands a connection begins with."""


def read_address(url: str) -> Address:
    """Raises ValueError, without the password in it, for what is no store's URL."""
    parts = dict[str, Any](parse_url(url))
    return Address(
        url=url,
        shown=_without_password(url),
        host=parts.get("host", "localhost"),
        port=parts.get("port", 6379),
        path=parts.get("path"),
        tls=_tls(parts),
        greeting=tuple(_greeting(parts)),
    )


async def connect(address: Address, protocol: Callable[[], P]) -> P:
    loop = asyncio.get_running_loop()
    if address.path is not None:
        return (await loop.create_unix_connection(protocol, address.path))[1]
    made = await loop.create_connection(protocol, address.host, address.port, ssl=address.tls)
    return made[1]


def _tls(parts: dict[str, Any]) -> ssl.SSLContext | None:
    if parts.get("connection_class") is not SSLConnection:
        return None
    # The URL's ssl_ options are redis-py's: it makes the context it would use itself.
    options = {name: value for name, value in parts.items() if name.startswith("ssl_")}
    return SSLConnection(**options).ssl_context.get()


def _greeting(parts: dict[str, Any]) -> list[tuple[str, ...]]:
    commands: list[tuple[str, ...]] = []
    if password := parts.get("password"):
        user = parts.get("username")
        commands.append(("AUTH", user, password) if user else ("AUTH", password))
    if db := parts.get("db"):
        commands.append(("SELECT", str(db)))
    return commands


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    at = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    query = "" if "password" in parts.query else parts.query
    return f"{parts.scheme}://{user}{at}{parts.path}{'?' if query else ''}{query}"
