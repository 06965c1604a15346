"""What the value of a setting may be: one reader per kind.

A reader takes the text of a flag or a variable, or a value of the TOML file, and returns the
value, or raises ValueError with the end of a sentence that begins with the setting's name.
"""

import math
import re
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Reader = Callable[[object], Any]
Network = IPv4Network | IPv6Network

_NODE = re.compile(r"[A-Za-z0-9._-]{0,64}")
_YES, _NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def text(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError("must be a text of one line")
    return value.strip()


def whole(low: int, high: int) -> Reader:
    def read(value: object) -> int:
        wanted = ValueError(f"must be a whole number from {low} to {high}")
        if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,12}\s*", value):
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise wanted
        return value

    return read


def rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be a number above 0")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 < number <= 1e6:
        raise ValueError("must be a number above 0, and 1,000,000 at most")
    return number


def yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _YES | _NO:
        raise ValueError("must be true or false")
    return word in _YES


def choice(*names: str) -> Reader:
    def read(value: object) -> str:
        if text(value).lower() not in names:
            raise ValueError(f"must be {', '.join(names[:-1])} or {names[-1]}")
        return text(value).lower()

    return read


def directory(value: object) -> Path:
    if not text(value):
        raise ValueError("must name a directory")
    # Absolute from here on: the store is started with another working directory.
    return Path(text(value)).expanduser().absolute()


def network(value: object) -> Network:
    try:
        return ip_network(text(value))
    except ValueError:
        raise ValueError("must be an address or a network, like 10.0.0.7 or 10.0.0.0/24") from None


def store_url(value: object) -> str | None:
    url = text(value)
    if not url:
        return None
    if urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
        # The value itself may hold a password: it is not repeated.
        raise ValueError("must be a URL that begins with redis://, rediss:// or unix://")
    return url


def web_url(value: object) -> str | None:
    url = text(value).rstrip("/")
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be a URL like https://hall.example.org")
    return url


def origin(value: object) -> str:
    url = web_url(value)
    if not url or urlsplit(url).path or urlsplit(url).query:
        raise ValueError("must be an origin like https://hall.example.org, without a path")
    return url.lower()


def node_name(value: object) -> str:
    if not isinstance(value, str) or not _NODE.fullmatch(value):
        raise ValueError("must be up to 64 letters, digits, dots, dashes and underscores")
    return value
