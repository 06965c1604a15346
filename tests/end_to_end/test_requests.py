"""Every request over a real socket: its reply, its errors, and what it leaves unchanged."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from end_to_end.client import Client, Message
from gateway.hall import Hall, Table, open_hall
from towerhall_server.store.keys import keys_of_player

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def open_for_all() -> AsyncIterator[Hall]:
    async with open_hall() as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="module")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()


async def assert_refused(client: Client, code: str, kind: str, **fields: Any) -> Message:
    """The request is refused with this code; what else the error carries is returned."""
    error = await client.asked(kind, **fields)
    assert error["type"] == "error", error
    assert error["code"] == code, error
    assert error["message"].endswith((".", "!")) and error["temporary"] in (True, False)
    return error


async def two(hall: Hall) -> tuple[Client, Client]:
    """Players on different nodes, in different encodings."""
    return await hall.connect("ann", 0), await hall.connect("bob", 1, "json")


async def seated(hall: Hall, **fields: Any) -> Table:
    return await hall.table(*await two(hall), **fields)


# hello


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


# create


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
    seat = {"player": ann.player, "name": "ann", "online": True, "away_since_ms": None}
    assert room["seats"] == [seat, None]


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


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown game": ("no_such_game", {"game": "chess"}),
    "unknown preset": ("bad_options", {"game": "duel", "preset": "none"}),
    "unknown option": ("bad_options", {"game": "duel", "options": {"size": 3}}),
    "option too small": ("bad_options", {"game": "duel", "options": {"tiles": 2}}),
    "option too large": ("bad_options", {"game": "duel", "options": {"tiles": 10}}),
    "true for a number": ("bad_options", {"game": "duel", "options": {"tiles": True}}),
    "number for a truth": ("bad_options", {"game": "chain", "options": {"strict": 1}}),
    "text for a number": ("bad_message", {"game": "duel", "options": {"tiles": "5"}}),
    "fraction": ("bad_message", {"game": "duel", "options": {"tiles": 5.5}}),
    "no rounds": ("bad_message", {"game": "duel", "rounds": 0}),
    "many rounds": ("bad_message", {"game": "duel", "rounds": 17}),
    "short clock": (
        "bad_message",
        {"game": "duel", "clock": {"initial_ms": 999, "increment_ms": 0}},
    ),
    "half a clock": ("bad_message", {"game": "duel", "clock": {"initial_ms": 1000}}),
    "negative increment": (
        "bad_message",
        {"game": "duel", "clock": {"initial_ms": 1000, "increment_ms": -1}},
    ),
    "unknown first": ("bad_message", {"game": "duel", "first": "me"}),
    "empty key": ("bad_message", {"game": "duel", "key": ""}),
    "long key": ("bad_message", {"game": "duel", "key": "k" * 65}),
    "unknown field": ("bad_message", {"game": "duel", "colour": "red"}),
    "no game": ("bad_message", {}),
}


@pytest.mark.parametrize("reason", REFUSED)
async def test_what_cannot_be_created_creates_nothing(hall: Hall, reason: str) -> None:
    code, fields = REFUSED[reason]
    ann = await hall.connect("ann")
    before = hall.store.call("DBSIZE")
    error = await assert_refused(ann, code, "create", **fields)
    assert code != "bad_options" or error["option"] in (*fields.get("options", {}), "preset")
    assert hall.store.call("DBSIZE") == before
    assert (await hall.connect("ann", token=ann.token)).welcome["seats"] == []


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


# join


async def test_join_reads_a_code_in_any_case_with_or_without_the_dash(hall: Hall) -> None:
    ann = await hall.connect("ann")
    for dash in ("", "-"):
        opened = await ann.ask("create", game="duel")
        bob = await hall.connect("bob", 1)
        typed = opened["code"][:3].lower() + dash + opened["code"][3:]
        joined = await bob.ask("join", room=typed)
        assert (joined["room"], joined["you"], joined["status"]) == (opened["room"], 1, "live")
        seated = await ann.event("seated", room=opened["room"], seat=1)
        assert (seated["player"], seated["name"]) == (bob.player, "bob")


async def test_join_again_is_the_same_seat(hall: Hall) -> None:
    table = await seated(hall)
    await table.move()
    ann, bob = table.players
    for client, seat in ((bob, 1), (ann, 0), (await hall.connect("bob", token=bob.token), 1)):
        for name in (table.room, table.code):
            joined = await client.ask("join", room=name)
            assert (joined["room"], joined["you"], joined["ply"]) == (table.room, seat, 1)
    kinds = [event["kind"] for event in ann.events(table.room)]
    assert kinds == ["seated", "started", "moved"]


async def test_a_third_player_finds_the_room_full(hall: Hall) -> None:
    table = await seated(hall)
    eve = await hall.connect("eve")
    await assert_refused(eve, "room_full", "join", room=table.code)
    assert not hall.store.call("EXISTS", keys_of_player(eve.player).seats)
    assert (await hall.connect("eve", token=eve.token)).welcome["seats"] == []
    assert (await eve.ask("watch", room=table.code))["you"] is None


async def test_of_two_who_join_at_once_on_two_nodes_one_sits(hall: Hall) -> None:
    ann = await hall.connect("ann")
    for _ in range(5):
        opened = await ann.ask("create", game="duel")
        rivals = [await hall.connect("bob", 0), await hall.connect("eve", 1)]
        answers = await asyncio.gather(*(r.asked("join", room=opened["code"]) for r in rivals))
        told = sorted(str(answer.get("you", answer.get("code"))) for answer in answers)
        assert told == ["1", "room_full"]


async def test_joining_a_closed_room(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel")
    await ann.ask("abort", room=opened["room"], round=1)
    await assert_refused(bob, "game_over", "join", room=opened["code"])


@pytest.mark.parametrize("room", ["", "x", "UUU-UUU", "AAAA-AA", "0" * 20, "zz" * 10, "é" * 6])
async def test_an_unknown_room(hall: Hall, room: str) -> None:
    ann = await hall.connect("ann")
    for kind in ("join", "watch", "record"):
        await assert_refused(ann, "no_such_room", kind, room=room)
    await assert_refused(ann, "no_such_room", "move", room=room, round=1, ply=0, move="2A")
    await assert_refused(ann, "no_such_room", "say", room=room, text="hello?")


async def test_a_private_room_is_found_by_its_id_only_by_its_players(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    eve = await hall.connect("eve")
    await assert_refused(eve, "no_such_room", "watch", room=table.room)
    await assert_refused(eve, "no_such_room", "join", room=table.room)
    for token, seat in ((ann.token, 0), (bob.token, 1)):
        for node in (0, 1):
            back = await hall.connect("back", node, token=token)
            assert (await back.ask("watch", room=table.room))["you"] == seat
    # The code lets in; after that the id is known, until one leaves.
    await eve.ask("watch", room=table.code)
    assert (await eve.ask("watch", room=table.room))["you"] is None
    await eve.ask("unwatch", room=table.room)
    await assert_refused(eve, "no_such_room", "watch", room=table.room)


async def test_a_listed_room_is_found_by_its_id_by_anybody(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", listed=True)
    assert (await bob.ask("watch", room=opened["room"]))["you"] is None
    assert (await bob.ask("join", room=opened["room"]))["you"] == 1


async def test_who_joined_elsewhere_is_no_stranger_to_a_node_that_knew_the_room_before(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann", 0)
    opened = await ann.ask("create", game="duel")
    await ann.close()
    bob = await hall.connect("bob", 1)
    await bob.ask("join", room=opened["code"])
    moved = await hall.connect("bob", 0, token=bob.token)
    assert moved.welcome["seats"] == [{"room": opened["room"], "seat": 1}]
    assert (await moved.ask("watch", room=opened["room"]))["you"] == 1


# watch


async def test_watch_and_unwatch(hall: Hall) -> None:
    table = await seated(hall)
    eve = await hall.connect("eve")
    snapshot = await eve.ask("watch", room=table.code)
    assert (snapshot["you"], snapshot["ply"]) == (None, 0)
    await table.move()
    await eve.event("moved", ply=0)
    assert await eve.ask("unwatch", room=table.room) == {"type": "ok", "re": 3}
    await table.move()
    await table.players[0].event("moved", ply=1)
    await eve.ask("ping")
    assert [event["kind"] for event in eve.events(table.room)] == ["moved"]
    assert (await eve.ask("unwatch", room=table.room))["type"] == "ok"
    assert (await eve.ask("unwatch", room="nowhere"))["type"] == "ok"


# say


async def test_players_and_watchers_say_something(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    eve = await hall.connect("eve", 1)
    await eve.ask("watch", room=table.code)
    for speaker, seat, name in ((ann, 0, "ann"), (bob, 1, "bob"), (eve, None, "eve")):
        assert (await speaker.ask("say", room=table.room, text=f"I am {name}"))["type"] == "ok"
        for hearer in (ann, bob, eve):
            said = await hearer.event("said", text=f"I am {name}")
            assert (said["seat"], said["name"]) == (seat, name)


async def test_a_key_makes_say_safe_to_resend(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    elsewhere = await hall.connect("ann", 1, token=ann.token)
    for client in (ann, elsewhere, ann, elsewhere):
        await client.ask("say", room=table.room, text="once", key="k")
    await bob.ask("say", room=table.room, text="mine", key="k")
    await ann.event("said", text="mine")
    said = [event["text"] for event in ann.events(table.room) if event["kind"] == "said"]
    assert said == ["once", "mine"]


async def test_without_a_key_the_same_line_is_said_again(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    for _ in range(2):
        await ann.ask("say", room=table.room, text="again")
    await bob.ask("say", room=table.room, text="end")
    await ann.event("said", text="end")
    said = [event["text"] for event in ann.events(table.room) if event["kind"] == "said"]
    assert said == ["again", "again", "end"]


async def test_chat_is_limited(hall: Hall) -> None:
    table = await seated(hall)
    ann, _ = table.players
    answers = [await ann.asked("say", room=table.room, text=f"line {n}") for n in range(8)]
    assert [answer["type"] for answer in answers[:3]] == ["ok"] * 3
    error = answers[-1]
    assert (error["code"], error["temporary"]) == ("rate_limited", True)
    # It is the chat alone that waits.
    await table.move()
    await asyncio.sleep(1.1)
    await ann.ask("say", room=table.room, text="later")


@pytest.mark.parametrize("text", ["", "x" * 201, "a\nb", "\x1b[2J", "a\u202eb", "a\u200bb", "\x9b"])
async def test_what_cannot_be_said(hall: Hall, text: str) -> None:
    table = await seated(hall)
    ann, bob = table.players
    error = await assert_refused(ann, "bad_message", "say", room=table.room, text=text)
    assert error["field"] == "text"
    await ann.ask("say", room=table.room, text="y" * 200)
    assert len((await bob.event("said"))["text"]) == 200


# move, and what ends a round


async def test_the_errors_of_a_move_in_their_order(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel", first="creator", listed=True)
    room = opened["room"]
    await assert_refused(ann, "not_your_turn", "move", room=room, round=1, ply=0, move="2A")
    eve = await hall.connect("eve")
    await assert_refused(eve, "not_seated", "move", room=room, round=9, ply=9, move="x")
    await bob.ask("join", room=room)
    stale = await assert_refused(ann, "stale_round", "move", room=room, round=2, ply=5, move="x")
    assert stale["round"] == 1
    stale = await assert_refused(bob, "stale_ply", "move", room=room, round=1, ply=5, move="x")
    assert stale["ply"] == 0
    await assert_refused(bob, "not_your_turn", "move", room=room, round=1, ply=0, move="x")
    await assert_refused(ann, "unreadable_move", "move", room=room, round=1, ply=0, move="x")
    await assert_refused(ann, "illegal_move", "move", room=room, round=1, ply=0, move="9A")
    accepted = await ann.move(room, 0, "2a")
    assert accepted["type"] == "accepted"
    assert (accepted["room"], accepted["round"], accepted["ply"]) == (room, 1, 0)
    event = await bob.event("moved")
    assert (event["seq"], event["move"], event["turn"]) == (accepted["seq"], "2A", 1)
    await ann.ask("resign", room=room, round=1)
    await assert_refused(bob, "game_over", "move", room=room, round=1, ply=1, move="x")


async def test_resign_ends_the_round_and_may_be_asked_again(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await table.moves(2)
    for client in (bob, await hall.connect("bob", 0, token=bob.token)):
        assert (await client.ask("resign", room=table.room, round=1))["type"] == "ok"
    finished = await ann.event("finished")
    assert (finished["winner"], finished["reason"]) == (0, "resigned")
    assert (finished["score"], finished["match_over"]) == ([1, 0], True)
    assert (finished["match_winner"], finished["next_ms"]) == (0, None)
    await assert_refused(ann, "game_over", "resign", room=table.room, round=1)
    error = await assert_refused(ann, "stale_round", "resign", room=table.room, round=2)
    assert error["round"] == 1
    eve = await hall.connect("eve")
    await eve.ask("watch", room=table.code)
    await assert_refused(eve, "not_seated", "resign", room=table.room, round=1)


async def test_abort_closes_an_open_room(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await ann.ask("create", game="duel")
    await bob.ask("watch", room=opened["code"])
    await assert_refused(bob, "not_seated", "abort", room=opened["room"], round=1)
    for _ in range(2):
        assert (await ann.ask("abort", room=opened["room"], round=1))["type"] == "ok"
    assert (await bob.event("closed"))["reason"]
    assert (await bob.ask("watch", room=opened["code"]))["status"] == "over"
    assert (await hall.connect("ann", token=ann.token)).welcome["seats"] == []
    await assert_refused(ann, "game_over", "rematch", room=opened["room"], round=1)


async def test_abort_before_both_have_moved(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await table.move()
    for _ in range(2):
        assert (await bob.ask("abort", room=table.room, round=1))["type"] == "ok"
    finished = await ann.event("finished")
    assert (finished["winner"], finished["reason"]) == (None, "aborted")
    assert (finished["score"], finished["match_over"]) == ([0, 0], True)


async def test_abort_after_both_have_moved_is_not_allowed(hall: Hall) -> None:
    table = await seated(hall)
    await table.moves(2)
    await assert_refused(table.players[0], "not_allowed", "abort", room=table.room, round=1)
    await table.move()


async def test_claim_waits_for_the_opponent(hall: Hall) -> None:
    clock = {"initial_ms": 600_000, "increment_ms": 0}
    table = await seated(hall, clock=clock)
    ann, bob = table.players
    here = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert here["wait_ms"] == 60_000
    await bob.close()
    await ann.until(lambda m: m["type"] == "presence" and not m["seats"][1]["online"])
    gone = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert 50_000 < gone["wait_ms"] <= 60_000
    await table.move()


async def test_claim_in_an_untimed_game_waits_a_day(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await bob.close()
    await ann.until(lambda m: m["type"] == "presence" and not m["seats"][1]["online"])
    gone = await assert_refused(ann, "not_allowed", "claim", room=table.room, round=1)
    assert 86_000_000 < gone["wait_ms"] <= 86_400_000


async def test_a_rematch_starts_when_both_have_asked(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await assert_refused(ann, "not_allowed", "rematch", room=table.room, round=1)
    await table.moves(2)
    await ann.ask("resign", room=table.room, round=1)
    for _ in range(2):
        assert (await ann.ask("rematch", room=table.room, round=1))["type"] == "ok"
    assert (await bob.event("rematch"))["seat"] == 0
    assert (await bob.ask("watch", room=table.room))["rematch"] == [True, False]
    await bob.ask("rematch", room=table.room, round=1)
    started = await ann.event("started", round=2)
    assert (started["match"], started["first"]) == (2, 1)
    # Asked again after it began, it is the same request.
    for client in (ann, bob):
        assert (await client.ask("rematch", room=table.room, round=1))["type"] == "ok"
    room = await ann.ask("watch", room=table.room)
    assert (room["match"], room["round"], room["score"]) == (2, 2, [0, 0])
    assert (room["status"], room["rematch"]) == ("live", [False, False])
    for client, seat in ((ann, 0), (bob, 1)):
        back = await hall.connect("back", 1 - seat, token=client.token)
        assert back.welcome["seats"] == [{"room": table.room, "seat": seat}]
    kinds = [event["kind"] for event in bob.events(table.room) if event["seq"] > 5]
    assert kinds == ["finished", "rematch", "rematch", "started"]


async def test_the_next_round_of_a_match_starts_by_itself(hall: Hall) -> None:
    table = await seated(hall, rounds=2)
    ann, bob = table.players
    await ann.ask("resign", room=table.room, round=1)
    finished = await bob.event("finished")
    assert (finished["match_over"], finished["score"]) == (False, [0, 1])
    assert finished["next_ms"] > finished["at_ms"]
    await assert_refused(ann, "not_allowed", "rematch", room=table.room, round=1)
    started = await bob.event("started", round=2)
    assert (started["match"], started["first"]) == (1, 1)
    assert started["at_ms"] >= finished["next_ms"]
    await bob.move(table.room, 0, "2", round_=2)


# record, replay, ping


async def test_the_record_of_a_round_can_be_stepped_through(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await assert_refused(ann, "stale_round", "record", room=table.room, round=2)
    await table.moves(4)
    running = await bob.ask("record", room=table.room)
    assert [frame["move"] for frame in running["frames"]] == [None, "2", "3", "2", "3"]
    await ann.ask("resign", room=table.room, round=1)
    for client in (ann, bob):
        await client.ask("rematch", room=table.room, round=1)
    await ann.event("started", round=2)
    watcher = await hall.connect("eve", 1)
    record = await watcher.ask("record", room=table.code, round=1)
    assert (record["room"], record["round"]) == (table.room, 1)
    assert record["frames"] == running["frames"]
    assert [frame["ply"] for frame in record["frames"]] == [None, 0, 1, 2, 3]
    assert [frame["seat"] for frame in record["frames"]] == [None, 0, 1, 0, 1]
    for count, frame in enumerate(record["frames"]):
        assert len(frame["view"]["stacks"][0]["items"]) == count
    assert '[Player1 "ann"]' in record["text"] and '[Reason "resigned"]' in record["text"]
    assert (await ann.ask("record", room=table.room))["round"] == 2


async def test_an_open_room_has_no_record(hall: Hall) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", game="duel")
    await assert_refused(ann, "not_allowed", "record", room=opened["room"])


async def test_a_game_from_a_file_is_replayed(hall: Hall) -> None:
    ann = await hall.connect("ann")
    record = await ann.ask(
        "replay", game="duel", options={"tiles": 5}, first=1, moves=["2A", "1B", "3A"]
    )
    assert (record["type"], record["room"]) == ("record", None)
    assert [frame["move"] for frame in record["frames"]] == [None, "2A", "1B", "3A"]
    assert [frame["seat"] for frame in record["frames"]] == [None, 1, 0, 1]


UNREPLAYABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown game": ("no_such_game", {"game": "chess"}),
    "bad options": ("bad_options", {"options": {"tiles": 99}}),
    "unreadable": ("unreadable_move", {"moves": ["2A", "up"]}),
    "illegal": ("illegal_move", {"moves": ["2A", "1A"]}),
}


@pytest.mark.parametrize("reason", UNREPLAYABLE)
async def test_a_game_that_cannot_be_replayed(hall: Hall, reason: str) -> None:
    code, fields = UNREPLAYABLE[reason]
    ann = await hall.connect("ann")
    asked: dict[str, Any] = {"game": "duel", "options": {}, "first": 0, "moves": []} | fields
    error = await assert_refused(ann, code, "replay", **asked)
    assert "moves" not in fields or "Move 2" in error["message"]


async def test_records_are_limited(hall: Hall) -> None:
    ann = await hall.connect("ann")
    asked = {"game": "duel", "options": {}, "first": 0, "moves": ["2A"]}
    answers = [await ann.asked("replay", **asked) for _ in range(8)]
    assert [answer["type"] for answer in answers[:5]] == ["record"] * 5
    assert answers[-1]["code"] == "rate_limited"
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_ping_tells_the_time_of_the_hall(hall: Hall) -> None:
    one, other = await two(hall)
    first, second = await one.ask("ping"), await other.ask("ping")
    assert first["type"] == "pong"
    assert abs(second["now_ms"] - first["now_ms"]) < 1000


async def test_replies_come_in_the_order_of_the_requests(hall: Hall) -> None:
    table = await seated(hall)
    ann, _ = table.players
    order: list[int] = []

    async def note(number: int, kind: str, **fields: Any) -> None:
        await ann.ask(kind, **fields)
        order.append(number)

    # Each but the pings goes to the store and back.
    requests: list[tuple[str, dict[str, Any]]] = [
        ("move", {"room": table.room, "round": 1, "ply": 0, "move": "2"}),
        ("ping", {}),
        ("watch", {"room": table.room}),
        ("ping", {}),
        ("say", {"room": table.room, "text": "your turn"}),
        ("ping", {}),
        ("resign", {"room": table.room, "round": 1}),
        ("ping", {}),
    ]
    await asyncio.gather(*(note(n, kind, **more) for n, (kind, more) in enumerate(requests)))
    assert order == list(range(len(requests)))
