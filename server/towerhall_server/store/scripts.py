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


def _script(name: str) -> Script:
    # Lua in the store has no modules: what all scripts begin with is put before each of them.
    body = _read("hall") + _read(name)
    return Script(name, body, hashlib.sha1(body.encode(), usedforsecurity=False).hexdigest())


COMMIT = _script("commit")
PULSE = _script("pulse")
PRESENCE = _script("presence")

ALL = (COMMIT, PULSE, PRESENCE)
