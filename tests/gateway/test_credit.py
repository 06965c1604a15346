"""A slow line is given back its time; who only answers pings late is given little."""

import asyncio

import pytest

from gateway.conftest import StartNode
from gateway.hall import Hall
from gateway.peer import PING, PONG, Peer

pytestmark = pytest.mark.asyncio(loop_scope="session")

HELD_S = 0.45
THOUGHT_S = 0.35


async def pong_late(peer: Peer) -> None:
    while True:
        opcode, payload = await asyncio.wait_for(peer.receive(), 10)
        if opcode == PING:
            await asyncio.sleep(HELD_S)
            peer.send(PONG, payload)
            return


async def given_ms(hall: Hall, start_node: StartNode, *flags: str) -> tuple[int, int]:
    """The time a move took of somebody whose pong came late, and how much was given back of it."""
    node = await start_node(*flags)
    ann, bob = await Peer.hello(node), await hall.connect("bob", node)
    clock = {"initial_ms": 60_000, "increment_ms": 0}
    opened = await ann.ask("create", game="strangers", first="creator", clock=clock)
    await pong_late(ann)
    started = (await bob.ask("join", room=opened["code"]))["clocks"]
    await asyncio.sleep(THOUGHT_S)
    await ann.ask("move", room=opened["room"], round=1, ply=0, move="2")
    moved = await bob.event("moved", ply=0)
    took = moved["at_ms"] - started["at_ms"]
    assert took >= THOUGHT_S * 1000 - 50
    return took, took - (60_000 - int(moved["clocks"]["remaining_ms"][0]))


async def test_the_time_of_a_slow_line_is_given_back(hall: Hall, start_node: StartNode) -> None:
    # Behind a proxy only the pong can tell how far away the player is.
    took, given = await given_ms(hall, start_node, "--trusted-proxy", "127.0.0.1")
    assert given >= min(took, HELD_S * 1000) - 5


async def test_a_pong_held_back_earns_no_time(hall: Hall, start_node: StartNode) -> None:
    _, given = await given_ms(hall, start_node)
    assert given < 200
