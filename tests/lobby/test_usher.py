"""Who is shown to a room that was made for them."""

from lobby.node import DUEL, Guest, Node
from store.hall import eventually
from towerhall_server.lobby.usher import MOST_ROOMS


async def room_of(node: Node, ann: Guest, bob: Guest) -> str:
    return (await node.referee.pair("a pairing", DUEL, (ann.player, bob.player), 0)).room


async def test_a_connection_with_a_hundred_rooms_is_shown_no_more_of_them(node: Node) -> None:
    assert MOST_ROOMS == 100
    full, other = node.arrive("ann", MOST_ROOMS), node.arrive("robert", MOST_ROOMS - 1)
    room = await room_of(node, full, other)
    for guest in (full, other):
        node.usher.tell(guest.player.player, room)
    await eventually(lambda: other.shown == [room])
    assert full.shown == []
    assert (len(full.rooms), len(other.rooms)) == (100, 100)
    assert node.hub.rooms == 1


async def test_the_other_connections_of_a_full_ones_player_are_shown_the_room(node: Node) -> None:
    full, other = node.arrive("ann", MOST_ROOMS), node.arrive("robert")
    also = Guest("ann")
    node.here[full.player.player].append(also)
    room = await room_of(node, full, other)
    node.usher.tell(full.player.player, room)
    await eventually(lambda: also.shown == [room])
    assert full.shown == []


async def test_a_room_is_shown_once_however_often_it_is_told(node: Node) -> None:
    ann, bob = node.arrive("ann"), node.arrive("robert")
    room = await room_of(node, ann, bob)
    for _ in range(3):
        node.usher.tell(ann.player.player, room)
    await eventually(lambda: bool(ann.shown))
    node.usher.tell(ann.player.player, room)
    assert ann.shown == [room]
