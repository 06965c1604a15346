"""Players, their seats and the answers they were given."""

import asyncio
import hashlib

import pytest

from store.hall import Hall
from store.valkey import Valkey
from towerhall_server.lifetimes import USUAL
from towerhall_server.store import Unavailable, new_player, new_room, shard_of
from towerhall_server.store.keys import keys_of_player, token_key

TOKEN = hashlib.sha256(b"a token").hexdigest()
ROOM = new_room("K7Q2MX")


async def test_a_player_is_found_by_the_tokens_hash(hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    assert await hall.store.find_player(TOKEN, None) == (player, "Ada")
    assert await hall.store.find_player("00" * 32, None) is None


async def test_one_token_makes_one_player_however_often(server: Valkey, hall: Hall) -> None:
    ids = await asyncio.gather(*(hall.store.create_player(TOKEN, "Ada") for _ in range(20)))
    assert len(set(ids)) == 1
    keys = server.call("KEYS", "*:player:*")
    assert keys == [keys_of_player(ids[0]).player.encode()]


async def test_a_given_name_renames(hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    assert await hall.store.find_player(TOKEN, "Grace") == (player, "Grace")
    assert await hall.store.find_player(TOKEN, None) == (player, "Grace")


async def test_seats_are_added_and_dropped(hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    other = new_room("AAAAAA")
    await hall.store.add_seat(player, ROOM, 1)
    await hall.store.add_seat(player, other, 0)
    assert await hall.store.seats(player) == {ROOM: 1, other: 0}
    await hall.store.drop_seat(player, ROOM)
    assert await hall.store.seats(player) == {other: 0}


async def test_no_more_seats_are_held_than_there_may_be(server: Valkey, hall: Hall) -> None:
    player, other = await hall.store.create_player(TOKEN, "Ada"), new_room("AAAAAA")
    keys = keys_of_player(player)
    assert await hall.store.hold_seat(player, ROOM, 1, 1)
    assert not await hall.store.hold_seat(player, other, 0, 1)
    assert await hall.store.hold_seat(player, ROOM, 1, 1), "it has this one already"
    assert await hall.store.seats(player) == {ROOM: 1}
    assert server.call("EXISTS", keys.taking + other) == 0
    ttl = server.call("PTTL", keys.seats)
    assert 0 < ttl <= USUAL.player_ms, "it is forgotten one day, though its node may die now"


async def test_a_seat_that_is_held_again_is_taken_for_false_no_sooner(
    server: Valkey, hall: Hall
) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    taking = keys_of_player(player).taking + ROOM
    await hall.store.add_seat(player, ROOM, 1)
    await hall.store.hold_seat(player, ROOM, 1, 20)
    await hall.store.drop_seat(player, ROOM, unless_taking=True)
    assert await hall.store.seats(player) == {ROOM: 1}
    server.call("PEXPIRE", taking, 500)
    await hall.store.hold_seat(player, ROOM, 1, 20)
    assert server.call("PTTL", taking) > 500
    server.call("DEL", taking)
    await hall.store.drop_seat(player, ROOM, unless_taking=True)
    assert await hall.store.seats(player) == {}


async def test_who_never_sat_is_kept_a_day_and_others_a_year(server: Valkey, hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    keys = keys_of_player(player)
    names = [keys.player, token_key(TOKEN)]
    assert all(0 < server.call("PTTL", name) <= USUAL.guest_ms for name in names)
    await hall.store.add_seat(player, ROOM, 1)
    names.append(keys.seats)
    assert all(
        USUAL.player_ms - 9999 < server.call("PTTL", name) <= USUAL.player_ms for name in names
    )
    for name in names:
        server.call("PEXPIRE", name, 5000)
    await hall.store.find_player(TOKEN, None)
    assert all(
        USUAL.player_ms - 9999 < server.call("PTTL", name) <= USUAL.player_ms for name in names
    )


async def test_who_is_connected_is_kept_and_nobody_is_made_of_nothing(
    server: Valkey, hall: Hall
) -> None:
    player, gone = await hall.store.create_player(TOKEN, "Ada"), new_player("00" * 32)
    names = [keys_of_player(player).player, token_key(TOKEN)]
    for name in names:
        server.call("PEXPIRE", name, 5000)
    await hall.store.visit([gone, player])
    assert all(server.call("PTTL", name) > 9999 for name in names)
    assert not server.call("EXISTS", keys_of_player(gone).player)


async def test_the_first_answer_stays(server: Valkey, hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    assert await hall.store.first_answer(player, "create 1", b"x") == b"x"
    assert await hall.store.first_answer(player, "create 1", b"y") == b"x"
    assert await hall.store.first_answer(player, "create 2", b"y") == b"y"
    assert 0 < server.call("PTTL", keys_of_player(player).answer + "create 1") <= 600_000


async def test_a_player_and_the_token_share_a_shard(hall: Hall) -> None:
    player = await hall.store.create_player(TOKEN, "Ada")
    assert shard_of(player) == int(TOKEN[:2], 16) % 64


async def test_a_full_store_is_unavailable(server: Valkey, hall: Hall) -> None:
    first = hall.first()
    server.call("CONFIG", "SET", "maxmemory", 1)
    try:
        with pytest.raises(Unavailable, match="OOM"):
            await hall.store.create_player(TOKEN, "Ada")
        with pytest.raises(Unavailable, match="OOM"):
            await hall.store.commit(first)
    finally:
        server.call("CONFIG", "SET", "maxmemory", 0)
    assert await hall.store.load(first.room) is None
    assert await hall.store.log(first.room, 0) == []
