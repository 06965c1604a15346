"""Every setting of the server, in one table: the fields of `Settings`.

A field `drain_seconds` is the flag `--drain-seconds`, the variable `TOWERHALL_DRAIN_SECONDS` and
the key `drain_seconds` of the TOML file, in that order of precedence. How they are looked up is
in `settings_sources.py`; what a value may be is in `settings_values.py`.
"""

import dataclasses
import json
import math
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from towerhall_protocol.limits import CONNECTIONS_PER_PLAYER, DEFAULT_PORT, FRAME_LIMIT

from .lifetimes import DAY_MS, HOUR_MS, Lifetimes
from .settings_sources import Setting, SettingsError, gather, read
from .settings_values import (
    Network,
    Reader,
    choice,
    directory,
    network,
    node_name,
    origin,
    rate,
    store_url,
    text,
    web_url,
    whole,
    yes_or_no,
)

__all__ = ["SETTINGS", "Settings", "SettingsError", "load"]


def _setting(read: Reader, default: Any, help: str, *, many: bool = False, shown: str = "") -> Any:  # noqa: A002 - what argparse calls it
    # A setting that may hold a password stays out of every repr.
    secret = read is store_url
    about = {"read": read, "help": help, "many": many, "shown": shown}
    if callable(default):
        return dataclasses.field(default_factory=default, metadata=about, repr=not secret)
    return dataclasses.field(default=default, metadata=about, repr=not secret)


def _user_data() -> Path:
    return user_data_path("towerhall", appauthor=False)


@dataclass(frozen=True, kw_only=True)
class Settings:
    host: str = _setting(
        text, "", "address to listen on; empty: all addresses of this machine", shown="all"
    )
    port: int = _setting(whole(0, 65535), DEFAULT_PORT, "TCP port; 0: any that is free")
    redis: str | None = _setting(
        store_url,
        None,
        "URL of a Redis or Valkey to keep the games in; none: an embedded one",
        shown="embedded",
    )
    data: Path = _setting(  # noqa: RUF009 - it makes a field, as field() does
        directory,
        _user_data,
        "directory of the embedded store",
        shown="the user's data directory",
    )
    workers: int = _setting(whole(1, 256), 1, "processes that serve, one per core at most")
    public_url: str | None = _setting(
        web_url, None, "what invitations show, when the hall is behind a proxy", shown="none"
    )
    origin: tuple[str, ...] = _setting(
        origin, (), "another web origin whose pages may connect", many=True, shown="none"
    )
    trusted_proxy: tuple[Network, ...] = _setting(
        network, (), "address or network whose X-Forwarded-For counts", many=True, shown="none"
    )
    metrics_open: bool = _setting(yes_or_no, False, "answer /metrics to anybody, not only loopback")
    log_level: str = _setting(
        choice("debug", "info", "warning", "error"), "info", "debug, info, warning or error"
    )
    log_format: str = _setting(choice("text", "json"), "text", "text, or json: one object a line")
    frames_max: int = _setting(whole(512, FRAME_LIMIT), FRAME_LIMIT, "bytes in a frame of a client")
    requests_per_second: float = _setting(rate, 10.0, "requests a connection may send, sustained")
    requests_burst: int = _setting(whole(1, 10_000), 30, "requests a connection may send at once")
    chat_per_second: float = _setting(rate, 1.0, "chat lines a connection may send")
    upgrades_per_minute: float = _setting(rate, 20.0, "new connections of one address")
    rooms_per_minute: float = _setting(rate, 30.0, "new rooms and seeks of one address")
    connections_per_player: int = _setting(
        whole(1, 1000),
        CONNECTIONS_PER_PLAYER,
        "connections of one player; the oldest yields",
    )
    rooms_per_connection: int = _setting(whole(1, 1000), 20, "rooms one connection may watch")
    watcher_queue: int = _setting(
        whole(4096, 1 << 26), 65_536, "bytes waiting for a watcher before events are left out"
    )
    player_queue: int = _setting(
        whole(4096, 1 << 26), 262_144, "bytes waiting for a player before the connection is cut"
    )
    connections_max: int = _setting(whole(1, 1_000_000), 20_000, "connections of one process")
    drain_seconds: float = _setting(
        rate, 8.0, "time that connections have to leave when the server is told to stop"
    )
    keep_open_hours: float = _setting(rate, 1.0, "hours that an open room waits for a player")
    keep_idle_days: float = _setting(
        rate, 7.0, "days until an untimed game in which nobody moves ends"
    )
    keep_records_days: float = _setting(
        rate, 30.0, "days that a room whose match is over is kept, with its records"
    )
    keep_guests_days: float = _setting(
        rate, 1.0, "days until a player who never sat down is forgotten"
    )
    keep_players_days: float = _setting(
        rate, 365.0, "days without a visit until any other player is forgotten"
    )
    node: str = _setting(
        node_name, "", "name of this node in logs and in the store", shown="host, pid, random"
    )

    @property
    def lifetimes(self) -> Lifetimes:
        return Lifetimes(
            open_ms=math.ceil(self.keep_open_hours * HOUR_MS),
            idle_ms=math.ceil(self.keep_idle_days * DAY_MS),
            record_ms=math.ceil(self.keep_records_days * DAY_MS),
            guest_ms=math.ceil(self.keep_guests_days * DAY_MS),
            player_ms=math.ceil(self.keep_players_days * DAY_MS),
        )

    def to_json(self) -> str:
        """For a worker: everything as the TOML file would have it."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return json.dumps(given, default=str)

    @classmethod
    def from_json(cls, line: str | bytes) -> "Settings":
        values = json.loads(line)
        return cls(
            **{s.name: read(s, values[s.name], "json") for s in SETTINGS if s.name in values}
        )

    def named(self) -> "Settings":
        """With the name of this process's node: no two processes of a hall may share one."""
        own = self.node or socket.gethostname()[:40]
        return dataclasses.replace(self, node=f"{own}-{os.getpid()}-{secrets.token_hex(3)}")


SETTINGS = tuple(Setting.of(field) for field in dataclasses.fields(Settings))


def load(argv: Sequence[str], environ: Mapping[str, str]) -> Settings:
    """The settings that flags, variables and the file make together, or SettingsError."""
    return Settings(**gather(SETTINGS, argv, environ))
