"""Ratings: a match changes both players once, or neither; who is gone leaves the table."""

import asyncio
import hashlib

import pytest

from store.hall import Hall
from store.valkey import Valkey
from towerhall_server.store import Place, RatingChange, new_player
from towerhall_server.store.keys import keys_of_player, keys_of_ratings

KEYS = keys_of_ratings("duel")
KEEP_MS = 60_000


def token(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


async def player(hall: Hall, name: str) -> str:
    return await hall.store.create_player(token(name), name)


def change(
    player: str, after: bytes, before: bytes | None = None, value: float = 1500.0
) -> RatingChange:
    return RatingChange(player, before, after, value)


async def rate(
    hall: Hall, match: str, one: RatingChange, two: RatingChange, told: bytes = b"told"
) -> bytes | None:
    return await hall.store.ratings.rate("duel", match, (one, two), told, KEEP_MS)


async def test_a_match_writes_both_ratings_and_is_remembered(server: Valkey, hall: Hall) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    assert await hall.store.ratings.reckoned("duel", "room:1") is None
    assert await rate(hall, "room:1", change(ann, b"a1"), change(bob, b"b1")) == b"told"
    assert await hall.store.ratings.of("duel", ann, "nobody", bob) == [b"a1", None, b"b1"]
    assert await hall.store.ratings.reckoned("duel", "room:1") == b"told"
    assert 0 < server.call("PTTL", KEYS.applied + "room:1") <= KEEP_MS


async def test_the_same_match_again_changes_nothing_and_is_told_the_same(hall: Hall) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    await rate(hall, "room:1", change(ann, b"a1"), change(bob, b"b1"))
    again = await rate(hall, "room:1", change(ann, b"a2", b"a1"), change(bob, b"b2", b"b1"), b"new")
    assert again == b"told"
    assert await hall.store.ratings.of("duel", ann, bob) == [b"a1", b"b1"]


@pytest.mark.parametrize("stale", [0, 1])
async def test_a_rating_that_is_no_longer_the_same_stops_both(hall: Hall, stale: int) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    await rate(hall, "room:1", change(ann, b"a1"), change(bob, b"b1"))
    befores = [b"a1", b"b1"]
    befores[stale] = b"old"
    one, two = change(ann, b"a2", befores[0]), change(bob, b"b2", befores[1])
    assert await rate(hall, "room:2", one, two) is None
    assert await hall.store.ratings.of("duel", ann, bob) == [b"a1", b"b1"]
    assert await hall.store.ratings.reckoned("duel", "room:2") is None


async def test_of_many_who_settle_one_match_all_are_told_what_the_first_wrote(hall: Hall) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    rivals = (
        rate(hall, "room:1", change(ann, b"a%d" % n), change(bob, b"b%d" % n), b"%d" % n)
        for n in range(20)
    )
    assert await asyncio.gather(*rivals) == [b"0"] * 20
    assert await hall.store.ratings.of("duel", ann, bob) == [b"a0", b"b0"]


async def test_games_are_rated_apart(hall: Hall) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    await rate(hall, "room:1", change(ann, b"a1"), change(bob, b"b1"))
    assert await hall.store.ratings.of("chain", ann) == [None]
    assert await hall.store.ratings.all_of(ann, ["chain", "duel"]) == {"duel": b"a1"}


async def test_the_best_come_first_with_the_names_they_have_now(hall: Hall) -> None:
    names = ("ann", "bob", "cyd", "dan")
    ids = [await player(hall, name) for name in names]
    ann, bob, cyd, dan = ids
    await rate(hall, "room:1", change(ann, b"a", value=1400.5), change(bob, b"b", value=1600.25))
    await rate(hall, "room:2", change(cyd, b"c", value=1500), RatingChange(dan, None, b"d", None))
    await hall.store.find_player(token("bob"), "robert")
    best = await hall.store.ratings.best("duel", 2, ann)
    assert best.places == [Place(1, bob, "robert", b"b"), Place(2, cyd, "cyd", b"c")]
    assert (best.own, best.players) == (Place(3, ann, "ann", b"a"), 3)
    assert (await hall.store.ratings.best("duel", 2, dan)).own is None
    assert (await hall.store.ratings.best("duel", 50, cyd)).own == Place(2, cyd, "cyd", b"c")


async def test_a_game_without_ratings_has_no_best(hall: Hall) -> None:
    assert await hall.store.ratings.best("duel", 50, "nobody") == ([], None, 0)


async def test_row_38_who_was_forgotten_loses_the_place_when_somebody_looks(
    server: Valkey, hall: Hall
) -> None:
    ann, bob = await player(hall, "ann"), await player(hall, "bob")
    await rate(hall, "room:1", change(ann, b"a", value=1400), change(bob, b"b", value=1600))
    server.call("DEL", keys_of_player(bob).player)
    best = await hall.store.ratings.best("duel", 50, ann)
    assert best == ([Place(1, ann, "ann", b"a")], Place(1, ann, "ann", b"a"), 1)
    assert await hall.store.ratings.of("duel", bob) == [None]


async def test_row_38_a_sweep_takes_out_who_was_forgotten_and_nobody_else(
    server: Valkey, hall: Hall
) -> None:
    here = [await player(hall, f"here{number}") for number in range(300)]
    gone = [new_player(token(f"gone{number}")) for number in range(300)]
    for number, pair in enumerate(zip(here, gone, strict=True)):
        one, two = (change(who, b"x" * 100) for who in pair)
        await rate(hall, f"room:{number}", one, two)
    cursor, rounds = await hall.store.ratings.sweep("duel", 0), 1
    while cursor:
        cursor, rounds = await hall.store.ratings.sweep("duel", cursor), rounds + 1
    assert 3 <= rounds <= 40, "it is meant to be done a few at a time"
    assert {one.decode() for one in server.call("HKEYS", KEYS.ratings)} == set(here)
    assert {one.decode() for one in server.call("ZRANGE", KEYS.best, 0, -1)} == set(here)
