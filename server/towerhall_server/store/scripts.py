"""The Lua scripts, as the store knows them."""

import hashlib
from importlib import resources
from typing import NamedTuple


class Script(NamedTuple):
    name: str
    body: str
    sha: str


def _read(name: str) -> str:
    return resources.files(__package__).joinpath("lua", f"{name}.lua").read_text("utf-8")


def _script(name: str, *parts: str) -> Script:
    # Lua in the store has no modules: what scripts begin with is put before each of them.
    body = "".join(map(_read, (*parts, name)))
    return Script(name, body, hashlib.sha1(body.encode(), usedforsecurity=False).hexdigest())


COMMIT = _script("commit", "hall")
LOAD = _script("load")
PULSE = _script("pulse", "hall")
PRESENCE = _script("presence", "hall")
RATE = _script("rate")
PAST = _script("past")
SIT = _script("sit")
STAND = _script("stand")
SEEK = _script("seek", "hall", "waiting", "partner")
UNSEEK = _script("unseek", "hall", "waiting")
RENEW = _script("renew", "hall", "waiting")
SETTLE = _script("settle", "hall", "waiting")
ENTER = _script("enter", "hall", "waiting")

ALL = (COMMIT, LOAD, PULSE, PRESENCE, RATE, PAST, SIT, STAND, SEEK, UNSEEK, RENEW, SETTLE, ENTER)
