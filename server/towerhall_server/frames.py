"""A message as the bytes of a websocket frame, made once for everybody who gets it.

A server's frames are not masked, so the same bytes go to every connection of an encoding.
"""

from towerhall_protocol.codec import Codec
from towerhall_protocol.replies import ServerMessage

_FIN = 0x80
_TEXT = 0x1
_BINARY = 0x2


def frame(codec: Codec, message: ServerMessage) -> bytes:
    payload = codec.encode(message)
    first = _FIN | (_TEXT if codec.text else _BINARY)
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65_536:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


class Frames:
    """One message in each encoding, made when the first receiver needs it."""

    def __init__(self, message: ServerMessage) -> None:
        self._message = message
        self._made: dict[str, bytes] = {}

    def of(self, codec: Codec) -> bytes:
        made = self._made.get(codec.name)
        if made is None:
            made = self._made[codec.name] = frame(codec, self._message)
        return made
