"""Frames that mean harm, and text that would act on a terminal."""

import msgpack
import pytest

from end_to_end.node import Node
from gateway.hall import Hall
from gateway.peer import BINARY, TEXT, Peer

pytestmark = pytest.mark.asyncio(loop_scope="session")

PING_1 = msgpack.packb({"type": "ping", "id": 1})


def ping_with(value: bytes) -> bytes:
    """A ping whose id is these bytes of msgpack."""
    return b"\x82\xa4type\xa4ping\xa2id" + value


FRAMES: dict[str, bytes] = {
    "nothing": b"",
    "no map": msgpack.packb([1, 2, 3]),
    "a number": b"\x07",
    "an array that claims four billion": b"\xdd\xff\xff\xff\xff",
    "a map that claims four billion": b"\xdf\xff\xff\xff\xff",
    "a text that claims four gigabytes": b"\xdb\xff\xff\xff\xff",
    "4,000 nested arrays": b"\x91" * 4000,
    "1,000 nested 32-bit arrays": b"\xdd\x00\x00\x00\x01" * 800,
    "a deep nest of maps": b"\x81\xa1a" * 1300,
    "arrays of arrays that all claim 65,535": b"\xdc\xff\xff" * 1300,
    "a nest inside a field": ping_with(b"\x91" * 3000 + b"\xc0"),
    "an extension": ping_with(b"\xd4\x01\x00"),
    "a large extension": ping_with(b"\xc8\x04\x00\x05" + bytes(1024)),
    "a time": ping_with(b"\xd6\xff\x00\x00\x00\x00"),
    "bytes": ping_with(b"\xc4\x01\x00"),
    "not a number": ping_with(b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
    "infinity": ping_with(b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"),
    "a fraction": ping_with(b"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"),
    "true for a number": ping_with(b"\xc3"),
    "2^64 - 1": ping_with(b"\xcf" + b"\xff" * 8),
    "-2^63": ping_with(b"\xd3\x80" + b"\x00" * 7),
    "2^53": ping_with(msgpack.packb(2**53)),
    "zero": ping_with(b"\x00"),
    "bytes for a key": b"\x82\xc4\x04type\xa4ping\xa2id\x01",
    "a number for a key": b"\x83\xa4type\xa4ping\xa2id\x01\x01\x01",
    "nil for a key": b"\x83\xa4type\xa4ping\xa2id\x01\xc0\x01",
    "bad UTF-8 in a value": b"\x82\xa4type\xa4p\xffng\xa2id\x01",
    "bad UTF-8 in a key": b"\x82\xa4t\xffpe\xa4ping\xa2id\x01",
    "a lone surrogate": b"\x83\xa4type\xa3say\xa2id\x01\xa4text\xa3\xed\xa0\x80",
    "a key twice": b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02",
    "something after the end": PING_1 + b"\x00",
    "one byte too few": PING_1[:-1],
    "the byte that is never used": b"\xc1",
    "an unknown field": msgpack.packb({"type": "ping", "id": 1, "x": 1}),
    "no type": msgpack.packb({"id": 1}),
    "a type that is no text": msgpack.packb({"type": 1, "id": 1}),
    "an unknown type": msgpack.packb({"type": "sudo", "id": 1}),
}

TEXTS: dict[str, bytes] = {
    "a deep nest": b"[" * 4000,
    "a deep nest in a field": b'{"type":"ping","id":' + b"[" * 3000,
    "bad UTF-8": b'{"type":"p\xffng","id":1}',
    "bad UTF-8, alone": b"\xff\xfe",
    "an overlong slash": b'{"type":"\xc0\xaf","id":1}',
    "a lone surrogate": b'{"type":"say","id":1,"room":"x","text":"\\ud800"}',
    "NaN": b'{"type":"ping","id":NaN}',
    "Infinity": b'{"type":"ping","id":Infinity}',
    "a huge number": b'{"type":"ping","id":' + b"9" * 3900 + b"}",
    "a huge exponent": b'{"type":"ping","id":1e999999}',
    "a key twice": b'{"type":"ping","id":1,"id":2}',
    "a NUL": b'{"type":"ping","id":1}\x00',
    "no JSON": b"hello",
}


HARMFUL: dict[str, str] = {
    "an escape": "\x1b[2J",
    "a C1 control": "\x9b31m",
    "a carriage return": "\r",
    "a line feed": "\n",
    "a NUL": "\0",
    "a backspace": "\b",
    "delete": "\x7f",
    "right-to-left override": "\u202e",
    "an isolate": "\u2066",
    "a zero-width space": "\u200b",
    "a zero-width joiner": "\u200d",
    "a byte order mark": "\ufeff",
    "a line separator": "\u2028",
    "a tag": "\U000e0041",
    "a Hangul filler": "\u3164",
}


async def assert_refused(node: Node, encoding: str, opcode: int, payload: bytes) -> None:
    """Refused at once, on a connection and by a process that live on."""
    peer = await Peer.hello(node, encoding)
    peer.asked = 1000
    before_s = node.cpu_s
    peer.send(opcode, payload)
    error = await peer.message()
    # The codec's own tests say less than 1 ms; here all that the node does meanwhile is timed, too.
    assert node.cpu_s - before_s < 0.05
    assert error["type"] == "error" and error["code"] in {"bad_frame", "bad_message"}
    assert error["message"].isascii() and len(error["message"]) < 150
    assert (await peer.ask("ping"))["type"] == "pong"


@pytest.mark.parametrize("name", FRAMES)
async def test_row_24_a_hostile_msgpack_frame_is_refused(hall: Hall, name: str) -> None:
    await assert_refused(hall.nodes[0], "msgpack", BINARY, FRAMES[name])


@pytest.mark.parametrize("name", TEXTS)
async def test_row_24_a_hostile_json_frame_is_refused(hall: Hall, name: str) -> None:
    await assert_refused(hall.nodes[0], "json", TEXT, TEXTS[name])


async def test_row_24_the_wrong_kind_of_frame_is_refused(hall: Hall) -> None:
    await assert_refused(hall.nodes[0], "msgpack", TEXT, b'{"type":"ping","id":1}')
    await assert_refused(hall.nodes[0], "msgpack", TEXT, PING_1)
    await assert_refused(hall.nodes[0], "json", BINARY, b'{"type":"ping","id":1}')
    await assert_refused(hall.nodes[0], "json", BINARY, PING_1)


async def test_row_24_the_third_frame_that_is_no_message_closes(hall: Hall) -> None:
    peer = await Peer.hello(hall.nodes[0])
    for _ in range(2):
        peer.send(BINARY, b"\xc1")
        assert (await peer.message())["code"] == "bad_frame"
    assert (await peer.ask("ping"))["type"] == "pong"
    peer.send(BINARY, b"\xc1")
    assert (await peer.message())["code"] == "bad_frame"
    assert await peer.close_code() == 4100


async def test_row_24_bad_messages_do_not_close(hall: Hall) -> None:
    peer = await Peer.hello(hall.nodes[0])
    for _ in range(10):
        assert (await peer.ask("create", game=7))["code"] == "bad_message"
    assert (await peer.ask("ping"))["type"] == "pong"


@pytest.mark.parametrize("name", HARMFUL)
async def test_row_25_text_that_acts_on_a_terminal_is_refused(hall: Hall, name: str) -> None:
    harmful = HARMFUL[name]
    ann, bob = await hall.connect("ann", 0, "json"), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    error = await ann.asked("say", room=table.room, text=f"hi{harmful}there")
    assert (error["code"], error["field"]) == ("bad_message", "text")
    assert harmful not in error["message"]
    stranger = await hall.connect_silent()
    error = await stranger.asked("hello", name=f"ann{harmful}bob")
    assert error["code"] == "bad_name" and harmful not in error["message"]
    await ann.ask("say", room=table.room, text="hi there")
    assert (await bob.event("said"))["text"] == "hi there"
    renamed = await hall.connect_silent(1)
    assert (await renamed.asked("hello", token=ann.token, name=harmful * 2))["code"] == "bad_name"
    again = await hall.connect_silent(1)
    assert (await again.ask("hello", token=ann.token))["player"]["name"] == "ann"


async def test_row_25_what_people_write_is_let_through(hall: Hall) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    for text in ("¡Qué jugada!", "哪里", "7 × 6 = 42 🎲"):
        await ann.ask("say", room=table.room, text=text)
        assert (await bob.event("said", text=text))["seat"] == 0
