"""Hello: who is it, and how many of them."""

import asyncio
import re
from typing import Any

import pytest

from end_to_end.requests import assert_refused, two
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_hello_makes_a_player(hall: Hall) -> None:
    client = await hall.connect_silent()
    welcome = await client.ask("hello", name="ann_B-7")
    assert welcome["player"]["name"] == "ann_B-7" and len(welcome["player"]["id"]) >= 16
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", welcome["token"])
    assert welcome["seats"] == [] and welcome["seeking"] is None
    assert welcome["beat_ms"] == 5000 and welcome["now_ms"] > 1_600_000_000_000
    assert set(welcome["server"]) == {"version", "node"}
    games = {game["id"]: game for game in welcome["games"]}
    assert set(games) == {"strangers", "relatives", "duel", "chain", "builder"}
    for game in games.values():
        assert set(game) == {"id", "title", "summary", "rules", "options", "presets"}
        assert "classic" in {preset["name"] for preset in game["presets"]}


async def test_hello_without_a_name_gives_one(hall: Hall) -> None:
    client = await hall.connect_silent()
    name = (await client.ask("hello"))["player"]["name"]
    assert re.fullmatch(r"guest-[0-9a-f]{4}", name)


async def test_a_known_token_is_the_same_player_under_a_new_name_if_one_is_given(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann")
    for given, called in ((None, "ann"), ("anna", "anna"), (None, "anna")):
        again = await hall.connect_silent(1)
        fields = {"name": given} if given else {}
        welcome = await again.ask("hello", token=ann.token, **fields)
        assert welcome["player"] == {"id": ann.player, "name": called}
        assert welcome["token"] is None


async def test_two_players_of_one_name_are_two_players(hall: Hall) -> None:
    one, other = await hall.connect("ann"), await hall.connect("ann")
    assert one.player != other.player and one.token != other.token


@pytest.mark.parametrize("name", ["", "a", "a" * 21, "an n", "ann!", "änn", "ann\n", "<b>"])
async def test_a_bad_name_is_refused_and_one_may_try_again(hall: Hall, name: str) -> None:
    client = await hall.connect_silent()
    await assert_refused(client, "bad_name", "hello", name=name)
    assert (await client.ask("hello", name="ann"))["player"]["name"] == "ann"


async def test_hello_twice_is_not_allowed(hall: Hall) -> None:
    ann = await hall.connect("ann")
    await assert_refused(ann, "not_allowed", "hello", name="eve")
    await assert_refused(ann, "not_allowed", "hello", token=ann.token)
    opened = await ann.ask("create", game="duel")
    assert opened["seats"][0]["name"] == "ann"


async def test_hello_comes_first(hall: Hall) -> None:
    client = await hall.connect_silent()
    requests: dict[str, dict[str, Any]] = {
        "ping": {},
        "create": {"game": "duel"},
        "join": {"room": "AAAAAA"},
        "replay": {"game": "duel", "options": {}, "first": 0, "moves": []},
    }
    for kind, fields in requests.items():
        await assert_refused(client, "hello_first", kind, **fields)


async def test_the_sixth_connection_closes_the_oldest(hall: Hall) -> None:
    first = await hall.connect("ann")
    others = [await hall.connect("ann", token=first.token) for _ in range(4)]
    assert (await first.ask("ping"))["type"] == "pong"
    sixth = await hall.connect("ann", token=first.token)
    assert await first.closed() == 4102
    for client in (*others, sixth):
        assert (await client.ask("ping"))["type"] == "pong"
    await others[1].close()
    await hall.connect("ann", token=first.token)
    assert (await others[0].ask("ping"))["type"] == "pong"


async def test_the_sixth_connection_closes_the_oldest_on_whichever_node(hall: Hall) -> None:
    first = await hall.connect("ann", 0)
    others = [await hall.connect("ann", at % 2, token=first.token) for at in range(1, 5)]
    assert (await first.ask("ping"))["type"] == "pong"
    sixth = await hall.connect("ann", 1, token=first.token)
    assert await first.closed() == 4102
    for client in (*others, sixth):
        assert (await client.ask("ping"))["type"] == "pong"
    await others[0].close()
    seventh = await hall.connect("ann", 0, token=first.token)
    await asyncio.sleep(2)
    for client in (*others[1:], sixth, seventh):
        assert (await client.ask("ping"))["type"] == "pong"


async def test_who_comes_and_goes_leaves_the_other_connections_alone(hall: Hall) -> None:
    ann = await hall.connect("ann", 0)
    for number in range(12):
        await (await hall.connect("ann", number % 2, token=ann.token)).close()
    assert (await ann.ask("ping"))["type"] == "pong"
    bob = await hall.connect("bob", 1)
    await hall.connect("bob", 0, token=bob.token)
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_welcome_names_the_seats_of_rooms_that_are_not_over(hall: Hall) -> None:
    ann, bob = await two(hall)
    table = await hall.table(ann, bob)
    ended = await hall.table(ann, bob)
    await ann.ask("resign", room=ended.room, round=1)
    opened = await bob.ask("create", game="duel")
    for node in (0, 1):
        back = await hall.connect("ann", node, token=ann.token)
        assert back.welcome["seats"] == [{"room": table.room, "seat": 0}]
        seats = (await hall.connect("bob", node, token=bob.token)).welcome["seats"]
        expected = {(table.room, 1), (opened["room"], 0)}
        assert {(seat["room"], seat["seat"]) for seat in seats} == expected
