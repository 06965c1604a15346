"""The two encodings of the wire, msgpack and JSON, as two values of one class.

What `recv()` of a websocket gives goes in: bytes of a binary frame, str of a text frame. What comes
out is bytes in both encodings; `text` says which kind of frame they belong into:
`await socket.send(codec.encode(message), text=codec.text)`.
"""

from collections.abc import Callable
from typing import Any, Generic, NoReturn, Protocol, TypeVar, get_args

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError

from towerhall_protocol.complaints import complaint, repetition
from towerhall_protocol.errors import BadFrame, BadMessage
from towerhall_protocol.events import Event, UnknownEvent
from towerhall_protocol.limits import FRAME_LIMIT, RequestId
from towerhall_protocol.repeats import Repeats
from towerhall_protocol.replies import Answer, Events, Push, SentEvent, ServerMessage
from towerhall_protocol.requests import Request

REQUESTS: tuple[type[Struct], ...] = get_args(Request)
EVENTS: tuple[type[Struct], ...] = get_args(Event)
ANSWERS: tuple[type[Struct], ...] = get_args(Answer)
PUSHES: tuple[type[Struct], ...] = get_args(Push)

# Bad UTF-8 and too deep a nest escape msgspec as Python's own errors.
_REFUSALS = (msgspec.DecodeError, UnicodeError, RecursionError, MemoryError, OverflowError)

T = TypeVar("T", covariant=True)


class Decoder(Protocol, Generic[T]):
    def decode(self, payload: bytes, /) -> T: ...


class _Header(Struct):
    type: str
    id: Raw | UnsetType = UNSET


class _EventHeader(Struct):
    kind: str


class _EventsUnread(Struct):
    room: str
    epoch: str
    events: list[Raw]
    re: RequestId | UnsetType = UNSET


def wire_name(kind: type[Struct]) -> str:
    """A message's `type`, an event's `kind`."""
    return str(kind.__struct_config__.tag)


class Codec:
    """`decode_request` is the server's, `decode_server_message` the clients', `encode` both's."""

    def __init__(
        self,
        name: str,
        *,
        text: bool,
        encode: Callable[[Any], bytes],
        decoder: Callable[[Any], Decoder[Any]],
        repeated: Callable[[Struct, bytes], str | None],
    ) -> None:
        self.name = name
        self.text = text
        self._encode = encode
        self._repeated = repeated
        self._request: Decoder[Request] = decoder(Request)
        self._id: Decoder[int] = decoder(RequestId)
        self._header: Decoder[_Header] = decoder(_Header)
        self._event_header: Decoder[_EventHeader] = decoder(_EventHeader)
        self._unknown_event: Decoder[UnknownEvent] = decoder(UnknownEvent)
        self._events_unread: Decoder[_EventsUnread] = decoder(_EventsUnread)
        self._kinds: dict[str, Decoder[Event]] = {wire_name(k): decoder(k) for k in EVENTS}
        self._types: dict[str, Decoder[Answer | Push]] = {
            wire_name(k): decoder(k) for k in ANSWERS + PUSHES
        }

    def encode(self, message: Request | ServerMessage) -> bytes:
        return self._encode(message)

    def decode_request(self, frame: bytes | str) -> Request:
        """Raises BadFrame or BadMessage, nothing else, whatever the frame is."""
        payload = frame if type(frame) is bytes and not self.text else self._payload(frame)
        if len(payload) > FRAME_LIMIT:
            raise BadFrame(f"A frame may have at most {FRAME_LIMIT} bytes.")
        try:
            message = self._request.decode(payload)
        except _REFUSALS as refusal:
            self._refuse(payload, refusal)
        key = self._repeated(message, payload)
        if key is not None:
            field, sentence = repetition(key)
            raise BadMessage(field, sentence, None if key == "id" else message.id)
        return message

    def decode_server_message(self, frame: bytes | str) -> ServerMessage | None:
        """None for a type that is not known here; raises as decode_request does."""
        payload = self._payload(frame)
        try:
            kind = self._header.decode(payload).type
            if kind == "event":
                return self._read_event(payload)
            if kind == "events":
                return self._read_events(payload)
            decoder = self._types.get(kind)
            return None if decoder is None else decoder.decode(payload)
        except _REFUSALS as refusal:
            self._refuse(payload, refusal)

    def _read_event(self, payload: bytes) -> SentEvent:
        kind = self._event_header.decode(payload).kind
        return self._kinds.get(kind, self._unknown_event).decode(payload)

    def _read_events(self, payload: bytes) -> Events:
        unread = self._events_unread.decode(payload)
        events = [self._read_event(bytes(event)) for event in unread.events]
        return Events(re=unread.re, room=unread.room, epoch=unread.epoch, events=events)

    def _payload(self, frame: bytes | str) -> bytes:
        if isinstance(frame, str) is not self.text:
            raise BadFrame(f"{self.name} needs {'text' if self.text else 'binary'} frames.")
        if isinstance(frame, bytes):
            return frame
        try:
            return frame.encode()
        except UnicodeEncodeError:
            raise BadFrame("This frame is not UTF-8.") from None

    def _refuse(self, payload: bytes, refusal: Exception) -> NoReturn:
        if not isinstance(refusal, ValidationError):
            raise BadFrame("This frame cannot be decoded.") from None
        try:
            # The first decoder stopped at what it refused; only now the rest is known to be sound.
            header = self._header.decode(payload)
        except _REFUSALS:
            raise BadFrame("This frame is not a map with text keys and a `type`.") from None
        field, sentence = complaint(str(refusal))
        if field == "type":
            sentence = "There is no message of this type."
        raise BadMessage(field, sentence, self._read_id(header)) from None

    def _read_id(self, header: _Header) -> int | None:
        if header.id is UNSET:
            return None
        try:
            return self._id.decode(bytes(header.id))
        except _REFUSALS:
            return None


_repeats = Repeats(REQUESTS)

MSGPACK = Codec(
    "towerhall.v1.msgpack",
    text=False,
    encode=msgspec.msgpack.Encoder().encode,
    decoder=msgspec.msgpack.Decoder,
    repeated=_repeats.in_msgpack,
)
JSON = Codec(
    "towerhall.v1.json",
    text=True,
    encode=msgspec.json.Encoder().encode,
    decoder=msgspec.json.Decoder,
    repeated=_repeats.in_json,
)
CODECS = {codec.name: codec for codec in (MSGPACK, JSON)}
"""By subprotocol. A client that offers none gets MSGPACK."""
