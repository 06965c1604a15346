"""A hall that wishes its guests ill: every text it sends is full of what terminals obey.

The one place where the hall is not a real one: no real hall would say this.
"""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.examples import EVENTS, REPLIES, SNAPSHOT
from towerhall_protocol import MSGPACK
from towerhall_protocol.events import Moved, Said
from towerhall_protocol.replies import Error, LobbyState, Record, Seeking, Welcome

EVIL = (
    "\x1b]0;owned\x07\x1b[31;1mred\x9b2J\x1bP+q\x1b\\\r\n\x08\x00\x7f"
    "\u202eevil\u2066\u200b\ufeff\u2028\U000e0041"
)
"""An OSC, a CSI in C0 and in C1, a DCS, CR, LF, backspace, NUL, DEL, bidi, zero-width, tags."""

FORBIDDEN = ("\x9b", "\x90", "\x9d", "\u202e", "\u2066", "\u200b", "\ufeff", "\u2028", "\U000e0041")
EXAMPLES: dict[type, Any] = {type(reply): reply for reply in REPLIES}


def poisoned(value: Any) -> Any:
    """The same message with the evil in every text but those that programs need."""
    plain = msgspec.to_builtins(value)
    return msgspec.convert(_poisoned(plain, ""), type(value), strict=False)


_KEPT = {"type", "kind", "room", "epoch", "status", "token", "featured", "re"}
"""What a program needs, and no person sees."""


def _poisoned(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return value if name in _KEPT else value + EVIL
    if isinstance(value, dict):
        return {key: _poisoned(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_poisoned(item, name) for item in value]
    return value


_ON_ONE_LINE = EVIL.translate({ord(c): None for c in "\r\n\u2028"})
RECORD = msgspec.structs.replace(
    poisoned(EXAMPLES[Record]),
    text=f'[Game "duel"]\n[First "1"]\n[Player1 "{_ON_ONE_LINE}"]\n\n1. 3A{_ON_ONE_LINE} *\n',
)
"""A record that can be read, and is no better."""


async def _converse(socket: ServerConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        await _answer_all(socket)


async def _answer_all(socket: ServerConnection) -> None:
    async for frame in socket:
        request = MSGPACK.decode_request(frame)
        answer = _answer(request)
        answer = answer if answer is RECORD else poisoned(answer)
        await socket.send(MSGPACK.encode(msgspec.structs.replace(answer, re=request.id)))
        if answer.__struct_config__.tag == "room":
            for number, event in enumerate(_events(), SNAPSHOT.seq + 1):
                told = msgspec.structs.replace(event, room=SNAPSHOT.room, epoch=SNAPSHOT.epoch)
                told = msgspec.structs.replace(told, seq=number)
                await socket.send(MSGPACK.encode(poisoned(told)))


def _answer(request: Any) -> Any:
    match request.__struct_config__.tag:
        case "hello":
            return EXAMPLES[Welcome]
        case "join" | "watch" | "create":
            return SNAPSHOT
        case "record" | "replay":
            return RECORD
        case "seek":
            return EXAMPLES[Seeking]
        case "lobby":
            return EXAMPLES[LobbyState]
        case "leaders" | "history":
            wanted = request.__struct_config__.tag
            return next(r for r in REPLIES if r.__struct_config__.tag == wanted)
    return Error(code="not_allowed", message="No.", temporary=False)


def _events() -> list[Any]:
    return [event for event in EVENTS if isinstance(event, Moved | Said)]


@contextmanager
def hostile_hall() -> Iterator[str]:
    """Its address."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    ports: list[int] = []
    stop = asyncio.Event()

    async def open_() -> None:
        protocols = [Subprotocol(name) for name in (MSGPACK.name, "towerhall.v1.json")]
        async with serve(_converse, "127.0.0.1", 0, subprotocols=protocols) as server:
            ports.append(server.sockets[0].getsockname()[1])
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(open_()))
    thread.start()
    assert ready.wait(10)
    try:
        yield f"127.0.0.1:{ports[0]}"
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
