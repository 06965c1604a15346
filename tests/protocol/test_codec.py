from typing import Any

import msgpack
import pytest

from protocol.examples import (
    ALL,
    EPOCH,
    EVENTS,
    NOW,
    REPLIES,
    REQUESTS,
    ROOM,
    SERVER_MESSAGES,
    name_of,
)
from protocol.frames import frame_of, packed, plain_of
from towerhall_protocol import CODECS, JSON, MSGPACK, Codec, codec
from towerhall_protocol.errors import BadFrame, BadMessage
from towerhall_protocol.events import UnknownEvent
from towerhall_protocol.replies import Events, Ok, ServerMessage
from towerhall_protocol.requests import Create, Ping, Request

both = pytest.mark.parametrize("wire", [MSGPACK, JSON], ids=lambda wire: wire.name)


def test_the_table_of_examples_has_every_message() -> None:
    examples = {type(message) for message in ALL}
    assert examples == {*codec.REQUESTS, *codec.ANSWERS, *codec.PUSHES, *codec.EVENTS}


@both
@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_a_request_comes_back_as_it_was_sent(wire: Codec, message: Request) -> None:
    assert wire.decode_request(frame_of(wire, message)) == message


@both
@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=name_of)
def test_a_server_message_comes_back_as_it_was_sent(wire: Codec, message: ServerMessage) -> None:
    assert wire.decode_server_message(frame_of(wire, message)) == message


@pytest.mark.parametrize("message", ALL, ids=name_of)
def test_the_reference_msgpack_reads_what_we_write(message: Request | ServerMessage) -> None:
    assert msgpack.unpackb(MSGPACK.encode(message)) == plain_of(message)


@both
@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_we_read_a_request_of_another_encoder(wire: Codec, message: Request) -> None:
    assert wire.decode_request(packed(wire, plain_of(message))) == message


@both
@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=name_of)
def test_we_read_a_server_message_of_another_encoder(wire: Codec, message: ServerMessage) -> None:
    assert wire.decode_server_message(packed(wire, plain_of(message))) == message


@both
@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_the_order_of_fields_does_not_matter(wire: Codec, message: Request) -> None:
    backwards = dict(reversed(plain_of(message).items()))
    assert wire.decode_request(packed(wire, backwards)) == message


@both
@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_the_server_refuses_a_field_it_does_not_know(wire: Codec, message: Request) -> None:
    with pytest.raises(BadMessage) as refused:
        wire.decode_request(packed(wire, plain_of(message) | {"colour": "red"}))
    assert (refused.value.field, refused.value.re) == ("colour", message.id)


@both
@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=name_of)
def test_a_client_ignores_fields_it_does_not_know(wire: Codec, message: ServerMessage) -> None:
    newer = packed(wire, _with_a_new_field_everywhere(plain_of(message)))
    assert wire.decode_server_message(newer) == message


def _with_a_new_field_everywhere(plain: Any) -> Any:
    """Except in the maps whose keys are data: options, ratings, and the rooms of a beat."""
    if isinstance(plain, list):
        return [_with_a_new_field_everywhere(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    kept = {
        key: value
        if key in ("options", "ratings", "rooms") and isinstance(value, dict)
        else _with_a_new_field_everywhere(value)
        for key, value in plain.items()
    }
    return kept | {"brand_new": [1, {"a": None}]}


@both
def test_a_client_gets_none_for_a_type_it_does_not_know(wire: Codec) -> None:
    assert wire.decode_server_message(packed(wire, {"type": "tournament", "kind": 7})) is None


@both
def test_an_event_of_an_unknown_kind_keeps_its_number(wire: Codec) -> None:
    newer = {"type": "event", "kind": "waved", "room": ROOM, "epoch": EPOCH, "seq": 8, "at_ms": NOW}
    expected = UnknownEvent(kind="waved", room=ROOM, epoch=EPOCH, seq=8, at_ms=NOW)
    assert wire.decode_server_message(packed(wire, newer | {"hand": "left"})) == expected

    resumed = {"type": "events", "re": 1, "room": ROOM, "epoch": EPOCH}
    frame = packed(wire, resumed | {"events": [plain_of(EVENTS[0]), newer]})
    assert wire.decode_server_message(frame) == Events(
        re=1, room=ROOM, epoch=EPOCH, events=[EVENTS[0], expected]
    )


@both
def test_a_pushed_message_has_no_re(wire: Codec) -> None:
    assert plain_of(Ok()) == {"type": "ok"}
    assert all("re" not in plain_of(m) for m in REPLIES if not getattr(m, "re", None))


@both
def test_a_client_refuses_a_broken_server_message(wire: Codec) -> None:
    with pytest.raises(BadMessage) as refused:
        wire.decode_server_message(packed(wire, {"type": "pong", "re": 1, "now_ms": "soon"}))
    assert refused.value.field == "now_ms"
    nothings: tuple[object, ...] = ([], {"re": 1}, None)
    for nothing in nothings:
        with pytest.raises(BadFrame):
            wire.decode_server_message(packed(wire, nothing))


@both
def test_no_clock_and_a_clock_of_null_are_two_things(wire: Codec) -> None:
    untimed, usual = Create(id=1, game="duel", clock=None), Create(id=1, game="duel")
    assert untimed != usual
    assert wire.decode_request(frame_of(wire, untimed)) == untimed
    assert wire.decode_request(frame_of(wire, usual)) == usual


def test_the_codecs_are_found_by_their_subprotocol() -> None:
    assert {"towerhall.v1.msgpack": MSGPACK, "towerhall.v1.json": JSON} == CODECS
    assert MSGPACK.text is False
    assert JSON.text is True


@both
def test_a_frame_of_the_wrong_kind_is_refused(wire: Codec) -> None:
    payload = wire.encode(Ping(id=1))
    wrong = payload if wire.text else payload.decode("latin-1")
    for decode in (wire.decode_request, wire.decode_server_message):
        with pytest.raises(BadFrame, match="text" if wire.text else "binary"):
            decode(wrong)
