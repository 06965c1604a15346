"""Strangers who look for an opponent."""

import asyncio
from typing import Any

import pytest

from end_to_end.client import Client, Message, ServerError
from end_to_end.conftest import Connect, StartNode
from end_to_end.node import Node
from store.valkey import Valkey
from towerhall_server.store import RedisStore
from towerhall_server.store.keys import LOBBY_KEYS


async def paired(client: Client, patience: float = 10.0) -> Message:
    """The snapshot that came with `paired`."""
    told = await client.until(lambda message: message["type"] == "paired", patience)
    assert told["snapshot"]["room"] == told["room"]
    snapshot: Message = told["snapshot"]
    return snapshot


async def seek(client: Client, **fields: Any) -> Message:
    found: Message = (await client.ask("seek", **({"game": "duel"} | fields)))["seek"]
    return found


async def test_two_strangers_play_a_match(node: Node, connect: Connect) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob", "json")
    sought = await seek(ann)
    assert sought["since_ms"] > 0
    assert (sought["rounds"], sought["rated"], sought["preset"]) == (2, True, "classic")
    await seek(bob)
    one, other = await paired(ann), await paired(bob)
    assert one["room"] == other["room"]
    assert {one["you"], other["you"]} == {0, 1}
    assert one["status"] == "live"
    assert (one["rated"], one["listed"], one["rounds"]) == (True, True, 2)
    assert [seat["name"] for seat in one["seats"]] == ["ann", "bob"]
    mover = (ann, bob)[one["turn"]]
    await mover.move(one["room"], 0, one["legal"][0])
    for client in (ann, bob):
        await client.event("moved", room=one["room"], ply=0)


async def test_strangers_on_two_nodes_meet(start_node: StartNode, connect: Connect) -> None:
    ann = await connect(await start_node(), "ann")
    bob = await connect(await start_node(), "bob")
    await seek(ann)
    await seek(bob)
    assert (await paired(ann))["room"] == (await paired(bob))["room"]


async def test_a_room_of_strangers_is_in_their_seats(node: Node, connect: Connect) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    await seek(ann)
    await seek(bob)
    room = (await paired(bob))["room"]
    again = await connect(node, "bob", token=bob.token)
    assert [seat["room"] for seat in again.welcome["seats"]] == [room]
    assert again.welcome["seeking"] is None


async def test_equal_seeks_are_equal_by_what_they_come_to(node: Node, connect: Connect) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    spelled = {"pool": 20, "copies": 1, "one_may_open": False}
    first = await seek(ann, game="strangers", options=spelled)
    assert first["preset"] == "singles"
    await seek(bob, game="strangers", preset="singles")
    assert (await paired(ann))["preset"] == "singles"


@pytest.mark.parametrize(
    "other", [{"rated": False}, {"clock": None}, {"rounds": 4}, {"preset": "grand"}]
)
async def test_unequal_seeks_do_not_meet(
    node: Node, connect: Connect, other: dict[str, object]
) -> None:
    ann, bob, cid = [await connect(node, name) for name in ("ann", "bob", "cid")]
    await seek(ann)
    await seek(bob, **other)
    await seek(cid, **other)
    assert (await paired(bob))["room"] == (await paired(cid))["room"]
    assert not [message for message in ann.pushed if message["type"] == "paired"]


async def test_a_seek_is_rated_where_it_may_be(node: Node, connect: Connect) -> None:
    ann = await connect(node, "ann")
    assert (await seek(ann))["rated"]
    assert not (await seek(ann, rated=False))["rated"]
    assert not (await seek(ann, rounds=1))["rated"]
    assert not (await seek(ann, game="strangers"))["rated"]
    with pytest.raises(ServerError) as refused:
        await seek(ann, rounds=3, rated=True)
    assert refused.value.code == "not_allowed"
    assert "even" in refused.value.error["message"]


async def test_a_refused_seek_leaves_the_one_before_it(node: Node, connect: Connect) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    await seek(ann)
    for bad in ({"game": "chess"}, {"options": {"tiles": 99}}, {"rounds": 3, "rated": True}):
        with pytest.raises(ServerError):
            await seek(ann, **bad)
    await seek(bob)
    assert (await paired(ann))["room"] == (await paired(bob))["room"]


async def test_who_gave_up_is_not_paired(node: Node, connect: Connect) -> None:
    ann, bob, cid = [await connect(node, name) for name in ("ann", "bob", "cid")]
    await seek(ann)
    for _ in range(2):
        assert (await ann.ask("unseek"))["type"] == "ok"
    await seek(bob)
    await seek(cid)
    assert [seat["name"] for seat in (await paired(bob))["seats"]] == ["bob", "cid"]


async def lapse(store: Valkey, player: str) -> None:
    """As when all nodes of the player are stopped for a while, and another one sees that."""
    other = await RedisStore.open(store.url, "other", lambda *_: None, lambda: None)
    store.call("ZADD", LOBBY_KEYS.leases, 1, player)
    await other.seeks.renew({})
    await other.close()


async def test_what_was_given_up_on_one_node_is_not_brought_back_by_another(
    start_node: StartNode, store: Valkey, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, wes = await connect(here, "ann"), await connect(here, "wes")
    also = await connect(there, "ann", token=ann.token)
    first = await seek(ann)
    assert await seek(also) == first
    await lapse(store, ann.player)
    await ann.ask("unseek")
    for _ in range(5):
        await asyncio.sleep(1)
        assert (await wes.ask("lobby", on=False))["seeks"] == []


async def test_a_newer_seek_on_one_node_is_not_replaced_by_what_another_kept(
    start_node: StartNode, store: Valkey, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, wes = await connect(here, "ann"), await connect(here, "wes")
    also = await connect(there, "ann", token=ann.token)
    await seek(ann)
    await seek(also)
    await lapse(store, ann.player)
    newer = await seek(ann, game="chain")
    for _ in range(5):
        await asyncio.sleep(1)
        (row,) = (await wes.ask("lobby", on=False))["seeks"]
        assert (row["game"], row["count"]) == ("chain", 1)
    await ann.close()  # the other node keeps it now
    again = await connect(there, "ann", token=ann.token)
    assert again.welcome["seeking"] == newer


async def test_two_connections_of_a_player_are_not_paired(node: Node, connect: Connect) -> None:
    ann = await connect(node, "ann")
    also = await connect(node, "ann", token=ann.token)
    first, second = await seek(ann), await seek(also)
    assert first == second
    bob = await connect(node, "bob")
    await seek(bob)
    rooms = {(await paired(client))["room"] for client in (ann, also, bob)}
    assert len(rooms) == 1


async def test_every_connection_of_a_player_is_told(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, bob = await connect(here, "ann"), await connect(here, "bob")
    also = await connect(there, "ann", token=ann.token)
    await seek(ann)
    await seek(bob)
    assert (await paired(also))["you"] == (await paired(ann))["you"]


async def test_a_resent_seek_gets_its_answer_and_its_room_again(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, bob = await connect(here, "ann"), await connect(here, "bob")
    first = await seek(ann, key="mine")
    await seek(bob)
    room = (await paired(ann))["room"]
    again = await connect(there, "ann", token=ann.token)
    assert await seek(again, key="mine") == first
    assert (await paired(again))["room"] == room
    assert [seat["room"] for seat in again.welcome["seats"]] == [room]


async def test_a_key_gets_the_first_seek_however_it_is_sent_again(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, bob = await connect(here, "ann"), await connect(here, "bob")
    also = await connect(there, "ann", token=ann.token)
    first = await seek(ann, key="mine")
    asked = [seek(one, game="chain", rated=False, key="mine") for one in (ann, also) * 2]
    assert await asyncio.gather(*asked) == [first] * 4
    lobby = await bob.ask("lobby", on=False)
    assert [(row["game"], row["count"]) for row in lobby["seeks"]] == [("duel", 1)]
    await ann.close()  # the other connection keeps it, as what it is
    await asyncio.sleep(3)
    await seek(bob)
    room = (await paired(also))["room"]
    assert (await paired(bob))["room"] == room
    assert await seek(also, game="builder", key="mine") == first
    again = await connect(here, "ann", token=ann.token)
    assert await seek(again, game="builder", key="mine") == first
    assert (await paired(again))["room"] == room


async def test_of_different_seeks_at_once_with_one_key_one_is_made(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann = await connect(here, "ann")
    also = await connect(there, "ann", token=ann.token)
    for number in range(10):
        key, rounds = f"k{number}", number % 8 * 2 + 2
        one, other = await asyncio.gather(
            seek(ann, rounds=rounds, key=key), seek(also, game="chain", rounds=rounds, key=key)
        )
        assert one == other


async def test_a_full_player_who_sends_a_seek_again_gets_its_answer(
    start_node: StartNode, connect: Connect
) -> None:
    node = await start_node("--requests-burst", "100")
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    first = await seek(ann, key="mine")
    await seek(bob)
    room = (await paired(ann))["room"]
    for _ in range(19):
        opened = await ann.ask("create", game="duel")
        await ann.ask("unwatch", room=opened["room"])
    with pytest.raises(ServerError) as refused:
        await seek(ann, key="another")
    assert refused.value.code == "too_many"
    again = await connect(node, "ann", token=ann.token)
    assert await seek(again, key="mine") == first
    assert (await paired(again))["room"] == room


async def test_a_seek_that_lapsed_and_is_sent_again_is_a_new_one(
    start_node: StartNode, store: Valkey, connect: Connect
) -> None:
    node = await start_node("--requests-burst", "100")
    ann = await connect(node, "ann")
    await seek(ann, key="mine")
    await ann.close()
    await lapse(store, ann.player)
    again = await connect(node, "ann", token=ann.token)
    for _ in range(20):
        opened = await again.ask("create", game="duel")
        await again.ask("unwatch", room=opened["room"])
    with pytest.raises(ServerError) as refused:
        await seek(again, key="mine")
    assert refused.value.code == "too_many"


async def test_who_returns_in_time_keeps_the_place(start_node: StartNode, connect: Connect) -> None:
    here, there = await start_node(), await start_node()
    ann = await connect(here, "ann")
    sought = await seek(ann)
    ann.drop()
    again = await connect(there, "ann", token=ann.token)
    assert again.welcome["seeking"] == sought
    bob = await connect(here, "bob")
    await seek(bob)
    assert (await paired(again))["room"] == (await paired(bob))["room"]


async def test_who_has_twenty_rooms_may_not_seek(start_node: StartNode, connect: Connect) -> None:
    ann = await connect(await start_node("--requests-burst", "100"), "ann")
    for _ in range(20):
        opened = await ann.ask("create", game="duel")
        await ann.ask("unwatch", room=opened["room"])
    with pytest.raises(ServerError) as refused:
        await seek(ann)
    assert (refused.value.code, refused.value.error["temporary"]) == ("too_many", True)


async def test_last_opponents_who_are_alone_are_paired_again(node: Node, connect: Connect) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    for client in (ann, bob):
        await seek(client)
    first = (await paired(ann))["room"]
    await paired(bob)
    for client in (ann, bob):
        client.pushed.clear()
        await seek(client)
    assert (await paired(ann, 15))["room"] == (await paired(bob))["room"] != first


async def test_without_its_store_the_hall_answers_unavailable(
    node: Node, store: Valkey, connect: Connect
) -> None:
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    store.freeze()
    await asyncio.sleep(2.5)
    for kind, fields in (("seek", {"game": "duel"}), ("unseek", {}), ("lobby", {"on": True})):
        told = await ann.asked(kind, **fields)
        assert (told["code"], told["temporary"]) == ("unavailable", True)
    store.thaw()
    for _ in range(100):
        if (await ann.asked("seek", game="duel", key="k"))["type"] == "seeking":
            break
        await asyncio.sleep(0.1)
    await seek(bob)
    assert (await paired(ann))["room"] == (await paired(bob))["room"]
