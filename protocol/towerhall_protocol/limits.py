"""The bounds of the wire: the numbers that a client and a server must agree on."""

from typing import Annotated

from msgspec import Meta

FRAME_LIMIT = 4096
"""Bytes in a client's frame. The server's own frames may be longer."""

MAX_WHOLE = 2**53 - 1
"""The largest whole number that is exact in every language, doubles included."""

TOKEN_BITS = 256
HELLO_WITHIN_MS = 5_000
KEY_KEPT_MS = 600_000
CONNECTIONS_PER_PLAYER = 5
EVENTS_KEPT = 1_000
BAD_FRAMES_ALLOWED = 2
"""Bad frames a connection may send and live: one more closes it."""

DEFAULT_PORT = 7777
DEFAULT_PRESET = "classic"
DEFAULT_INITIAL_MS = 180_000
DEFAULT_INCREMENT_MS = 2_000
DEFAULT_ROUNDS = 1
DEFAULT_SEEK_ROUNDS = 2

Whole = Annotated[int, Meta(ge=-MAX_WHOLE, le=MAX_WHOLE)]
Count = Annotated[int, Meta(ge=0, le=MAX_WHOLE)]
Ordinal = Annotated[int, Meta(ge=1, le=MAX_WHOLE)]
RequestId = Ordinal
SeatNumber = Annotated[int, Meta(ge=0, le=1)]

Label = Annotated[str, Meta(max_length=64)]
"""A name that the server looks up: a room, a game, a preset."""

Key = Annotated[str, Meta(min_length=1, max_length=64)]
Epoch = Annotated[str, Meta(max_length=128)]
ChatText = Annotated[str, Meta(min_length=1, max_length=200)]
InitialMs = Annotated[int, Meta(ge=1_000, le=10_800_000)]
IncrementMs = Annotated[int, Meta(ge=0, le=60_000)]
Rounds = Annotated[int, Meta(ge=1, le=16)]

OptionName = Annotated[str, Meta(max_length=32)]
OptionsAsked = Annotated[dict[OptionName, bool | Whole], Meta(max_length=16)]
MovesRead = Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=512)]
