"""The seats of a player: twenty at most, however they are asked for, and none that is false."""

import asyncio

import pytest

from end_to_end.client import Client
from end_to_end.requests import assert_refused, two
from gateway.hall import Hall
from towerhall_server.store.keys import keys_of_player

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOST = 20


async def everywhere(hall: Hall, name: str) -> list[Client]:
    """Five connections of one player, over both nodes."""
    first = await hall.connect(name)
    others = [await hall.connect(name, at % 2, token=first.token) for at in range(1, 5)]
    return [first, *others]


async def seats_of(hall: Hall, client: Client) -> set[str]:
    """As a newcomer's welcome has them, and so many rooms are really not over."""
    back = await hall.connect("again", token=client.token)
    await back.close()
    return {seat["room"] for seat in back.welcome["seats"]}


async def test_creates_at_the_same_time_make_twenty_rooms_and_no_more(hall: Hall) -> None:
    ann = await everywhere(hall, "ann")
    asked = (one.asked("create", game="duel") for _ in range(6) for one in ann)
    answers = await asyncio.gather(*asked)
    made = {answer["room"] for answer in answers if answer["type"] == "room"}
    refused = [answer["code"] for answer in answers if answer["type"] == "error"]
    assert (len(made), set(refused)) == (MOST, {"too_many"})
    assert await seats_of(hall, ann[0]) == made


async def test_joins_at_the_same_time_take_twenty_seats_and_no_more(hall: Hall) -> None:
    hosts = [await hall.connect(f"host{number}", number % 2) for number in range(2)]
    rooms = [(await host.ask("create", game="duel"))["code"] for _ in range(13) for host in hosts]
    ann = await everywhere(hall, "ann")
    asked = (ann[place % 5].asked("join", room=room) for place, room in enumerate(rooms))
    answers = await asyncio.gather(*asked)
    taken = {answer["room"] for answer in answers if answer["type"] == "room"}
    assert len(taken) == MOST
    assert await seats_of(hall, ann[0]) == taken


async def test_a_seek_counts_as_the_room_it_may_lead_to(hall: Hall) -> None:
    ann = await hall.connect("ann")
    for _ in range(MOST - 1):
        await ann.ask("create", game="duel")
    other = await hall.connect("ann", token=ann.token)
    await other.ask("seek", game="duel")
    error = await assert_refused(other, "too_many", "create", game="duel")
    assert error["message"].startswith("You have 19 unfinished rooms and look for another;")
    await other.ask("unseek")
    await other.ask("create", game="duel")
    error = await assert_refused(other, "too_many", "create", game="duel")
    assert error["message"] == "You have 20 unfinished rooms; finish one first."


async def test_seeks_at_the_same_time_lead_to_twenty_rooms_and_no_more(hall: Hall) -> None:
    """Each finds somebody who waits, so that each is a room at once, and none is made yet."""
    waiting = [await hall.connect(f"other{rounds}", rounds % 2) for rounds in range(1, 7)]
    for rounds, other in enumerate(waiting, 1):
        await other.ask("seek", game="builder", rated=False, rounds=rounds)
    ann = await everywhere(hall, "ann")
    for place in range(MOST - 2):
        await ann[place % 5].ask("create", game="duel")
    answers = await asyncio.gather(
        *(
            ann[rounds % 5].asked("seek", game="builder", rated=False, rounds=rounds)
            for rounds in range(1, 7)
        )
    )
    kinds = [str(answer.get("code", answer["type"])) for answer in answers]
    assert sorted(kinds) == ["seeking"] * 2 + ["too_many"] * 4
    for _ in range(50):
        if len(await seats_of(hall, ann[0])) == MOST:
            break
        await asyncio.sleep(0.2)
    await asyncio.sleep(1)
    assert len(await seats_of(hall, ann[0])) == MOST


async def test_a_seat_that_nobody_took_is_dropped_and_one_being_taken_is_not(hall: Hall) -> None:
    ann, bob = await two(hall)
    opened = await bob.ask("create", game="duel")
    keys = keys_of_player(ann.player)
    # A node died between the list and the room.
    hall.store.call("HSET", keys.seats, opened["room"], 1)
    hall.store.call("SET", keys.taking + opened["room"], 1)
    assert await seats_of(hall, ann) == set()
    assert hall.store.call("HLEN", keys.seats) == 1
    hall.store.call("DEL", keys.taking + opened["room"])
    assert await seats_of(hall, ann) == set()
    assert hall.store.call("HLEN", keys.seats) == 0
    await ann.ask("join", room=opened["code"])
    assert await seats_of(hall, ann) == {opened["room"]}


async def test_a_refused_join_takes_no_seat(hall: Hall) -> None:
    ann, bob = await two(hall)
    table = await hall.table(ann, bob)
    cid = await hall.connect("cid", 1)
    await assert_refused(cid, "room_full", "join", room=table.code)
    assert hall.store.call("KEYS", f"*:seats:{cid.player}") == []
    assert hall.store.call("KEYS", f"*:taking:{cid.player}:*") == []


async def test_seeks_and_creates_at_the_same_time_come_to_twenty_rooms_and_no_more(
    hall: Hall,
) -> None:
    """Each seek finds somebody who waits, so that it is a room at once."""
    spare, *ann = await everywhere(hall, "ann")
    await spare.close()  # in favour of those who look at the seats
    for place in range(MOST - 1):
        await ann[place % 4].ask("create", game="duel")
    before = await seats_of(hall, ann[0])
    for number in range(5):
        bob = await hall.connect(f"bob{number}", 1)
        await bob.ask("seek", game="chain", rated=False, rounds=4)
        answers = await asyncio.gather(
            ann[0].asked("seek", game="chain", rated=False, rounds=4),
            *(one.asked("create", game="duel") for one in ann[1:]),
        )
        done = [answer["type"] for answer in answers if answer["type"] != "error"]
        assert len(done) <= 1
        await bob.ask("unseek")
        await asyncio.sleep(1)
        more = await seats_of(hall, ann[0]) - before
        assert len(more) == len(done)
        for room in more:
            await ann[0].ask("abort", room=room, round=1)
        await bob.close()
