"""What the store keeps of a room."""

from typing import NamedTuple

from .connection import Reply


class Kept(NamedTuple):
    seq: int
    state: bytes
    """As it was stored last."""
    events: list[bytes]
    """Since then, in order: they make the state the one at `seq`."""


def kept_of(reply: Reply) -> Kept | None:
    """Of lua/load.lua."""
    return Kept(reply[0], reply[1], reply[2:]) if reply else None
