"""A player's connections over all nodes: counted once each, and the oldest yield."""

from store.conftest import Open
from store.valkey import Valkey
from towerhall_server.store import new_player
from towerhall_server.store.keys import LOBBY_KEYS, lines_key

ANN = new_player("00" * 32)


async def test_the_oldest_yield_on_their_own_node(server: Valkey, open_hall: Open) -> None:
    halls = [await open_hall(server, name) for name in "ab"]
    for hall in halls:
        await hall.store.seeks.renew({}, 1)
    one, other = [hall.store.lines for hall in halls]
    assert await one.enter(ANN, "1", 3) == []
    assert await other.enter(ANN, "1", 3) == []
    assert await one.enter(ANN, "2", 3) == []
    assert await other.enter(ANN, "2", 3) == [], "it is the other node's that yields"
    assert await other.yielding() == []
    assert await one.yielding() == ["1"]
    assert await one.yielding() == [], "each is told once"
    assert await other.enter(ANN, "3", 3) == ["1"]
    assert server.call("ZRANGE", lines_key(ANN), 0, -1) == [b"a 2", b"b 2", b"b 3"]


async def test_who_left_is_not_counted(server: Valkey, open_hall: Open) -> None:
    lines = (await open_hall(server, "a")).store.lines
    for number in range(10):
        assert await lines.enter(ANN, str(number), 2) == []
        await lines.leave(ANN, str(number))
    assert server.call("EXISTS", lines_key(ANN)) == 0


async def test_the_connections_of_a_node_that_died_are_not_counted(
    server: Valkey, open_hall: Open
) -> None:
    halls = [await open_hall(server, name) for name in "ab"]
    for hall in halls:
        await hall.store.seeks.renew({}, 1)
    dead, here = [hall.store.lines for hall in halls]
    assert await here.enter(ANN, "1", 2) == []
    assert await dead.enter(ANN, "1", 2) == []
    server.call("HSET", LOBBY_KEYS.nodes, "a", "1 1")
    assert await here.enter(ANN, "2", 2) == []
    assert server.call("ZRANGE", lines_key(ANN), 0, -1) == [b"b 1", b"b 2"]


async def test_a_players_connections_are_no_concern_of_others(
    server: Valkey, open_hall: Open
) -> None:
    lines = (await open_hall(server, "a")).store.lines
    for player in (ANN, new_player("01" * 32)):
        assert await lines.enter(player, player[:4], 1) == []
        assert server.call("PTTL", lines_key(player)) > 0, "it is forgotten one day"
