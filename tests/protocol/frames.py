"""Frames as a websocket gives them, of our encoder and of others'."""

import json
from typing import Any

import msgpack
from msgspec import Struct
from msgspec import json as msgspec_json

from towerhall_protocol import Codec, Request, ServerMessage

Frame = bytes | str


def frame_of(wire: Codec, message: Request | ServerMessage) -> Frame:
    """What a websocket's recv() gives for a message that the other side sent."""
    payload = wire.encode(message)
    return payload.decode() if wire.text else payload


def plain_of(message: Struct) -> Any:
    """The message as the standard library reads it."""
    return json.loads(msgspec_json.encode(message))


def packed(wire: Codec, plain: Any) -> Frame:
    """A frame written by somebody else's encoder."""
    return json.dumps(plain) if wire.text else bytes(msgpack.packb(plain))


def map_of(*pairs: tuple[Any, Any]) -> bytes:
    """A msgpack map that may have what a dict cannot: keys twice, keys of any kind."""
    head = b"\xde" + len(pairs).to_bytes(2)
    return head + b"".join(msgpack.packb(part) for pair in pairs for part in pair)
