"""Rooms are opened as they were asked for, or not at all."""

import asyncio
import re
from typing import Any

import pytest

from end_to_end.requests import assert_refused, kept, two
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_create_opens_a_room_with_the_usual_settings(hall: Hall) -> None:
    ann = await hall.connect("ann")
    room = await ann.ask("create", game="duel")
    assert room["type"] == "room" and len(room["room"]) >= 16
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{6}", room["code"])
    assert (room["game"], room["preset"]) == ("duel", "classic")
    assert room["clock"] == {"initial_ms": 180_000, "increment_ms": 2_000}
    assert (room["status"], room["match"], room["round"], room["rounds"]) == ("open", 1, 1, 1)
    assert room["score"] == [0, 0] and room["moves"] == [] and room["ply"] == 0
    assert room["you"] == 0 and room["turn"] is None and room["watchers"] == 0
    assert room["result"] is None and room["match_winner"] is None
    assert room["rematch"] == [False, False]
    assert room["seats"][1] is None
    assert room["seats"][0] == {
        "player": ann.player,
        "name": "ann",
        "rating": None,
        "online": True,
        "away_since_ms": None,
    }
    assert (room["rated"], room["listed"]) == (False, False)


CHOICES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "preset": ({"game": "duel", "preset": "grand"}, {"preset": "grand"}),
    "option": ({"game": "builder", "options": {"target": 7}}, {"game": "builder"}),
    "untimed": ({"game": "duel", "clock": None}, {"clock": None, "clocks": None}),
    "rounds": ({"game": "duel", "rounds": 16}, {"rounds": 16}),
    "clock": (
        {"game": "duel", "clock": {"initial_ms": 1000, "increment_ms": 0}},
        {"clock": {"initial_ms": 1000, "increment_ms": 0}},
    ),
    "longest clock": (
        {"game": "duel", "clock": {"initial_ms": 10_800_000, "increment_ms": 60_000}},
        {"clock": {"initial_ms": 10_800_000, "increment_ms": 60_000}},
    ),
}


@pytest.mark.parametrize("choice", CHOICES)
async def test_create_takes_every_choice(hall: Hall, choice: str) -> None:
    asked, expected = CHOICES[choice]
    ann, bob = await two(hall)
    room = await ann.ask("create", **asked)
    assert expected.items() <= room.items()
    joined = await bob.ask("join", room=room["code"])
    assert expected.items() <= joined.items()


async def test_options_override_the_preset(hall: Hall) -> None:
    ann = await hall.connect("ann")
    [duel] = [game for game in ann.welcome["games"] if game["id"] == "duel"]
    [grand] = [preset for preset in duel["presets"] if preset["name"] == "grand"]
    room = await ann.ask("create", game="duel", preset="grand", options={"tiles": 8})
    assert room["options"] == grand["options"] | {"tiles": 8}
    strict = await ann.ask("create", game="chain", options={"strict": True})
    assert strict["options"]["strict"] is True


@pytest.mark.parametrize(("first", "seat"), [("creator", 0), ("joiner", 1)])
async def test_create_says_who_begins(hall: Hall, first: str, seat: int) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", first=first)
    joined = await bob.ask("join", room=opened["code"])
    assert (joined["first"], joined["turn"]) == (seat, seat)


async def test_who_begins_is_drawn_otherwise(hall: Hall) -> None:
    ann, other = await two(hall)
    askers = [ann] * 10 + [other] * 10
    drawn = {(await asker.ask("create", game="duel"))["first"] for asker in askers}
    assert drawn == {0, 1}


async def test_what_is_created_is_among_what_is_kept(hall: Hall) -> None:
    """Else it would mean nothing that a refused room leaves nothing there."""
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", key="k0")
    await bob.ask("join", room=opened["code"])
    await ann.ask("resign", room=opened["room"], round=1)
    room, code, player = opened["room"], opened["code"], ann.player
    parts = {f":room:{room}", f":log:{room}", f":records:{room}", f":code:{code}"}
    parts |= {f":seats:{player}", f":answer:{player}:"}
    names = " ".join(kept(hall))
    assert {part for part in parts if part not in names} == set()


async def test_a_key_makes_create_safe_to_resend(hall: Hall) -> None:
    ann = await hall.connect("ann")
    elsewhere = await hall.connect("ann", 1, token=ann.token)
    asked = [c.ask("create", game="duel", key="k1") for c in (ann, elsewhere) for _ in range(4)]
    rooms = {(room["room"], room["code"]) for room in await asyncio.gather(*asked)}
    assert len(rooms) == 1
    again = await elsewhere.ask("create", game="duel", key="k1")
    assert (again["room"], again["code"]) in rooms and again["you"] == 0
    assert (await ann.ask("create", game="duel", key="k2"))["room"] != again["room"]
    bob = await hall.connect("bob")
    assert (await bob.ask("create", game="duel", key="k1"))["room"] != again["room"]


async def test_a_key_leads_to_the_room_as_it_is_now(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", key="mine", first="creator")
    await bob.ask("join", room=opened["code"])
    await ann.move(opened["room"], 0, "2A")
    again = await ann.ask("create", game="duel", key="mine", first="creator")
    assert (again["room"], again["status"], again["ply"]) == (opened["room"], "live", 1)


async def test_twenty_unfinished_rooms_are_enough_and_finished_ones_do_not_count(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann")
    rooms = []
    for number in range(20):
        client = ann if number < 15 else await hall.connect("ann", token=ann.token)
        rooms.append((await client.ask("create", game="duel"))["room"])
    late = await hall.connect("ann", 1, token=ann.token)
    error = await assert_refused(late, "too_many", "create", game="duel")
    assert error["temporary"]
    await late.ask("abort", room=rooms[0], round=1)
    assert (await late.ask("create", game="duel"))["you"] == 0
    await assert_refused(late, "too_many", "create", game="duel")


async def test_a_room_that_a_key_leads_back_to_counts_as_followed(hall: Hall) -> None:
    ann = await hall.connect("ann")
    rooms = [await ann.ask("create", game="duel", key=f"k{number}") for number in range(20)]
    for room in rooms:
        await asyncio.sleep(0.25)  # not faster than one may ask
        await ann.ask("abort", room=room["room"], round=1)
        await ann.ask("unwatch", room=room["room"])
    await ann.ask("create", game="duel")
    for number in range(19):
        await asyncio.sleep(0.15)
        await ann.ask("create", game="duel", key=f"k{number}")
    error = await assert_refused(ann, "too_many", "create", game="duel", key="k19")
    assert "at most 20 rooms" in error["message"]
