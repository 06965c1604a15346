"""More than anybody may send: of requests, of bytes, of frames without a message."""

import asyncio
import time

import msgpack
import pytest

from end_to_end.client import Client, Message
from gateway.hall import Hall
from gateway.peer import BINARY, CONTINUATION, PING, PONG, Peer
from towerhall_server.gateway.session import FORGIVEN_PER_SECOND

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def answers_to(client: Client, count: int, **fields: object) -> list[Message]:
    """As many requests as one can send, and the answers that come before the server closes."""
    asked = [asyncio.create_task(client.asked("move", **fields)) for _ in range(count)]
    assert await client.closed() == 4100
    await asyncio.sleep(0)
    answers = [task.result() for task in asked if task.done() and not task.cancelled()]
    for task in asked:
        task.cancel()
    await asyncio.wait(asked)
    return answers


async def test_row_17_an_out_of_turn_flood_is_refused_then_limited_then_closed(hall: Hall) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    flooder = await hall.connect("bob", token=bob.token)
    began = time.monotonic()
    answers = await answers_to(flooder, 120, room=table.room, round=1, ply=0, move="3")
    # While it lasts, more may be asked, and some is forgiven.
    lasted = time.monotonic() - began
    codes = [answer["code"] for answer in answers]
    refused = codes.count("not_your_turn")
    limited = codes.count("rate_limited")
    assert 25 <= refused <= 31 + 10 * lasted
    assert 60 <= limited <= 61 + FORGIVEN_PER_SECOND * lasted
    assert refused + limited == len(codes)
    await table.moves(4)
    assert not [e for e in bob.events(table.room) if e["kind"] == "moved" and e["ply"] > 3]


async def test_row_17_who_asks_too_fast_now_and_then_is_not_closed(hall: Hall) -> None:
    client = await hall.connect("ann")
    limited = 0
    for _ in range(2):
        answers = await asyncio.gather(*(client.asked("ping") for _ in range(65)))
        limited += [answer.get("code") for answer in answers].count("rate_limited")
        await asyncio.sleep(3)
    assert limited > 60
    assert (await client.ask("ping"))["type"] == "pong"


async def test_row_23_an_oversize_frame_is_closed_with_1009(hall: Hall) -> None:
    peer = await Peer.hello(hall.nodes[0])
    peer.send(BINARY, bytes(4097))
    assert await peer.close_code() == 1009


async def test_row_23_a_frame_of_4096_bytes_is_read(hall: Hall) -> None:
    client = await hall.connect_silent()
    message = {"type": "ping", "id": 1, "x": ""}
    message["x"] = "x" * (4096 - len(msgpack.packb(message)) - 2)
    await client.socket.send(msgpack.packb(message))
    error = await client.asked("ping")
    assert error["code"] in {"bad_message", "hello_first"}


async def test_row_23_an_oversize_message_in_parts_is_closed_with_1009(hall: Hall) -> None:
    peer = await Peer.hello(hall.nodes[0])
    peer.send(BINARY, bytes(2000), fin=False)
    for _ in range(3):
        peer.send(CONTINUATION, bytes(1000), fin=False)
    assert await peer.close_code() == 1009


@pytest.mark.parametrize("part", [b"", b"x"], ids=["empty", "one byte"])
async def test_row_23_a_flood_of_fragments_is_closed(hall: Hall, part: bytes) -> None:
    peer = await Peer.hello(hall.nodes[0])
    peer.send(BINARY, part, fin=False)
    for _ in range(300):
        peer.send(CONTINUATION, part, fin=False)
    assert await peer.close_code() == 4100


@pytest.mark.parametrize("opcode", [PING, PONG], ids=["ping", "pong"])
async def test_row_23_a_flood_of_control_frames_is_closed(hall: Hall, opcode: int) -> None:
    peer = await Peer.hello(hall.nodes[0])
    for _ in range(300):
        peer.send(opcode, b"x" * 125)
    assert await peer.close_code() == 4100


async def test_row_23_a_message_in_parts_with_a_ping_between_is_a_message(hall: Hall) -> None:
    peer = await Peer.hello(hall.nodes[0])
    message = msgpack.packb({"type": "ping", "id": 7})
    peer.send(BINARY, message[:5], fin=False)
    peer.send(PING, b"still there?")
    peer.send(CONTINUATION, message[5:])
    assert await peer.receive() == (PONG, b"still there?")
    opcode, payload = await peer.receive()
    assert opcode == BINARY and msgpack.unpackb(payload)["re"] == 7
