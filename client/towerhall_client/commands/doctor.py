"""`towerhall doctor`: can the hall be reached from here, and how well?

Each finding is a line: ok, or what is wrong and what to do about it.
"""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import version

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from towerhall_client.addresses import Address
from towerhall_client.dialling import CannotConnect, dial, open_socket, reason_of
from towerhall_client.exits import ExitCode
from towerhall_client.identity import Identity
from towerhall_client.tokens import Tokens
from towerhall_client.visit import UNKEPT, Visit
from towerhall_protocol import JSON, MSGPACK, CodecError
from towerhall_protocol.replies import Beat, Pong, Welcome
from towerhall_protocol.requests import Ping

PINGS = 10
SLOW_MS = 300
DRIFT_MS = 500
PROXY_HEADERS = ("Via", "X-Cache", "CF-Ray", "X-Served-By")


@dataclass(frozen=True)
class Finding:
    what: str
    ok: bool
    text: str


async def run(visit: Visit) -> ExitCode:
    sound = ExitCode.DONE
    for address in visit.addresses:
        if not visit.output.json:
            visit.output.line(f"{address.place} (towerhall {version('towerhall')} here)")
        async for finding in _examine(visit, address):
            _print(visit, address, finding)
            if not finding.ok:
                sound = ExitCode.NO_CONNECTION
    return sound


def _print(visit: Visit, address: Address, finding: Finding) -> None:
    if visit.output.json:
        row = {"server": address.server, "check": finding.what, "ok": finding.ok}
        visit.output.object({**row, "text": finding.text})
    else:
        visit.output.line(f"  {'ok ' if finding.ok else 'BAD'} {finding.what:<12} {finding.text}")


async def _examine(visit: Visit, address: Address) -> AsyncIterator[Finding]:
    started = time.monotonic()
    try:
        _, writer = await asyncio.wait_for(
            asyncio.open_connection(address.host, address.port), timeout=6
        )
    except (OSError, TimeoutError) as error:
        yield Finding(
            "reach", False, f"{reason_of(error)}. Is the address right, and the hall open?"
        )
        return
    writer.close()
    yield Finding("reach", True, f"connected in {_ms(started)} ms")
    try:
        (await open_socket(address, JSON)).transport.abort()
        yield Finding("json", True, f"{JSON.name} is spoken")
        identity = Identity(visit.name, Tokens((address,)))
        socket, welcome = await dial(address, identity)
    except CannotConnect as reason:
        yield Finding("welcome", False, f"{reason}")
        return
    if identity.unkept:
        yield Finding("identity", False, f"{UNKEPT} ({identity.unkept})")
    try:
        async for finding in _converse(visit, socket, welcome):
            yield finding
    except (ConnectionClosed, TimeoutError, CodecError):
        advice = "The connection broke while nothing was wrong: look at what is in between."
        yield Finding("line", False, advice)
    finally:
        socket.transport.abort()


async def _converse(
    visit: Visit, socket: ClientConnection, welcome: Welcome
) -> AsyncIterator[Finding]:
    server = welcome.server
    yield Finding("welcome", True, f"as {welcome.player.name}, with {socket.subprotocol}")
    same = server.version == version("towerhall")
    text = f"{server.version}, node {server.node}"
    yield Finding("version", True, text if same else f"{text}; here {version('towerhall')}")
    response = socket.response
    via = [name for name in PROXY_HEADERS if response and name in response.headers]
    yield Finding("between", True, f"a proxy ({', '.join(via)})" if via else "no proxy is seen")
    trips, pong = await _round_trips(socket)
    middle = statistics.median(trips)
    text = f"median {middle:.1f} ms, worst {max(trips):.1f} ms of {PINGS}"
    yield Finding("round trip", middle < SLOW_MS, text)
    async for finding in _listen(socket, welcome, pong, visit.args.idle):
        yield finding


async def _round_trips(socket: ClientConnection) -> tuple[list[float], tuple[int, float]]:
    """And what the hall's clock said at the last of them, with when that was here."""
    trips, told = [], (0, 0.0)
    for number in range(2, PINGS + 2):
        sent = time.monotonic()
        await socket.send(MSGPACK.encode(Ping(id=number)))
        async with asyncio.timeout(10):
            while not isinstance(pong := await _heard(socket), Pong):
                pass
        trips.append(1000 * (time.monotonic() - sent))
        told = (pong.now_ms, (sent + time.monotonic()) / 2)
    return trips, told


async def _listen(
    socket: ClientConnection, welcome: Welcome, pong: tuple[int, float], idle_s: float | None
) -> AsyncIterator[Finding]:
    """Silent for a while: a proxy that cuts idle lines, or keeps things back, shows itself."""
    beat_s = welcome.beat_ms / 1000
    gaps: list[float] = []
    last, until = time.monotonic(), time.monotonic() + (idle_s or 2.2 * beat_s)
    beat: tuple[int, float] | None = None
    while time.monotonic() < until or beat is None:
        async with asyncio.timeout(3 * beat_s):
            message = await _heard(socket)
        if isinstance(message, Beat):
            gaps.append(time.monotonic() - last)
            last = time.monotonic()
            beat = (message.now_ms, last)
    late = max(gaps) > 1.6 * beat_s
    text = f"beats every {beat_s:g} s, the longest gap {max(gaps):.1f} s"
    advice = "; something in between keeps messages back" if late else ""
    yield Finding("idle line", not late, f"{text}{advice}")
    drift = abs((beat[0] - pong[0]) - 1000 * (beat[1] - pong[1]))
    text = f"ran within {drift:.0f} ms of this machine's"
    yield Finding("hall clock", drift < DRIFT_MS, text)


async def _heard(socket: ClientConnection) -> object:
    return MSGPACK.decode_server_message(await socket.recv())


def _ms(since: float) -> str:
    return f"{1000 * (time.monotonic() - since):.1f}"
