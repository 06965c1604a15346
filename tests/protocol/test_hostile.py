"""Frames nobody would send by mistake: a typed refusal each, at once, and the process lives."""

import json
import math
from typing import Any

import msgpack
import pytest

from protocol.examples import REQUESTS, name_of
from protocol.frames import Frame, frame_of, map_of
from protocol.refusals import assert_bad_frame, assert_bad_message, assert_quick, assert_refused
from towerhall_protocol import JSON, MSGPACK, Request
from towerhall_protocol.limits import FRAME_LIMIT, MAX_WHOLE

PING = b"\x82\xa4type\xa4ping\xa2id\x01"
CREATE = {"type": "create", "id": 5, "game": "duel"}


DEPTH = FRAME_LIMIT - 60
NO_MESSAGES: dict[str, Frame] = {
    "nothing": b"",
    "no text": "",
    "only an array": b"\x90",
    "only a list": "[]",
    "nil": b"\xc0",
    "null": "null",
    "an ext": msgpack.packb(msgpack.ExtType(5, b"abc")),
    "a timestamp": msgpack.packb(msgpack.Timestamp(1)),
    "an opcode that is none": b"\xc1",
    "a map of 2^32 entries": b"\xdf\xff\xff\xff\xff",
    "an array of 2^32 entries": b"\xdd\xff\xff\xff\xff",
    "nested arrays": b"\x91" * FRAME_LIMIT,
    "nested arrays of many": b"\xdd\x00\x00\x10\x00" * (FRAME_LIMIT // 5),
    "nested maps": b"\x81\xa1a" * (FRAME_LIMIT // 3),
    "maps as keys": b"\x81" * FRAME_LIMIT,
    "nested lists": "[" * FRAME_LIMIT,
    "nested objects": '{"a":' * (FRAME_LIMIT // 5),
    "no type": map_of(("id", 1)),
    "no type, in JSON": '{"id": 1}',
    "a type that is no text": map_of(("type", 7), ("id", 1)),
    "a type of bytes": map_of(("type", b"ping"), ("id", 1)),
    "a type of null": '{"type": null, "id": 1}',
    "keys of bytes": map_of((b"type", "ping"), (b"id", 1)),
    "a key of bytes": map_of(("type", "ping"), ("id", 1), (b"x", 1)),
    "a key that is a number": map_of(("type", "ping"), ("id", 1), (3, 1)),
    "bad UTF-8 in a text": b"\x82\xa4type\xa4p\xffng\xa2id\x01",
    "bad UTF-8 in a key": b"\x83\xa4type\xa4ping\xa2id\x01\xa1\xff\x01",
    "half a surrogate, raw": '{"type": "ping", "id": 1, "x": "\ud800"}',
    "half a surrogate, escaped": '{"type": "join", "id": 1, "room": "\\ud800"}',
    "half a surrogate, within": '{"type": "join", "id": 1, "room": "\\ud800\\u0041"}',
    "a byte order mark": '\ufeff{"type": "ping", "id": 1}',
    "a trailing byte": PING + b"\x00",
    "a second message": PING + PING,
    "a second text": '{"type": "ping", "id": 1}{}',
    "NaN, which JSON has not": '{"type": "ping", "id": NaN}',
    "Infinity": '{"type": "ping", "id": Infinity}',
    "a leading zero": '{"type": "ping", "id": 01}',
    "a comment": '{"type": "ping", "id": 1} // hi',
    "too long": PING + b"\x00" * FRAME_LIMIT,
    "too long a text": '{"type": "ping", "id": 1}' + " " * FRAME_LIMIT,
    "too long in bytes": '{"type": "join", "id": 1, "room": "%s"}' % ("é" * (FRAME_LIMIT // 2)),
    "unsound after what was refused": b"\x83\xa4type\xa4ping\xa1x\x01\xa2id",
    "unsound text after it": '{"type": "ping", "x": 1, "id": [}',
}


DEEP_NESTS: dict[str, Frame] = {
    "a deep field before the type": b"\x83\xa1x" + b"\x91" * DEPTH + b"\x01" + PING[1:],
    "a deep list before the type": '{"x":' + "[" * 2000 + "]" * 2000 + ',"type":"ping","id":1}',
    "a deep id": b"\x82\xa4type\xa4ping\xa2id" + b"\x91" * DEPTH + b"\x01",
}


@pytest.mark.parametrize("frame", DEEP_NESTS.values(), ids=DEEP_NESTS.keys())
def test_a_deep_nest_is_refused_one_way_or_the_other(frame: Frame) -> None:
    """How deep a decoder goes before it gives up is for the Python in use to say."""
    assert_refused(frame)


@pytest.mark.parametrize("frame", NO_MESSAGES.values(), ids=NO_MESSAGES.keys())
def test_a_frame_that_is_no_message_is_a_bad_frame(frame: Frame) -> None:
    assert_bad_frame(frame)


NOT_AN_OPTION = "Each entry of `options` must be true or false or a whole number."
TOO_LARGE = f"Each entry of `options` must be at most {MAX_WHOLE}."
TOO_MANY = "`options` must have at most 16 entries."
BAD_FIELDS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"type": "pong"}, "type", "There is no message of this type."),
    ({"type": "event"}, "type", "There is no message of this type."),
    ({"game": None}, "game", "`game` must be text."),
    ({"game": b"duel"}, "game", "`game` must be text."),
    ({"game": "g" * 65}, "game", "`game` must have at most 64 characters."),
    ({"preset": None}, "preset", "`preset` must be text."),
    ({"rounds": 17}, "rounds", "`rounds` must be at most 16."),
    ({"rounds": 0}, "rounds", "`rounds` must be at least 1."),
    ({"rounds": True}, "rounds", "`rounds` must be a whole number."),
    ({"rounds": 2.0}, "rounds", "`rounds` must be a whole number."),
    ({"rounds": 2**64 - 1}, "rounds", "`rounds` must be at most 16."),
    ({"first": "me"}, "first", "`first` has a value that is not known."),
    ({"first": "\x1b[31m` - at `$.id`"}, "first", "`first` has a value that is not known."),
    ({"listed": 1}, "listed", "`listed` must be true or false."),
    ({"key": ""}, "key", "`key` must have at least 1 character."),
    ({"key": "k" * 65}, "key", "`key` must have at most 64 characters."),
    ({"clock": 3}, "clock", "`clock` must be a map or null."),
    ({"clock": {"initial_ms": 1_000}}, "clock.increment_ms", "`clock.increment_ms` is missing."),
    (
        {"clock": {"initial_ms": 999, "increment_ms": 0}},
        "clock.initial_ms",
        "`clock.initial_ms` must be at least 1000.",
    ),
    (
        {"clock": {"initial_ms": 1_000, "increment_ms": 60_001}},
        "clock.increment_ms",
        "`clock.increment_ms` must be at most 60000.",
    ),
    (
        {"clock": {"initial_ms": 1_000, "increment_ms": 0, "byo": 1}},
        "clock.byo",
        "`clock.byo` is not a field of this message.",
    ),
    ({"options": {"a": "b"}}, "options", NOT_AN_OPTION),
    ({"options": {"a": {"b": 1}}}, "options", NOT_AN_OPTION),
    ({"options": {"a": MAX_WHOLE + 1}}, "options", TOO_LARGE),
    ({"options": {"n" * 33: 1}}, "options", "A key of `options` must have at most 32 characters."),
    ({"options": {f"n{i}": 1 for i in range(17)}}, "options", TOO_MANY),
    ({"colour": 1}, "colour", "`colour` is not a field of this message."),
    ({"\x1b[31m": 1}, None, "There is a field that this message does not have."),
    ({"c" * 33: 1}, None, "There is a field that this message does not have."),
    ({"x` - at `$." + "g" * 65: 1}, None, "There is a field that this message does not have."),
]


@pytest.mark.parametrize(("change", "field", "sentence"), BAD_FIELDS)
def test_a_bad_message_names_its_field(
    change: dict[str, Any], field: str | None, sentence: str
) -> None:
    frames: list[Frame] = [msgpack.packb(CREATE | change)]
    if b"duel" not in change.values():
        frames.append(json.dumps(CREATE | change))
    for frame in frames:
        refusal = assert_bad_message(frame)
        assert (refusal.field, refusal.sentence, refusal.re) == (field, sentence, 5)


@pytest.mark.parametrize(
    "bad", [0, -1, 1.0, math.nan, True, None, "1", b"1", [1], MAX_WHOLE + 1, {}]
)
def test_an_id_that_cannot_be_read_is_not_answered_by_it(bad: Any) -> None:
    refusal = assert_bad_message(msgpack.packb({"type": "ping", "id": bad}))
    assert (refusal.field, refusal.re) == ("id", None)


@pytest.mark.parametrize("digits", ["9" * 30, "9" * 4000, "-" + "9" * 4000, "1e999", "1e-999"])
def test_a_huge_number_is_refused(digits: str) -> None:
    assert_bad_message('{"type": "ping", "id": ' + digits + "}")
    assert_bad_message('{"id": ' + digits + ', "type": "ping"}')


@pytest.mark.parametrize(
    "value", [msgpack.ExtType(5, b"abc"), msgpack.Timestamp(1), math.nan, b"x"]
)
def test_a_value_that_no_message_has_is_refused_everywhere(value: Any) -> None:
    for field in ("id", "game", "options", "clock", "rounds", "first", "listed", "key"):
        assert_bad_message(msgpack.packb(CREATE | {field: value}))
    assert_bad_message(msgpack.packb(CREATE | {"options": {"a": value}}))


@pytest.mark.parametrize("text", ["", "a" * 201, "a\x1b[0m", "a\rb", "\u202eabc", "a\u200bb"])
def test_chat_that_cannot_be_shown_names_the_field(text: str) -> None:
    refusal = assert_bad_message(json.dumps({"type": "say", "id": 1, "room": "r", "text": text}))
    assert (refusal.field, refusal.re) == ("text", 1)


def test_a_long_replay_is_read_at_once_and_a_longer_one_refused() -> None:
    replay = {"type": "replay", "id": 1, "game": "duel", "options": {}, "first": 0}
    longest = msgpack.packb(replay | {"moves": ["3A"] * 512})
    MSGPACK.decode_request(longest)
    assert_quick(longest)
    assert_bad_message(msgpack.packb(replay | {"moves": ["3A"] * 513}))
    assert_bad_message(msgpack.packb(replay | {"moves": ["3" * 41]}))


@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_a_message_cut_off_anywhere_is_a_bad_frame(message: Request) -> None:
    for wire in (MSGPACK, JSON):
        frame = frame_of(wire, message)
        for end in range(len(frame)):
            assert_bad_frame(frame[:end])
