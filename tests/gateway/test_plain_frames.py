"""Frames read in one look, and the rest by websockets: together, what websockets reads alone."""

import asyncio
import os
from itertools import accumulate, pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as some
from websockets.protocol import State
from websockets.server import ServerProtocol

from gateway.peer import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame
from towerhall_server.gateway.plain_frames import is_between_messages, plain_frames
from towerhall_server.gateway.socket import Socket

MOST = 300
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Transport(asyncio.Transport):
    """Keeps what is written."""

    written = b""
    ended = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True


class Server:
    """As much of websockets' server as a connection asks for."""

    def __init__(self) -> None:
        self.handler_tasks: set[asyncio.Task[None]] = set()

    async def handler(self, connection: Socket) -> None:
        pass


class Listener:
    """A conversation that answers nothing."""

    def __init__(self) -> None:
        self.messages: list[bytes | str] = []
        self.controls = 0

    def heard(self, data: bytes | str) -> None:
        self.messages.append(data)

    def heard_control(self) -> None:
        self.controls += 1

    def lost(self) -> None:
        pass


async def _read(early: bytes, chunks: list[bytes], *, short_cut: bool) -> dict[str, object]:
    """What a connection makes of these bytes; `early` comes together with the upgrade."""
    socket, transport = Socket(ServerProtocol(max_size=MOST), cast(Any, Server())), Transport()
    if not short_cut:
        socket._takes_plain = lambda: False  # type: ignore[method-assign]
    socket.connection_made(transport)
    socket.data_received(UPGRADE + early)
    protocol, listener = socket.protocol, Listener()
    assert socket.request is not None
    if protocol.state is State.CONNECTING:
        protocol.send_response(protocol.accept(socket.request))
        socket.send_data()
    transport.written = b""
    socket.converse(listener)
    for chunk in chunks:
        socket.data_received(chunk)
    return {
        "heard": listener.messages,
        "controls": listener.controls,
        "written": transport.written,
        "ended": transport.ended,
        "state": protocol.state,
        "closed with": (protocol.close_rcvd, protocol.close_sent),
        "failed with": str(protocol.parser_exc),
    }


def assert_same_reading(early: bytes, chunks: list[bytes]) -> None:
    with asyncio.Runner() as runner:
        short = runner.run(_read(early, chunks, short_cut=True))
        plain = runner.run(_read(early, chunks, short_cut=False))
    assert short == plain


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """Pieces of these sizes, and the rest."""
    ends = [min(end, len(data)) for end in accumulate([0, *sizes, len(data)])]
    return [data[start:end] for start, end in pairwise(ends) if end > start]


lengths = some.one_of(
    some.integers(0, 20), some.sampled_from([124, 125, 126, 127, 128, MOST - 1, MOST, MOST + 1])
)
payloads = lengths.map(os.urandom) | some.sampled_from(
    [b"", b"hello", "tower ✓".encode(), b"\xff\xfe", b"\x03\xe8bye", b"\r\n\r\n"]
)
opcodes = some.sampled_from([TEXT, BINARY, TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG])
well_formed = some.builds(frame, opcodes, payloads, fin=some.sampled_from([True, True, False]))
headers = some.binary(min_size=1, max_size=14)
"""Reserved bits, unknown opcodes, no mask, lengths longer than need be or than anything."""
overlong = some.builds(
    lambda opcode, size: bytes([0x80 | opcode, 0xFE, 0, size]) + bytes(4 + size),
    some.sampled_from([TEXT, BINARY]),
    some.integers(0, 130),
)
nested = some.builds(
    lambda inner: bytes([0x82, 0x80 | len(inner)]) + bytes(4) + inner,
    some.builds(frame, some.sampled_from([TEXT, BINARY]), some.binary(max_size=50)),
)
"""A frame whose payload looks like one: whoever loses count takes it for one."""
streams = some.lists(well_formed | nested | overlong | headers, max_size=6).map(b"".join)
pieces = some.lists(some.sampled_from([1, 2, 4, 6, 8, 20, 140, 310]), max_size=8)


@given(streams, pieces)
def test_any_frames_in_any_pieces_are_read_as_websockets_reads_them(
    stream: bytes, sizes: list[int]
) -> None:
    assert_same_reading(b"", cut(stream, sizes))


@given(streams, some.integers(0, 5000), pieces)
def test_frames_that_come_with_the_upgrade_are_read_in_the_same_order(
    stream: bytes, early: int, sizes: list[int]
) -> None:
    early %= len(stream) + 1
    if State.OPEN is _state_after(stream[:early]):
        assert_same_reading(stream[:early], cut(stream[early:], sizes))


def _state_after(data: bytes) -> State:
    """Of a connection that got these frames: what is closed already never converses."""
    protocol = ServerProtocol(max_size=MOST)
    protocol.receive_data(UPGRADE)
    request = protocol.events_received()[0]
    protocol.send_response(protocol.accept(cast(Any, request)))
    protocol.receive_data(data)
    return protocol.state


@pytest.mark.parametrize("size", [0, 5, 125, 126, MOST])
def test_messages_are_read_in_one_look(size: int) -> None:
    payload = os.urandom(size)
    data = frame(BINARY, payload) + frame(TEXT, payload)
    assert plain_frames(data, MOST) == ([(payload, False), (payload, True)], len(data))


OTHERS = {
    "ping": frame(PING, b"x"),
    "close": frame(CLOSE, b""),
    "part": frame(BINARY, b"part", fin=False),
    "rest": frame(CONTINUATION, b"rest"),
    "too long": frame(BINARY, bytes(MOST + 1)),
    "cut short": frame(BINARY, b"cut short")[:-1],
    "no mask": bytes([0x82, 5]) + b"no mask",
    "reserved bit": bytes([0xC2, 0x80]) + bytes(4),
    "one byte": b"\x82",
}


@pytest.mark.parametrize("other", OTHERS)
def test_anything_else_is_left_to_websockets(other: str) -> None:
    data = OTHERS[other]
    assert plain_frames(data, MOST) == ([], 0)
    whole = frame(TEXT, b"first")
    assert plain_frames(whole + data, MOST) == ([(b"first", True)], len(whole))


def test_the_short_cut_is_open_between_messages_only() -> None:
    """Were it never open, everything would work, and slowly."""
    protocol = ServerProtocol(max_size=MOST)
    protocol.receive_data(UPGRADE)
    protocol.send_response(protocol.accept(cast(Any, protocol.events_received()[0])))
    whole, part = frame(BINARY, bytes(200)), frame(BINARY, b"part", fin=False)
    assert is_between_messages(protocol)
    for byte in whole[:-1]:
        protocol.receive_data(bytes([byte]))
        assert not is_between_messages(protocol)
    protocol.receive_data(whole[-1:])
    assert is_between_messages(protocol)
    protocol.receive_data(part)
    assert not is_between_messages(protocol)
    protocol.receive_data(frame(CONTINUATION, b"rest"))
    assert is_between_messages(protocol)
    protocol.receive_data(frame(CLOSE, b""))
    assert not is_between_messages(protocol)
