"""Seeks and pairings in the store: who is paired with whom, and that nobody is lost or doubled."""

import asyncio
import contextlib
import random
from collections import Counter
from itertools import count

import pytest

from store.conftest import Open
from store.hall import Hall, eventually
from store.valkey import Valkey
from towerhall_server.store import NoAnswer, Sought, new_player
from towerhall_server.store.keys import LOBBY_KEYS, ages_key, seek_key
from towerhall_server.store.seeks import LEASE_MS, LOOK, MOST_POOLS

POOL = '["duel",2]'
_numbers = count()


def player() -> str:
    return new_player(f"{next(_numbers) % 64:02x}" * 32)


async def seek(
    hall: Hall, who: str, rating: int | None = None, pool: str = POOL, key: str = ""
) -> Sought:
    return await hall.store.seeks.seek(who, pool, rating, "ann", key)


async def pairs(hall: Hall, *found: Sought) -> list[set[str]]:
    """Who was paired, by these seeks."""
    told = [await hall.store.seeks.pairing(one.pairing) for one in found if one.pairing]
    return [{partner.player for partner in pairing.partners} for pairing in told if pairing]


def wait(server: Valkey, who: str, ms: int, pool: str = POOL) -> None:
    """Have this seek begun earlier."""
    since = int(server.call("HINCRBY", seek_key(who), "since", -ms))
    server.call("ZADD", ages_key(pool), since, who)


def assert_nobody_waits(server: Valkey) -> None:
    assert server.call("ZCARD", LOBBY_KEYS.leases) == 0
    assert server.call("ZCARD", LOBBY_KEYS.pools) == 0
    assert server.call("KEYS", f"{LOBBY_KEYS.head}seek:*") == []
    assert server.call("KEYS", f"{LOBBY_KEYS.head}ages:*") == []
    assert server.call("KEYS", f"{LOBBY_KEYS.head}ratings:*") == []


async def test_two_equal_seeks_are_paired_and_wait_no_longer(hall: Hall, server: Valkey) -> None:
    ann, bob = player(), player()
    first, second = await seek(hall, ann), await seek(hall, bob)
    assert first.pairing is None
    assert second.pairing
    pairing = await hall.store.seeks.pairing(second.pairing)
    assert pairing
    assert [partner.player for partner in pairing.partners] == [ann, bob]
    assert pairing.pool == POOL
    assert_nobody_waits(server)


async def test_nobody_is_paired_with_themselves(hall: Hall) -> None:
    ann = player()
    seeks = [await seek(hall, ann) for _ in range(3)]
    assert [one.pairing for one in seeks] == [None] * 3
    assert len({one.since_ms for one in seeks}) == 1


async def test_unequal_seeks_wait_apart(hall: Hall) -> None:
    await seek(hall, player())
    assert (await seek(hall, player(), pool="other")).pairing is None


async def test_the_oldest_seek_comes_first(hall: Hall, server: Valkey) -> None:
    ann, bob, cid = player(), player(), player()
    await seek(hall, ann, 1000)
    await seek(hall, bob, 1300)
    for who, ms in ((ann, 20_000), (bob, 25_000)):
        wait(server, who, ms)
    found = await seek(hall, cid, 1150)
    assert await pairs(hall, found) == [{bob, cid}]


async def test_another_seek_replaces_the_first(hall: Hall, server: Valkey) -> None:
    ann, bob = player(), player()
    first = await seek(hall, ann)
    again = await seek(hall, ann, pool="other")
    assert again.since_ms > first.since_ms
    assert (await seek(hall, bob)).pairing is None
    assert server.call("ZSCORE", LOBBY_KEYS.pools, POOL) == 1
    await hall.store.seeks.unseek(bob)
    await hall.store.seeks.unseek(ann)
    assert_nobody_waits(server)


async def test_far_ratings_are_paired_when_one_has_waited(hall: Hall, server: Valkey) -> None:
    ann, bob = player(), player()
    await seek(hall, ann, 1500)
    assert (await seek(hall, bob, 1900)).pairing is None
    assert await hall.store.seeks.look_again() == []
    wait(server, ann, 7500)
    (pairing,) = await hall.store.seeks.look_again()
    assert await pairs(hall, Sought(0, pairing)) == [{ann, bob}]


async def test_after_thirty_seconds_anybody_will_do(hall: Hall, server: Valkey) -> None:
    ann = player()
    await seek(hall, ann, 100)
    wait(server, ann, 29_000)
    bob = player()
    assert (await seek(hall, bob, 4000)).pairing is None
    await hall.store.seeks.unseek(bob)
    wait(server, ann, 1_100)
    assert (await seek(hall, player(), 4000)).pairing


async def test_near_ratings_are_found_however_many_wait_longer(hall: Hall) -> None:
    far = [player() for _ in range(30)]
    for place, who in enumerate(far):
        assert (await seek(hall, who, 2000 * place)).pairing is None
    near = player()
    assert (await seek(hall, near, 81_000)).pairing is None
    found = await seek(hall, player(), 81_010)
    assert near in (await pairs(hall, found))[0]


async def test_the_last_opponent_comes_after_anybody_else(hall: Hall, server: Valkey) -> None:
    ann, bob, cid = player(), player(), player()
    await seek(hall, ann)
    assert (await seek(hall, bob)).pairing
    await seek(hall, ann)
    assert (await seek(hall, bob)).pairing is None
    found = await seek(hall, cid)
    assert await pairs(hall, found) == [{ann, cid}]


async def test_last_opponents_who_are_alone_play_again_after_five_seconds(
    hall: Hall, server: Valkey
) -> None:
    ann, bob = player(), player()
    for who in (ann, bob, ann, bob):
        await seek(hall, who)
    wait(server, ann, 4000)
    assert await hall.store.seeks.look_again() == []
    wait(server, ann, 1001)
    (pairing,) = await hall.store.seeks.look_again()
    assert await pairs(hall, Sought(0, pairing)) == [{ann, bob}]


async def test_three_who_all_played_each_other_do_not_wait_for_ever(
    hall: Hall, server: Valkey
) -> None:
    trio = [player() for _ in range(3)]
    for place, who in enumerate(trio):
        server.call("SET", f"{LOBBY_KEYS.head}last:{who}", trio[(place + 1) % 3])
        assert (await seek(hall, who)).pairing is None
    assert await hall.store.seeks.look_again() == []
    wait(server, trio[0], 30_001)
    assert len(await hall.store.seeks.look_again()) == 1


async def test_of_too_many_crowded_pools_each_has_its_turn(hall: Hall, server: Valkey) -> None:
    # So many, and fuller than the one where two would fit by now.
    for number in range(MOST_POOLS + 10):
        for rating in (0, 5_000, 10_000):
            assert (await seek(hall, player(), rating, pool=f"far {number}")).pairing is None
    ann, bob = player(), player()
    await seek(hall, ann, 1500)
    assert (await seek(hall, bob, 1900)).pairing is None
    wait(server, ann, 7500)
    looks = [await hall.store.seeks.look_again() for _ in range(40)]
    (pairing,) = [one for found in looks for one in found]
    assert await pairs(hall, Sought(0, pairing)) == [{ann, bob}]


async def test_a_key_gets_the_first_answer_whatever_came_of_it(hall: Hall) -> None:
    ann, bob = player(), player()
    first = await seek(hall, ann, key="k")
    assert await seek(hall, ann, key="k") == first
    assert await seek(hall, ann, key="other") == first
    paired = await seek(hall, bob, key="k")
    assert paired.pairing
    for key in ("k", "other"):
        assert await seek(hall, ann, key=key) == Sought(first.since_ms, paired.pairing, again=True)
    assert await seek(hall, bob, key="k") == paired._replace(again=True)


async def test_a_key_stands_for_the_first_seek_whatever_else_it_is_sent_with(
    hall: Hall, server: Valkey
) -> None:
    ann, bob = player(), player()
    first = await seek(hall, ann, key="k")
    assert await seek(hall, ann, pool="other", key="k") == first._replace(instead=POOL)
    assert server.call("ZRANGE", LOBBY_KEYS.pools, 0, -1) == [POOL.encode()]
    paired = await seek(hall, bob)
    told = await seek(hall, ann, pool="other", key="k")
    assert told == Sought(first.since_ms, paired.pairing, again=True, instead=POOL)
    assert_nobody_waits(server)


async def test_a_late_seek_does_not_bring_back_what_was_given_up(
    hall: Hall, server: Valkey
) -> None:
    ann = player()
    first = await seek(hall, ann, key="k")
    await hall.store.seeks.unseek(ann)
    assert await seek(hall, ann, key="k") == Sought(first.since_ms, None, given_up=True, again=True)
    assert_nobody_waits(server)


async def test_a_seek_that_lapsed_can_be_sent_again(hall: Hall, server: Valkey) -> None:
    ann = player()
    first = await seek(hall, ann, key="k")
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann)
    again = await seek(hall, ann, key="k")
    assert again.since_ms > first.since_ms
    assert not again.given_up


async def test_who_lapsed_is_paired_with_nobody_and_swept(hall: Hall, server: Valkey) -> None:
    ann, bob = player(), player()
    since = (await seek(hall, ann)).since_ms
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann)
    assert (await seek(hall, bob)).pairing is None
    assert await hall.store.seeks.waiting(ann) is None
    assert await hall.store.seeks.renew({ann: since}) == {ann: Sought(since)}
    server.call("ZADD", LOBBY_KEYS.leases, 1, bob)
    await hall.store.seeks.renew({})
    assert_nobody_waits(server)


async def test_who_gave_up_a_seek_that_lapsed_has_given_it_up(hall: Hall, server: Valkey) -> None:
    ann, bob = player(), player()
    since = (await seek(hall, ann)).since_ms
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann)
    await hall.store.seeks.renew({})
    await hall.store.seeks.unseek(ann)
    assert await hall.store.seeks.renew({ann: since}) == {ann: Sought(since, given_up=True)}
    since = (await seek(hall, ann)).since_ms
    assert await hall.store.seeks.renew({ann: since}) == {}
    paired = await seek(hall, bob)
    await hall.store.seeks.unseek(ann)
    assert await hall.store.seeks.renew({ann: since}) == {ann: Sought(since, paired.pairing)}


async def test_renewing_keeps_a_seek_and_tells_what_became_of_others(
    hall: Hall, server: Valkey
) -> None:
    ann, bob, cid, dot = (player() for _ in range(4))
    since = {who: (await seek(hall, who, pool=who)).since_ms for who in (cid, dot)}
    since[ann] = (await seek(hall, ann)).since_ms
    paired = await seek(hall, bob)
    await hall.store.seeks.unseek(dot)
    server.call("ZINCRBY", LOBBY_KEYS.leases, -LEASE_MS + 2_000, cid)
    before = float(server.call("ZSCORE", LOBBY_KEYS.leases, cid))
    gone = await hall.store.seeks.renew(since)
    assert gone == {
        ann: Sought(since[ann], paired.pairing),
        dot: Sought(since[dot], given_up=True),
    }
    assert float(server.call("ZSCORE", LOBBY_KEYS.leases, cid)) > before


async def test_a_pairing_is_due_until_its_room_is_made(hall: Hall, server: Valkey) -> None:
    seeks = hall.store.seeks
    await seek(hall, player())
    identity = (await seek(hall, player())).pairing
    assert identity
    assert identity not in await seeks.pulse()
    server.call("ZADD", LOBBY_KEYS.deadlines, 1, identity)
    assert identity in await seeks.pulse()
    assert identity not in await seeks.pulse(), "it is claimed"
    pairing = await seeks.pairing(identity)
    assert pairing
    await seeks.settle(pairing, "room")
    server.call("ZINCRBY", LOBBY_KEYS.deadlines, -10_000, LOOK)
    assert identity not in await seeks.pulse()
    assert await seeks.pairing(identity) is None


async def test_a_key_is_known_while_its_seek_waits_and_when_it_came_to_something(
    hall: Hall, server: Valkey
) -> None:
    seeks, ann, bob = hall.store.seeks, player(), player()
    assert not await seeks.was_asked(ann, "mine")
    await seek(hall, ann, key="mine")
    assert await seeks.was_asked(ann, "mine")
    assert not await seeks.was_asked(ann, "another")
    server.call("ZADD", LOBBY_KEYS.leases, 1, ann)
    assert not await seeks.was_asked(ann, "mine"), "it lapsed, and nobody has seen that yet"
    await seeks.renew({})
    assert not await seeks.was_asked(ann, "mine"), "it lapsed"
    await seek(hall, ann, key="mine")
    await seek(hall, bob, key="his")
    assert await seeks.was_asked(ann, "mine"), "it is paired"
    assert await seeks.was_asked(bob, "his"), "it is paired"
    await seek(hall, ann, key="given up")
    await seeks.unseek(ann)
    assert await seeks.was_asked(ann, "given up")


async def test_settling_is_told_to_every_node_once(server: Valkey, open_hall: Open) -> None:
    one, other = await open_hall(server, "a"), await open_hall(server, "b")
    for hall in (one, other):
        await hall.store.subscribe("lobby")
    await seek(one, player())
    pairing = await one.store.seeks.pairing((await seek(one, player())).pairing or "")
    assert pairing
    assert await one.store.seeks.settle(pairing, "room")
    assert not await other.store.seeks.settle(pairing, "room"), "it was settled before"
    await eventually(lambda: bool(one.payloads and other.payloads))
    await asyncio.sleep(0.05)
    assert [len(hall.payloads) for hall in (one, other)] == [1, 1]


@pytest.mark.parametrize("rated", [False, True])
async def test_row_27_every_one_of_many_seeks_is_paired_once(
    server: Valkey, open_hall: Open, rated: bool
) -> None:
    halls = [await open_hall(server, name) for name in "abcd"]
    players = [player() for _ in range(400)]
    chance = random.Random(7)

    async def seek_twice(who: str) -> list[Sought]:
        rating = chance.randrange(1450, 1550) if rated else None
        at = chance.sample(halls, 2)
        return list(await asyncio.gather(*(sure(hall, who, rating) for hall in at)))

    async def sure(hall: Hall, who: str, rating: int | None) -> Sought:
        """As a client would, asked again where no answer came in time."""
        for _ in range(5):
            with contextlib.suppress(NoAnswer):
                return await seek(hall, who, rating, key="k")
        raise AssertionError("the store did not answer five times")

    found = [one for both in await asyncio.gather(*map(seek_twice, players)) for one in both]
    made = {one.pairing: one for one in found if one.pairing}
    met = await pairs(halls[0], *made.values())
    assert all(len(pair) == 2 for pair in met)
    assert Counter(who for pair in met for who in pair) == Counter(players)
    assert_nobody_waits(server)


async def test_players_of_all_nodes_are_counted_while_their_leases_last(
    server: Valkey, open_hall: Open
) -> None:
    one, other = await open_hall(server, "a"), await open_hall(server, "b")
    await one.store.seeks.renew({}, 3)
    await other.store.seeks.renew({}, 4)
    assert (await one.store.lists.read(10, own=5)).online == 9
    server.call("HSET", LOBBY_KEYS.nodes, "b", "4 1")
    assert (await one.store.lists.read(10, own=5)).online == 5
    await one.store.seeks.renew({}, 2)
    assert server.call("HKEYS", LOBBY_KEYS.nodes) == [b"a"]
