"""SIGTERM: the node lets everybody go, and the games go on elsewhere."""

import asyncio
import signal
import time

import pytest
from websockets.exceptions import ConnectionClosed

from end_to_end.client import Client, Message
from end_to_end.node import Node
from gateway.conftest import StartNode
from gateway.hall import LARGE, Hall, get
from gateway.peer import Peer, upgrade

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLIES = 90
LATE: dict[str, dict[str, str]] = {"create": {"game": "duel"}, "ping": {}, "join": {"room": "x"}}
FLAGS = ("--requests-per-second", "1000", "--requests-burst", "1000")


class Traveller:
    """A player that moves to the next node when its own one closes, and asks again."""

    def __init__(self, client: Client, seat: int, elsewhere: Node) -> None:
        self.client = client
        self.seat = seat
        self.elsewhere = elsewhere
        self.token = client.token
        self.accepted: dict[int, int] = {}
        self.codes: list[int | None] = []

    async def play(self, room: str) -> None:
        for ply in range(self.seat, PLIES, 2):
            while ply not in self.accepted:
                try:
                    await self._wait_for_turn(room, ply)
                    answer = await self._ask(room, ply)
                except (ConnectionClosed, asyncio.CancelledError):
                    await self._travel(room)
                    continue
                if answer["type"] == "accepted":
                    self.accepted[ply] = answer["seq"]
                else:
                    assert answer["code"] == "draining", answer

    async def _ask(self, room: str, ply: int) -> Message:
        asked = asyncio.create_task(
            self.client.asked("move", room=room, round=1, ply=ply, move="23"[self.seat])
        )
        closed = asyncio.create_task(self.client.socket.wait_closed())
        done, _ = await asyncio.wait([asked, closed], return_when=asyncio.FIRST_COMPLETED)
        if asked not in done:
            await asyncio.sleep(0)
        if not asked.done():
            asked.cancel()
        closed.cancel()
        return await asked

    async def _wait_for_turn(self, room: str, ply: int) -> None:
        """Until the move before is seen; ConnectionClosed if the node closes first."""

        def seen() -> bool:
            told = [m for m in self.client.pushed if m.get("room") == room]
            plies = [m["ply"] + 1 for m in told if m.get("kind") == "moved"]
            plies += [m["ply"] for m in told if m["type"] == "room"]
            return ply == 0 or max(plies, default=-1) >= ply

        until = time.monotonic() + 10
        while not seen():
            assert time.monotonic() < until
            if self.client.socket.close_code is not None:
                raise ConnectionClosed(None, None)
            await asyncio.sleep(0.002)

    async def _travel(self, room: str) -> None:
        self.codes.append(await self.client.closed())
        self.client = await Client.hello(self.elsewhere.url, "back", token=self.token)
        assert {"room": room, "seat": self.seat} in self.client.welcome["seats"]
        snapshot = await self.client.ask("watch", room=room)
        del snapshot["re"]
        self.client.pushed.append(snapshot)


async def seat_travellers(hall: Hall, node: Node, elsewhere: Node) -> tuple[str, list[Traveller]]:
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", node)
    table = await hall.table(ann, bob)
    both = [Traveller(ann, 0, elsewhere), Traveller(bob, 1, elsewhere)]
    return table.room, both


async def seat_stuck_peers(hall: Hall, node: Node) -> None:
    """Some that never read with their buffers full, some in the middle of a handshake."""
    ann, bob = await hall.connect("cat", node), await hall.connect("dan", node)
    table = await hall.table(ann, bob, options=LARGE)
    stuck = [await Peer.hello(node) for _ in range(10)]
    for peer in stuck:
        assert (await peer.ask("watch", room=table.code))["type"] == "room"
        peer.stop_reading()
    await table.moves(90)
    halfway = [await Peer.connect(node.port) for _ in range(5)]
    for peer in halfway:
        peer.writer.write(upgrade(node)[:-2])


async def is_refused(node: Node) -> bool:
    """Whether nobody can connect any more."""
    try:
        status, _ = await get(node, "/readyz")
    except OSError:
        return True
    return status == 503


async def test_row_33_sigterm_under_load_loses_no_move(hall: Hall, start_node: StartNode) -> None:
    node, elsewhere = await start_node(*FLAGS), await start_node(*FLAGS)
    await seat_stuck_peers(hall, node)
    games = [await seat_travellers(hall, node, elsewhere) for _ in range(8)]
    watcher = await hall.connect("watcher", elsewhere)
    playing = [asyncio.create_task(t.play(room)) for room, both in games for t in both]
    await asyncio.sleep(0.7)
    node.signal(signal.SIGTERM)
    began = time.monotonic()
    await asyncio.sleep(0.3)
    assert await is_refused(node)
    status = await asyncio.wait_for(node.process.wait(), 15)
    assert time.monotonic() - began < 10
    assert status == 0
    await asyncio.wait_for(asyncio.gather(*playing), 30)
    travellers = [traveller for _, both in games for traveller in both]
    assert {code for traveller in travellers for code in traveller.codes} == {4001}
    for room, both in games:
        record = await both[0].client.ask("record", room=room)
        moves = [frame["move"] for frame in record["frames"][1:]]
        assert moves == ["2", "3"] * (PLIES // 2)
        accepted = both[0].accepted | both[1].accepted
        # seated, seated, started, and then nothing but moves
        assert accepted == {ply: ply + 4 for ply in range(PLIES)}
    assert (await watcher.ask("ping"))["type"] == "pong"
    for traveller in travellers:
        await traveller.client.close()


async def test_row_33_a_node_that_drains_takes_no_new_work(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    await table.moves(2)
    hall.store.freeze()
    asked = asyncio.create_task(ann.asked("move", room=table.room, round=1, ply=2, move="2"))
    await asyncio.sleep(0.2)
    node.signal(signal.SIGTERM)
    await asyncio.sleep(0.2)
    # The move in hand is waited for; whatever comes behind it is for another node.
    late = [asyncio.create_task(ann.asked(kind, **more)) for kind, more in LATE.items()]
    await asyncio.sleep(0.2)
    hall.store.thaw()
    errors = await asyncio.gather(*late)
    assert {error["type"] for error in errors} == {"error"}
    assert {(error["code"], error["temporary"]) for error in errors} == {("draining", True)}
    assert (await asked)["type"] == "accepted"
    assert await ann.closed() == 4001
    assert (await bob.event("moved", ply=2))["move"] == "2"
    assert await node.process.wait() == 0
    returned = await hall.connect("ann", 1, token=ann.token)
    assert returned.welcome["seats"] == [{"room": table.room, "seat": 0}]


async def test_row_33_who_leaves_a_draining_node_is_not_shown_away_elsewhere(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    node.signal(signal.SIGTERM)
    assert await ann.closed() == 4001
    back = await hall.connect("ann", 1, token=ann.token)
    snapshot = await back.ask("watch", room=table.room)
    assert [seat["online"] for seat in snapshot["seats"]] == [True, True]
    assert await node.process.wait() == 0
    # What the node says of itself at its end must not take back what another says since.
    await asyncio.sleep(0.5)
    last = [m for m in bob.pushed if m["type"] == "presence"][-1]
    assert last["seats"][0]["online"]
