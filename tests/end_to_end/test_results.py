"""Ratings, the best players and past matches, over real sockets and two nodes."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from end_to_end.client import Client, Message, ServerError
from gateway.hall import Hall, open_hall

pytestmark = pytest.mark.asyncio(loop_scope="module")

RATED = {"game": "duel", "rounds": 2, "rated": True, "clock": None}
QUICK = ("--requests-per-second", "1000", "--requests-burst", "1000")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def open_for_all() -> AsyncIterator[Hall]:
    async with open_hall(*QUICK) as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="module")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()


async def two(hall: Hall) -> tuple[Client, Client]:
    """Players on different nodes, in different encodings."""
    return await hall.connect("ann", 0), await hall.connect("bob", 1, "json")


async def seated(ann: Client, bob: Client, **fields: Any) -> str:
    opened = await ann.ask("create", **(RATED | fields))
    await bob.ask("join", room=opened["code"])
    return str(opened["room"])


async def resign(loser: Client, room: str, round_: int) -> None:
    """Once that round has started; the first has, for whoever sees both seats taken."""
    if round_ > 1:
        await loser.event("started", room=room, round=round_)
    await loser.ask("resign", room=room, round=round_)


async def played(ann: Client, bob: Client, losers: str = "bb", **fields: Any) -> Message:
    """A rated match of two rounds, lost by these (a or b). Returns its `rated`, as Ann heard it."""
    room = await seated(ann, bob, **fields)
    for round_, loser in enumerate(losers, 1):
        await resign({"a": ann, "b": bob}[loser], room, round_)
    return await ann.event("rated", room=room)


async def all_pages(client: Client, count: int) -> list[list[Message]]:
    """The pages of the client's matches, when there are that many matches."""
    for _ in range(20):
        page = await client.ask("history")
        pages = [page["matches"]]
        while page["before"]:
            page = await client.ask("history", before=page["before"])
            pages.append(page["matches"])
        if sum(map(len, pages)) >= count:
            return pages
        await asyncio.sleep(0.5)
    raise TimeoutError(f"there were never {count} matches")


async def history(client: Client, count: int) -> list[Message]:
    return (await all_pages(client, count))[0]


async def test_a_rated_match_changes_both_ratings_once_and_everybody_hears_of_it(
    hall: Hall,
) -> None:
    ann, bob = await two(hall)
    assert ann.welcome["ratings"] == {}
    rated = await played(ann, bob)
    new = {"value": 1500, "deviation": 350, "provisional": True, "matches": 0}
    won = {"value": 1662, "deviation": 290, "provisional": True, "matches": 1}
    assert rated["before"] == [new, new] and rated["match"] == 1
    assert rated["after"] == [won, won | {"value": 1338}]
    finished = await ann.event("finished", match_over=True)
    assert rated["seq"] == finished["seq"] + 1
    heard = await bob.event("rated")
    assert heard == rated
    again = await hall.connect("ann", 1, token=ann.token)
    assert again.welcome["ratings"] == {"duel": won}
    room = await again.ask("watch", room=rated["room"])
    assert room["rated"] is True
    assert [seat["rating"] for seat in room["seats"]] == rated["after"]


async def test_seats_show_the_rating_of_the_rooms_game(hall: Hall) -> None:
    ann, bob = await two(hall)
    one, two_ = (await played(ann, bob))["after"]
    opened = await ann.ask("create", game="duel")
    assert opened["seats"][0]["rating"] == one and opened["rated"] is False
    await bob.ask("join", room=opened["code"])
    joined = await ann.event("seated", room=opened["room"], seat=1)
    assert joined["rating"] == two_
    chain = await ann.ask("create", game="chain")
    assert chain["seats"][0]["rating"] is None


async def test_a_drawn_match_is_rated_as_a_draw(hall: Hall) -> None:
    ann, bob = await two(hall)
    rated = await played(ann, bob, "ab")
    assert [after["value"] for after in rated["after"]] == [1500, 1500]
    (entry,) = await history(ann, 1)
    assert (entry["winner"], entry["score"], entry["change"]) == (None, [1, 1], 0)


async def test_a_rematch_of_a_rated_room_is_rated_again(hall: Hall) -> None:
    ann, bob = await two(hall)
    first = await played(ann, bob)
    room = first["room"]
    for client in (ann, bob):
        await client.ask("rematch", room=room, round=2)
    for round_ in (3, 4):
        await resign(bob, room, round_)
    second = await bob.event("rated", room=room, match=2)
    assert second["before"] == first["after"]
    assert [after["matches"] for after in second["after"]] == [2, 2]
    matches = await history(bob, 2)
    assert [(one["match"], one["round"]) for one in matches] == [(2, 4), (1, 2)]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"rounds": 1}, "A rated match has an even number of rounds, not 1."),
        ({"rounds": 15}, "A rated match has an even number of rounds, not 15."),
        (
            {"options": {"tiles": 4}},
            "A rated match of Number Tower Duel has the options of the preset classic or grand.",
        ),
        (
            {"game": "strangers"},
            "A rated match of Number Tower: Strangers has the options of the preset singles.",
        ),
    ],
)
async def test_what_cannot_be_rated_is_refused_with_the_reason(
    hall: Hall, fields: Message, why: str
) -> None:
    ann = await hall.connect("ann")
    with pytest.raises(ServerError) as refused:
        await ann.ask("create", **(RATED | fields))
    assert (refused.value.code, refused.value.error["message"]) == ("not_allowed", why)
    assert (await hall.connect("ann", token=ann.token)).welcome["seats"] == []


async def test_options_that_equal_a_rated_preset_may_be_rated_under_another_name(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", **(RATED | {"options": {"tiles": 7, "towers": 4}}))
    assert opened["rated"] is True and opened["preset"] == "classic"


async def test_an_aborted_match_is_in_the_history_and_not_rated(hall: Hall) -> None:
    ann, bob = await two(hall)
    room = await seated(ann, bob)
    await ann.ask("abort", room=room, round=1)
    (entry,) = await history(bob, 1)
    assert (entry["reason"], entry["winner"], entry["rated"]) == ("aborted", None, False)
    assert entry["rating"] is None and entry["change"] is None
    assert (await hall.connect("bob", token=bob.token)).welcome["ratings"] == {}
    assert not [event for event in bob.events(room) if event["kind"] == "rated"]


async def test_a_past_match_is_told_from_each_players_side(hall: Hall) -> None:
    ann, bob = await two(hall)
    rated = await played(ann, bob, "ba")
    (of_ann,), (of_bob,) = await history(ann, 1), await history(bob, 1)
    snapshot = await ann.ask("watch", room=rated["room"])
    assert abs(of_ann.pop("at_ms") - time.time() * 1000) < 30_000
    assert of_ann == {
        "id": f"{rated['room']}-1",
        "room": rated["room"],
        "code": snapshot["code"],
        "game": "duel",
        "title": "Number Tower Duel",
        "preset": "classic",
        "rated": True,
        "rounds": 2,
        "match": 1,
        "round": 2,
        "seat": 0,
        "opponent": {"id": bob.player, "name": "bob"},
        "score": [1, 1],
        "winner": None,
        "reason": "resigned",
        "text": "Player 1 resigned: Player 2 wins.",
        "rating": rated["after"][0],
        "change": 0,
    }
    assert (of_bob["seat"], of_bob["opponent"]) == (1, {"id": ann.player, "name": "ann"})
    assert of_bob["id"] == of_ann["id"] and of_bob["rating"] == rated["after"][1]


async def test_history_comes_in_pages_the_newest_first(hall: Hall) -> None:
    ann, bob = await two(hall)
    rooms = []
    for _ in range(53):
        rooms.append(await seated(ann, bob, rounds=1, rated=False))
        await bob.ask("resign", room=rooms[-1], round=1)
        await ann.ask("unwatch", room=rooms[-1])
        await bob.ask("unwatch", room=rooms[-1])
    pages = await all_pages(ann, 53)
    assert [len(page) for page in pages] == [50, 3]
    assert [match["room"] for page in pages for match in page] == rooms[::-1]


async def test_a_before_that_is_none_is_refused_and_one_that_is_unknown_ends_the_pages(
    hall: Hall,
) -> None:
    ann = await hall.connect("ann")
    with pytest.raises(ServerError) as refused:
        await ann.ask("history", before="yesterday")
    assert (refused.value.code, refused.value.error["field"]) == ("bad_message", "before")
    page = await ann.ask("history", before=f"{'0' * 20}-1")
    assert (page["matches"], page["before"]) == ([], None)


async def test_five_rated_matches_give_a_place_among_the_best(hall: Hall) -> None:
    ann, bob = await two(hall)
    four = await asyncio.gather(*(played(ann, bob) for _ in range(4)))
    assert sorted(one["after"][0]["matches"] for one in four) == [1, 2, 3, 4]
    assert player_ids(await ann.ask("leaders", game="duel")).isdisjoint({ann.player, bob.player})
    rated = await played(ann, bob)
    table = await bob.ask("leaders", game="duel")
    assert player_ids(table) >= {ann.player, bob.player}
    mine = {"player": bob.player, "name": "bob", "rating": rated["after"][1]}
    assert table["own"] == {"rank": len(table["best"]), **mine} == table["best"][-1]
    assert [one["rank"] for one in table["best"]] == list(range(1, table["players"] + 1))
    values = [one["rating"]["value"] for one in table["best"]]
    assert values == sorted(values, reverse=True)
    await hall.connect("robert", token=bob.token)
    assert (await ann.ask("leaders", game="duel"))["best"][-1]["name"] == "robert"


def player_ids(table: Message) -> set[str]:
    return {one["player"] for one in table["best"]}


async def test_leaders_of_a_game_nobody_played_and_of_no_game(hall: Hall) -> None:
    ann = await hall.connect("ann")
    empty = await ann.ask("leaders", game="builder")
    assert (empty["game"], empty["best"], empty["own"], empty["players"]) == (
        *("builder", [], None),
        0,
    )
    with pytest.raises(ServerError) as refused:
        await ann.ask("leaders", game="chess")
    assert refused.value.code == "no_such_game"


async def test_tables_are_given_out_more_slowly_than_moves(hall: Hall) -> None:
    ann = await hall.connect("ann")
    asked = (ann.asked("leaders", game="duel") for _ in range(60))
    answers = await asyncio.gather(*asked)
    kinds = [answer.get("code", answer["type"]) for answer in answers]
    assert kinds[:20] == ["leaders"] * 20 and "rate_limited" in kinds[20:]
    assert answers[-1]["temporary"] is True
