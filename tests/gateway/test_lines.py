"""The connections of a node, where the store's answers or its lists were lost."""

import asyncio
from typing import Any

import pytest

from lobby.conftest import node, open_hall, server, shared_server
from lobby.node import Node
from store.hall import eventually
from store.valkey import Valkey
from towerhall_server.gateway import lines as gateway_lines
from towerhall_server.gateway.lines import Lines
from towerhall_server.store import Unknown, new_player
from towerhall_server.store.keys import lines_key

__all__ = ["node", "open_hall", "server", "shared_server"]

ANN = new_player("00" * 32)


class Session:
    def __init__(self) -> None:
        self.open = True

    def close(self, code: int, reason: str) -> None:
        self.open = False


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_lines, "LOOK_S", 0.01)
    monkeypatch.setattr(gateway_lines, "MEND_EVERY", 3)


async def test_connections_that_were_taken_out_of_the_list_are_counted_again(
    node: Node, server: Valkey
) -> None:
    lines, sessions = Lines(node.store, 2), [Session() for _ in range(3)]
    named: list[Any] = list(sessions)
    for session in named[:2]:
        await lines.enter(session, ANN)
    server.call("DEL", lines_key(ANN))
    running = asyncio.create_task(lines.run())
    await eventually(lambda: server.call("ZRANGE", lines_key(ANN), 0, -1) == [b"a 1", b"a 2"])
    await lines.enter(named[2], ANN)
    running.cancel()
    assert [session.open for session in sessions] == [False, True, True]


async def test_who_left_while_the_store_did_not_answer_is_taken_out_later(
    node: Node, server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = Lines(node.store, 2)
    session: Any = Session()
    await lines.enter(session, ANN)
    leave, tries = node.store.lines.leave, 0

    async def lost(player: str, line: str) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise Unknown("no answer")
        await leave(player, line)

    monkeypatch.setattr(node.store.lines, "leave", lost)
    lines.leave(session, ANN)
    await eventually(lambda: tries == 1)
    assert server.call("EXISTS", lines_key(ANN)) == 1
    running = asyncio.create_task(lines.run())
    await eventually(lambda: server.call("EXISTS", lines_key(ANN)) == 0)
    await asyncio.sleep(0.1)
    running.cancel()
    assert tries == 2
