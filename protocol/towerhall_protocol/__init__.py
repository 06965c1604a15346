"""The wire of towerhall: every message as a type, the codec, the error and close codes.

`requests` is what a client says, `replies` and `events` what the server says, `rooms` and `lobby`
the nouns in both. `codec` turns them into frames and back.
"""

from towerhall_protocol.codec import CODECS, JSON, MSGPACK, Codec
from towerhall_protocol.errors import BadFrame, BadMessage, CloseCode, CodecError, ErrorCode
from towerhall_protocol.events import Event
from towerhall_protocol.replies import ServerMessage
from towerhall_protocol.requests import Request

__all__ = [
    "CODECS",
    "JSON",
    "MSGPACK",
    "BadFrame",
    "BadMessage",
    "CloseCode",
    "Codec",
    "CodecError",
    "ErrorCode",
    "Event",
    "Request",
    "ServerMessage",
]
