"""The client's connection on a hall of several nodes: whatever dies, nothing is lost or doubled."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from end_to_end.conftest import Connect, StartNode
from end_to_end.node import Node
from server.hall_process import eventually
from towerhall_client.addresses import Address
from towerhall_client.connection import Connection, Gone, News, Trouble
from towerhall_client.exits import Dropped, NoConnection, Refused
from towerhall_client.identity import Identity
from towerhall_client.sitting import Sitting
from towerhall_client.tokens import Tokens
from towerhall_protocol.events import Moved
from towerhall_protocol.replies import Room
from towerhall_protocol.requests import Create, Join, Watch

PATIENCE_S = 60

pytestmark = pytest.mark.timeout(240)

Visit = Callable[..., Awaitable[Connection]]


@pytest.fixture
async def visit(tmp_path: Path) -> AsyncIterator[Visit]:
    """`await visit("ann", node, other)`: a client that knows these addresses."""
    opened: list[Connection] = []

    async def come(name: str, *nodes: Node, patience_s: float | None = None) -> Connection:
        addresses = tuple(Address("127.0.0.1", node.port) for node in nodes)
        identity = Identity(name, Tokens(addresses, tmp_path))
        connection = Connection(addresses, identity, patience_s)
        await connection.open()
        opened.append(connection)
        return connection

    yield come
    for connection in opened:
        await connection.close()


async def seated(ann: Connection, bob: Connection) -> tuple[Sitting, Sitting]:
    """A chain that doubles, so that every ply has one move of its own."""
    room = await ann.ask_keyed(Room, Create, game="chain", first="creator", clock=None)
    return Sitting(room, ann), Sitting(await bob.ask(Room, Join, room=room.code), bob)


async def test_a_game_goes_on_at_another_node_when_its_own_is_killed(
    start_node: StartNode, visit: Visit
) -> None:
    one, two = await start_node(), await start_node()
    ann, bob = await seated(await visit("ann", one, two), await visit("bob", two))
    await ann.move("2")
    await eventually(lambda: bob.room.ply == 1, PATIENCE_S)
    one.signal(signal.SIGKILL)
    await bob.move("4")
    await eventually(lambda: ann.room.ply == 2, PATIENCE_S)
    await ann.move("8")
    await eventually(lambda: bob.room.ply == 3, PATIENCE_S)
    assert [made.move for made in ann.room.moves] == ["2", "4", "8"]
    assert ann.connection.address.port == two.port
    assert ann.room.you == 0, "the same player, in the same seat"


async def test_a_move_asked_while_the_node_dies_is_made_once(
    start_node: StartNode, visit: Visit
) -> None:
    one, two = await start_node(), await start_node()
    ann, bob = await seated(await visit("ann", one, two), await visit("bob", two))
    heard: list[News] = []
    bob.changed = lambda before, news: heard.append(news)
    moving = asyncio.create_task(ann.move("2"))
    one.signal(signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_S):
        await moving
    await eventually(lambda: bob.room.ply == 1, PATIENCE_S)
    await eventually(lambda: ann.room.ply == 1, PATIENCE_S)
    assert [news.move for news in heard if isinstance(news, Moved)] == ["2"]


async def test_a_node_that_closes_sends_its_players_elsewhere(
    start_node: StartNode, visit: Visit
) -> None:
    one, two = await start_node(), await start_node()
    ann, bob = await seated(await visit("ann", one, two), await visit("bob", two))
    troubles: list[Trouble | None] = []
    ann.connection.line = troubles.append
    await one.stop()
    await eventually(lambda: None in troubles, PATIENCE_S)
    await ann.move("2")
    await eventually(lambda: bob.room.ply == 1, PATIENCE_S)


async def test_a_line_that_stays_down_is_given_up_after_a_while(
    start_node: StartNode, visit: Visit
) -> None:
    node = await start_node()
    ann = await visit("ann", node, patience_s=0.5)
    asking = asyncio.create_task(ann.ask(Room, Create, game="duel"))
    node.signal(signal.SIGSTOP)
    node.signal(signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(Dropped, match="did not come back"):
            await asking
            await ann.ended
            raise ann.ended.result()


async def test_the_oldest_of_too_many_connections_ends_and_does_not_come_back(
    node: Node, visit: Visit
) -> None:
    ann, *others = [await visit("ann", node) for _ in range(6)]
    async with asyncio.timeout(PATIENCE_S):
        stop = await ann.ended
    assert "oldest" in stop.sentence
    assert not any(other.ended.done() for other in others)
    with pytest.raises(Dropped):
        await ann.ask(Room, Watch, room="K7Q2MX")


async def test_a_program_whose_line_is_lost_for_good_ends_with_exit_code_6(
    node: Node, visit: Visit, tmp_path: Path
) -> None:
    ann = await visit("ann", node)
    room = await ann.ask_keyed(Room, Create, game="duel")
    (tmp_path / "towerhall").symlink_to(tmp_path)  # where the program looks for ann's token
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "towerhall_client", "watch", room.code, "--name", "ann"),
        *("--server", f"127.0.0.1:{node.port}"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
    )
    assert program.stdout
    await program.stdout.readline()
    for _ in range(5):
        await visit("ann", node)
    async with asyncio.timeout(PATIENCE_S):
        _, problems = await program.communicate()
    assert program.returncode == 6
    assert b"this was the oldest" in problems


async def test_a_token_that_the_hall_lost_makes_a_new_player(
    node: Node, visit: Visit, tmp_path: Path
) -> None:
    address = Address("127.0.0.1", node.port)
    Tokens((address,), tmp_path).keep("ann", "x" * 43)
    ann = await visit("ann", node)
    assert ann.welcome.player.name == "ann"
    token = Tokens((address,), tmp_path).find("ann")
    assert token is not None and token != "x" * 43
    assert (await visit("ann", node)).welcome.player == ann.welcome.player


async def test_a_watcher_of_a_private_room_resumes_by_its_code(
    start_node: StartNode, visit: Visit
) -> None:
    one, two = await start_node(), await start_node()
    ann, bob = await seated(await visit("ann", two), await visit("bob", two))
    eve = await visit("eve", one, two)
    watching = Sitting(await eve.ask(Room, Watch, room=ann.room.code), eve)
    heard: list[News] = []
    watching.changed = lambda before, news: heard.append(news)
    one.signal(signal.SIGKILL)
    await ann.move("2")
    await eventually(lambda: bob.room.ply == 1, PATIENCE_S)
    await bob.move("4")
    await eventually(lambda: watching.room.ply == 2, PATIENCE_S)
    assert not [news for news in heard if isinstance(news, Gone)]
    assert watching.seating.watching


async def test_no_address_that_answers_is_no_connection(visit: Visit, node: Node) -> None:
    await node.kill()
    with pytest.raises(NoConnection, match="nothing listens there"):
        await visit("ann", node)


async def test_what_an_independent_client_says_is_heard(
    node: Node, visit: Visit, connect: Connect
) -> None:
    ann = await visit("ann", node)
    room = await ann.ask_keyed(Room, Create, game="duel", first="creator")
    sitting = Sitting(room, ann)
    bob = await connect(node, "bob", "json")
    await bob.ask("join", room=room.code)
    await bob.ask("say", room=room.room, text="good luck")
    await eventually(lambda: bool(sitting.table.lines), PATIENCE_S)
    await eventually(lambda: sitting.table.lines[-1].text == "bob: good luck", PATIENCE_S)
    with pytest.raises(Refused, match="9") as refused:
        await sitting.move("9A")
    assert refused.value.error.code == "illegal_move"
