"""A message as the bytes of a websocket frame, made once for everybody who gets it.

A server's frames are not masked, so the same bytes go to every connection of an encoding.
"""

from collections.abc import Callable

from towerhall_protocol.codec import Codec
from towerhall_protocol.replies import ServerMessage

_FIN = 0x80
_TEXT = 0x1
_BINARY = 0x2


def framed(payload: bytes, *, text: bool) -> bytes:
    first = _FIN | (_TEXT if text else _BINARY)
    size = len(payload)
    if size < 126:
        return b"%c%c%b" % (first, size, payload)
    if size < 65_536:
        return b"%c\x7e%b%b" % (first, size.to_bytes(2, "big"), payload)
    return b"%c\x7f%b%b" % (first, size.to_bytes(8, "big"), payload)


def frame(codec: Codec, message: ServerMessage) -> bytes:
    return framed(codec.encode(message), text=codec.text)


class Frames:
    """One message in each encoding, made when the first receiver needs it."""

    def __init__(self, encode: Callable[[Codec], bytes]) -> None:
        self._encode = encode
        self._made: dict[str, bytes] = {}

    def of(self, codec: Codec) -> bytes:
        made = self._made.get(codec.name)
        if made is None:
            made = self._made[codec.name] = framed(self._encode(codec), text=codec.text)
        return made

    @classmethod
    def of_message(cls, message: ServerMessage) -> "Frames":
        return cls(lambda codec: codec.encode(message))
