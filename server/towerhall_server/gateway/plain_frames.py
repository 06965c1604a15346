"""The frames that clients send all the time, read in one look.

A plain frame is a whole message, masked, short, and all there. websockets reads any frame, byte
group by byte group, and takes ten times as long: it is left whatever is not plain.
"""

from types import GeneratorType
from typing import Any

from websockets.protocol import Protocol, State
from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

_TEXT, _BINARY = 0x81, 0x82
_MASKED = 0x80
_TWO_MORE_BYTES = 126
_MASK = 4


def plain_frames(data: bytes, most: int) -> tuple[list[tuple[bytes, bool]], int]:
    """The plain frames of at most so many bytes at the head of the data, each with whether it is
    text, and where they end."""
    frames: list[tuple[bytes, bool]] = []
    end = 0
    while len(data) - end >= 2 + _MASK:
        first, length, start = data[end], data[end + 1] - _MASKED, end + 2 + _MASK
        if length == _TWO_MORE_BYTES:
            length, start = int.from_bytes(data[end + 2 : end + 4], "big"), start + 2
        elif not 0 <= length < _TWO_MORE_BYTES:
            break
        if first not in (_TEXT, _BINARY) or length > most or start + length > len(data):
            break
        end = start + length
        payload = apply_mask(data[start:end], data[start - _MASK : start])
        frames.append((payload, first == _TEXT))
    return frames, end


def is_between_messages(protocol: Protocol) -> bool:
    """Whether the next byte is the first of a message: websockets holds no part of one."""
    if protocol.state is not State.OPEN or protocol.current_size is not None:
        return False
    waits: Any = protocol.parser
    while isinstance(waits.gi_yieldfrom, GeneratorType):
        waits = waits.gi_yieldfrom
    return waits.gi_code is StreamReader.at_eof.__code__
