"""What the lobby shows, and when it tells."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise

from end_to_end.client import Client, Message
from end_to_end.conftest import Connect, StartNode
from end_to_end.node import Node
from store.valkey import Valkey
from towerhall_server.match.state import FORMAT
from towerhall_server.store.keys import keys_of_room

UNTIMED = {"clock": None, "first": "creator"}


async def shown(client: Client, wanted: Callable[[Message], bool]) -> Message:
    """The lobby, as it was told last, once it is as wanted."""

    def latest(message: Message) -> bool:
        told = [one for one in client.pushed if one["type"] == "lobby"]
        return message is told[-1] and wanted(message) if told else False

    return await client.until(latest)


async def test_a_seek_is_shown_and_counted_with_its_equals(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    wes = await connect(here, "wes")
    assert (await wes.ask("lobby", on=True))["seeks"] == []
    ann, bob, cid = [await connect(there, name) for name in ("ann", "bob", "cid")]
    await ann.ask("seek", game="duel")
    told = await shown(wes, lambda lobby: bool(lobby["seeks"]))
    assert told["seeks"] == [
        {
            "game": "duel",
            "preset": "classic",
            "options": {"tiles": 5, "towers": 3},
            "clock": {"initial_ms": 180_000, "increment_ms": 2_000},
            "rounds": 2,
            "rated": True,
            "count": 1,
        }
    ]
    for client in (bob, cid):
        await client.ask("seek", game="chain", rated=False)
    told = await shown(wes, lambda lobby: bool(lobby["live"]))
    assert [one["game"] for one in told["seeks"]] == ["duel"]
    await ann.ask("unseek")
    await shown(wes, lambda lobby: lobby["seeks"] == [])


async def test_a_listed_room_is_shown_from_open_to_over(node: Node, connect: Connect) -> None:
    ann, bob, wes = [await connect(node, name) for name in ("ann", "bob", "wes")]
    await wes.ask("lobby", on=True)
    opened = await ann.ask("create", game="duel", listed=True, **UNTIMED)
    (row,) = (await shown(wes, lambda lobby: bool(lobby["open"])))["open"]
    assert (row["room"], row["code"], row["by"]) == (opened["room"], opened["code"], "ann")
    assert row["since_ms"] > 0
    await bob.ask("join", room=row["room"])
    told = await shown(wes, lambda lobby: bool(lobby["live"]))
    (live,) = told["live"]
    assert told["open"] == []
    assert (live["room"], live["names"], live["ply"]) == (opened["room"], ["ann", "bob"], 0)
    assert told["featured"] == opened["room"]
    await ann.move(opened["room"], 0, "3A")
    await shown(wes, lambda lobby: lobby["live"][0]["ply"] == 1)
    assert (await wes.ask("watch", room=live["room"]))["you"] is None
    await shown(wes, lambda lobby: lobby["live"][0]["watchers"] == 1)
    await ann.ask("resign", room=opened["room"], round=1)
    told = await shown(wes, lambda lobby: lobby["live"] == [])
    assert told["featured"] is None


async def test_a_rematch_brings_a_room_back(node: Node, connect: Connect) -> None:
    ann, bob, wes = [await connect(node, name) for name in ("ann", "bob", "wes")]
    opened = await ann.ask("create", game="duel", listed=True, **UNTIMED)
    await bob.ask("join", room=opened["room"])
    await ann.ask("resign", room=opened["room"], round=1)
    await wes.ask("lobby", on=True)
    for client in (ann, bob):
        await client.ask("rematch", room=opened["room"], round=1)
    (live,) = (await shown(wes, lambda lobby: bool(lobby["live"])))["live"]
    assert (live["room"], live["round"]) == (opened["room"], 2)


async def test_private_rooms_are_not_shown(node: Node, connect: Connect) -> None:
    ann, bob, wes = [await connect(node, name) for name in ("ann", "bob", "wes")]
    await wes.ask("lobby", on=True)
    hidden = await ann.ask("create", game="duel", **UNTIMED)
    await ann.ask("create", game="chain", listed=True, **UNTIMED)
    told = await shown(wes, lambda lobby: bool(lobby["open"]))
    assert [row["game"] for row in told["open"]] == ["chain"]
    await bob.ask("join", room=hidden["code"])
    listed = await bob.ask("create", game="builder", listed=True, **UNTIMED)
    await ann.ask("join", room=listed["room"])
    told = await shown(wes, lambda lobby: bool(lobby["live"]))
    assert [row["room"] for row in told["live"]] == [listed["room"]] == [told["featured"]]


async def test_a_closed_room_is_no_longer_shown(node: Node, connect: Connect) -> None:
    ann, wes = await connect(node, "ann"), await connect(node, "wes")
    await wes.ask("lobby", on=True)
    opened = await ann.ask("create", game="duel", listed=True)
    await shown(wes, lambda lobby: bool(lobby["open"]))
    await ann.ask("abort", room=opened["room"], round=1)
    await shown(wes, lambda lobby: lobby["open"] == [])


async def test_the_most_watched_match_is_featured_then_the_newest(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    ann, bob = await connect(here, "ann"), await connect(there, "bob")
    wes, wim = await connect(here, "wes"), await connect(there, "wim")
    rooms = []
    for _ in range(3):
        opened = await ann.ask("create", game="duel", listed=True, **UNTIMED)
        await bob.ask("join", room=opened["room"])
        rooms.append(opened["room"])
    await wim.ask("lobby", on=True)
    first, second, third = rooms
    await shown(wim, lambda lobby: len(lobby["live"]) == 3 and lobby["featured"] == third)
    await wes.ask("watch", room=first)
    told = await shown(wim, lambda lobby: lobby["featured"] == first)
    assert [row["room"] for row in told["live"]] == [first, third, second]
    await ann.ask("resign", room=first, round=1)
    told = await shown(wim, lambda lobby: lobby["featured"] == third)
    assert [row["room"] for row in told["live"]] == [third, second]


async def test_a_match_that_both_have_left_is_not_featured_while_another_is_played(
    start_node: StartNode, connect: Connect
) -> None:
    here, there = await start_node(), await start_node()
    people = [await connect(here, name) for name in ("ann", "bob", "cid", "dot")]
    wes, wim = await connect(here, "wes"), await connect(there, "wim")
    rooms = []
    for host, guest in (people[:2], people[2:]):
        opened = await host.ask("create", game="duel", listed=True, **UNTIMED)
        await guest.ask("join", room=opened["room"])
        rooms.append(opened["room"])
    left, played = rooms
    await wes.ask("watch", room=left)
    await wim.ask("lobby", on=True)
    await shown(wim, lambda lobby: lobby["featured"] == left)
    people[0].drop()
    await asyncio.sleep(2)
    assert (await wes.ask("lobby", on=False))["featured"] == left, "one of them is there"
    people[1].drop()
    told = await shown(wim, lambda lobby: lobby["featured"] == played)
    assert [row["room"] for row in told["live"]] == [left, played]
    await people[3].ask("resign", room=played, round=1)
    await shown(wim, lambda lobby: lobby["featured"] == left)


async def test_those_who_are_connected_are_counted(start_node: StartNode, connect: Connect) -> None:
    here, there = await start_node(), await start_node()
    wes = await connect(here, "wes")
    assert (await wes.ask("lobby", on=True))["online"] == 1
    ann = await connect(there, "ann")
    await shown(wes, lambda lobby: lobby["online"] == 2)
    await connect(here, "bob")
    await shown(wes, lambda lobby: lobby["online"] == 3)
    ann.drop()
    await shown(wes, lambda lobby: lobby["online"] == 2)


async def test_the_lobby_is_told_at_most_once_a_second_and_only_when_it_changes(
    node: Node, connect: Connect
) -> None:
    ann, wes = await connect(node, "ann"), await connect(node, "wes")
    await wes.ask("lobby", on=True)
    began = time.monotonic()
    for number in range(25):
        await ann.ask("seek", game="duel", clock={"initial_ms": 1000, "increment_ms": number})
        await asyncio.sleep(0.15)
    lasted = time.monotonic() - began
    lobbies = [one for one in wes.pushed if one["type"] == "lobby"]
    assert 2 <= len(lobbies) <= lasted + 1
    assert all(one != other for one, other in pairwise(lobbies))
    await wes.ask("lobby", on=False)
    await ann.ask("unseek")
    before = len(wes.pushed)
    await asyncio.sleep(2.2)
    assert not [one for one in wes.pushed[before:] if one["type"] == "lobby"]


async def test_who_stays_for_a_rematch_is_counted_for_it(node: Node, connect: Connect) -> None:
    ann, bob, wes = [await connect(node, name) for name in ("ann", "bob", "wes")]
    room = (await ann.ask("create", game="duel", listed=True, **UNTIMED))["room"]
    await bob.ask("join", room=room)
    await wes.ask("lobby", on=True)
    await wes.ask("watch", room=room)
    await shown(wes, lambda lobby: [one["watchers"] for one in lobby["live"]] == [1])
    await bob.ask("resign", room=room, round=1)
    for client in (ann, bob):
        await client.ask("rematch", room=room, round=1)
    await ann.event("started", round=2)
    await shown(wes, lambda lobby: [(r["round"], r["watchers"]) for r in lobby["live"]] == [(2, 1)])


async def test_a_room_in_a_newer_format_is_left_out_and_the_rest_is_shown(
    store: Valkey, node: Node, connect: Connect
) -> None:
    ann, wes = [await connect(node, name) for name in ("ann", "wes")]
    one, two = [(await ann.ask("create", game="duel", listed=True))["room"] for _ in range(2)]
    store.call("HSET", keys_of_room(one).room, "state", bytes([FORMAT + 1]) + b"of another shape")
    assert [row["room"] for row in (await wes.ask("lobby", on=True))["open"]] == [two]


async def test_a_room_whose_creator_has_left_is_not_shown_until_they_are_back(
    node: Node, connect: Connect
) -> None:
    ann, wes = [await connect(node, name) for name in ("ann", "wes")]
    await wes.ask("lobby", on=True)
    opened = await ann.ask("create", game="duel", listed=True)
    await shown(wes, lambda lobby: bool(lobby["open"]))
    await ann.close()
    await shown(wes, lambda lobby: lobby["open"] == [])
    again = await connect(node, "ann", token=ann.token)
    await again.ask("watch", room=opened["room"])
    await shown(wes, lambda lobby: [row["room"] for row in lobby["open"]] == [opened["room"]])
