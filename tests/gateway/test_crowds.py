"""Everybody at once, and no files left."""

import asyncio
import contextlib
import json
import resource
import sys
import time
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import NamedTuple

import pytest

from end_to_end.node import Node
from gateway.conftest import StartNode
from gateway.hall import Hall, Table, figure, get
from gateway.peer import Peer

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Outcome(NamedTuple):
    served: int
    refused: int
    waiting: int
    slowest: float


class Crowd:
    """Many connects at once, from a process of its own: it must not slow the players down."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.came = asyncio.ensure_future(self._come())

    @classmethod
    async def rush(cls, node: Node, size: int, patience: float) -> "Crowd":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(Path(__file__).with_name("crowd.py"))),
            *(str(node.port), str(size), str(patience)),
            stdin=PIPE,
            stdout=PIPE,
        )
        return cls(process)

    async def leave(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        await self._process.wait()

    async def _come(self) -> Outcome:
        assert self._process.stdout
        return Outcome(**json.loads(await self._process.stdout.readline()))


async def slowest_move(table: Table, until: "asyncio.Future[Outcome]") -> float:
    slowest = 0.0
    while not until.done() and table.ply < 98:
        began = time.monotonic()
        await table.move()
        slowest = max(slowest, time.monotonic() - began)
        await asyncio.sleep(0.05)
    return slowest


async def table_at(hall: Hall, node: Node) -> Table:
    return await hall.table(await hall.connect("ann", node), await hall.connect("bob", node))


async def test_row_34_a_rush_of_connects_is_served_and_games_keep_moving(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    table = await table_at(hall, node)
    crowd = await Crowd.rush(node, 2000, patience=15)
    assert await slowest_move(table, crowd.came) < 2
    outcome = await crowd.came
    assert outcome.waiting == 0
    assert outcome.served >= 1900
    assert outcome.slowest < 10
    await crowd.leave()


async def test_row_34_a_full_hall_refuses_quickly(hall: Hall, start_node: StartNode) -> None:
    node = await start_node("--connections-max", "50")
    table = await table_at(hall, node)
    crowd = await Crowd.rush(node, 300, patience=15)
    assert await slowest_move(table, crowd.came) < 2
    outcome = await crowd.came
    assert outcome.waiting == 0
    assert outcome.served <= 48
    assert outcome.slowest < 5
    await crowd.leave()


async def test_row_34_without_files_left_newcomers_are_refused_and_games_keep_moving(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    table = await table_at(hall, node)
    resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE, (600, 600))
    crowd = await Crowd.rush(node, 1500, patience=4)
    assert await slowest_move(table, crowd.came) < 2
    outcome = await crowd.came
    assert outcome.waiting == 0
    assert outcome.served > 200
    assert len(node.log) < 20, node.log[:5]
    # Those who were refused and do not hang up are cut after two seconds.
    await asyncio.sleep(2.5)
    assert (await get(node, "/readyz"))[0] == 200
    await crowd.leave()
    await asyncio.sleep(0.5)
    await Peer.hello(node)
    await table.moves(2)


async def test_row_34_silent_connections_do_not_keep_others_out_for_long(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    table = await table_at(hall, node)
    resource.prlimit(node.process.pid, resource.RLIMIT_NOFILE, (120, 120))
    for _ in range(300):
        await Peer.connect(node.port)
    began = time.monotonic()
    while time.monotonic() - began < 10:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await Peer.hello(node)
            break
        await asyncio.sleep(0.5)
    else:
        pytest.fail("nobody gets in for ten seconds")
    await table.moves(2)
    assert await figure(node, "towerhall_connections") <= 120
