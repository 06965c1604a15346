"""The client on the page, run as it stands against a hall that knows one game by heart."""

from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from protocol import page
from protocol.examples import EVENTS, SNAPSHOT
from towerhall_protocol import MSGPACK, Request
from towerhall_protocol.events import Finished, Moved
from towerhall_protocol.replies import Accepted, Error, Paired
from towerhall_protocol.requests import Hello, Move, SeekRequest

PAIRED = Paired(room=SNAPSHOT.room, snapshot=SNAPSHOT)
MOVED = next(event for event in EVENTS if isinstance(event, Moved))
FINISHED = next(event for event in EVENTS if isinstance(event, Finished))


async def test_the_client_on_the_page_plays_a_match() -> None:
    heard: list[Request] = []

    async def hall(socket: ServerConnection) -> None:
        async def hear() -> Request:
            heard.append(MSGPACK.decode_request(await socket.recv()))
            return heard[-1]

        for _ in ("hello", "seek"):
            await hear()
        await socket.send(MSGPACK.encode(PAIRED))
        first = await hear()
        refused = Error(re=first.id, code="rate_limited", message="Slowly!", temporary=True)
        accepted = Accepted(re=first.id, room=SNAPSHOT.room, round=1, ply=1, seq=4)
        for told in (accepted, refused, MOVED):
            await socket.send(MSGPACK.encode(told))
        await hear()
        over = msgspec.structs.replace(FINISHED, match_over=True)
        await socket.send(MSGPACK.encode(over))
        await socket.wait_closed()

    subprotocols = [Subprotocol(MSGPACK.name)]
    async with serve(hall, "127.0.0.1", 0, subprotocols=subprotocols, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        await _play(f"ws://127.0.0.1:{port}/ws", "sparrow")

    hello, seek, first, second = heard
    assert hello == Hello(id=1, name="sparrow")
    assert isinstance(seek, SeekRequest)
    assert isinstance(first, Move)
    assert isinstance(second, Move)
    assert (first.ply, second.ply) == (SNAPSHOT.ply, MOVED.ply + 1)
    assert first.move in (SNAPSHOT.legal or [])


def test_the_client_on_the_page_has_25_lines() -> None:
    assert len(page.program().splitlines()) == 25


async def _play(url: str, name: str) -> None:
    *program, last = page.program().splitlines()
    assert last.startswith("asyncio.run(play(")
    names: dict[str, Any] = {}
    exec("\n".join(program), names)
    await names["play"](url, name)
