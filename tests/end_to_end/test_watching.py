"""Following a room: every event once, in order, from any node, also after one was away."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from end_to_end.client import PATIENCE_S, Client, Message
from gateway.hall import LARGE, Hall, Table, open_hall, stranger
from gateway.peer import Peer

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def open_for_all() -> AsyncIterator[Hall]:
    flags = ("--requests-per-second", "1000", "--requests-burst", "1000", "--chat-per-second", "99")
    async with open_hall(*flags) as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="module")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()
    Peer.drop_all()


async def seated(hall: Hall, **fields: Any) -> Table:
    """A table whose players are on different nodes."""
    return await hall.table(await hall.connect("ann", 0), await hall.connect("bob", 1), **fields)


def seqs(events: list[Message]) -> list[int]:
    return [event["seq"] for event in events]


class Follower:
    """What a client knows of a room, by the rules of the wire: a gap is a failure."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.seq: int | None = None
        self.snapshots = 0
        self.moves: list[str] = []

    def hear(self, message: Message) -> None:
        if message.get("room") != self.room:
            return
        if message["type"] == "room":
            self.seq = message["seq"]
            self.moves = [made["move"] for made in message["moves"]]
            self.snapshots += 1
        elif message["type"] == "events":
            for event in message["events"]:
                self.hear(event)
        elif message["type"] == "event":
            assert self.seq is not None, "an event before the reply"
            assert message["seq"] == self.seq + 1
            self.seq += 1
            if message["kind"] == "moved":
                assert message["ply"] == len(self.moves)
                self.moves.append(message["move"])


# Resuming


async def test_since_gets_exactly_the_events_after_it(hall: Hall) -> None:
    table = await seated(hall)
    ann, _ = table.players
    await table.moves(6)
    await ann.event("moved", ply=5)
    whole = ann.events(table.room)
    epoch, top = whole[-1]["epoch"], whole[-1]["seq"]
    for node in (0, 1):
        back = await hall.connect("ann", node, token=ann.token)
        for since in range(1, top + 1):
            reply = await back.ask("watch", room=table.room, since={"epoch": epoch, "seq": since})
            assert (reply["type"], reply["room"], reply["epoch"]) == ("events", table.room, epoch)
            assert reply["events"] == [event for event in whole if event["seq"] > since]


async def test_who_resumed_goes_on_from_there(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    await table.moves(2)
    last = await bob.event("moved", ply=1)
    bob.drop()
    await ann.move(table.room, 2, "2")
    back = await hall.connect("bob", 0, token=bob.token)
    since = {"epoch": last["epoch"], "seq": last["seq"]}
    missed = await back.ask("watch", room=table.room, since=since)
    assert seqs(missed["events"]) == [last["seq"] + 1]
    await back.move(table.room, 3, "3")
    await ann.move(table.room, 4, "2")
    await back.event("moved", ply=4)
    assert seqs(back.events(table.room)) == [last["seq"] + 2, last["seq"] + 3]


async def test_another_epoch_or_a_seq_above_the_top_gets_a_snapshot(hall: Hall) -> None:
    table = await seated(hall)
    ann, _ = table.players
    await table.moves(3)
    room = await ann.ask("watch", room=table.room)
    epoch, top = room["epoch"], room["seq"]
    for since in (
        {"epoch": "another", "seq": 2},
        {"epoch": "", "seq": top},
        {"epoch": epoch, "seq": top + 1},
        {"epoch": epoch, "seq": 2**53 - 1},
    ):
        reply = await ann.ask("watch", room=table.room, since=since)
        assert (reply["type"], reply["seq"], reply["epoch"]) == ("room", top, epoch)
        assert (reply["ply"], reply["you"]) == (3, 0)


async def test_events_that_are_no_longer_at_hand_get_a_snapshot(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    room = await ann.ask("watch", room=table.room)
    # The log keeps about a thousand, trimmed by the hundred.
    for number in range(1300):
        speaker = (ann, bob)[number % 2]
        answer = await speaker.asked("say", room=table.room, text=str(number))
        while answer["type"] == "error":
            assert answer["code"] == "rate_limited"
            await asyncio.sleep(0.1)
            answer = await speaker.asked("say", room=table.room, text=str(number))
    top = room["seq"] + 1300
    early = {"epoch": room["epoch"], "seq": room["seq"]}
    reply = await ann.ask("watch", room=table.room, since=early)
    assert (reply["type"], reply["seq"]) == ("room", top)
    late = {"epoch": room["epoch"], "seq": top - 1000}
    reply = await ann.ask("watch", room=table.room, since=late)
    assert reply["type"] == "events"
    assert seqs(reply["events"]) == list(range(top - 999, top + 1))


# Presence


async def test_presence_tells_who_is_there(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    room = await ann.ask("watch", room=table.room)
    assert [seat["online"] for seat in room["seats"]] == [True, True]
    second = await hall.connect("bob", 0, token=bob.token)
    await second.ask("watch", room=table.room)
    await bob.close()
    await asyncio.sleep(0.3)
    room = await ann.ask("watch", room=table.room)
    assert room["seats"][1]["online"] and room["watchers"] == 0
    before = (await ann.ask("ping"))["now_ms"]
    ann.pushed.clear()  # she may have been told of the seat before bob took it
    second.drop()
    gone = await ann.until(
        lambda m: m["type"] == "presence" and not m["seats"][1]["online"], patience=3
    )
    assert gone["room"] == table.room
    assert gone["seats"][0] == {"online": True, "away_since_ms": None}
    assert before - 100 <= gone["seats"][1]["away_since_ms"] <= before + 3000
    ann.pushed.clear()
    await (await hall.connect("bob", 1, token=bob.token)).ask("watch", room=table.room)
    back = await ann.until(lambda m: m["type"] == "presence" and m["seats"][1]["online"])
    assert back["seats"][1]["away_since_ms"] is None


async def test_watchers_are_counted_over_all_nodes(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players

    async def all_see(count: int) -> None:
        for client in (ann, bob):
            await client.until(lambda m: m["type"] == "presence" and m["watchers"] == count, 3)
            client.pushed.clear()
        assert (await ann.ask("watch", room=table.room))["watchers"] == count

    crowd = []
    for number in range(4):
        crowd.append(await hall.connect("eve", number % 2))
        await crowd[-1].ask("watch", room=table.code)
        await all_see(number + 1)
    await crowd[0].ask("unwatch", room=table.room)
    await all_see(3)
    crowd[1].drop()
    await all_see(2)
    # Twice on one connection is one watcher.
    assert (await crowd[2].ask("watch", room=table.code))["watchers"] == 2


async def test_nothing_of_the_room_comes_before_the_reply(hall: Hall) -> None:
    table = await seated(hall)
    for node in (0, 1):
        peer = await Peer.hello(hall.nodes[node])
        peer.say("watch", room=table.code)
        first = await peer.message()
        assert (first["type"], first.get("re")) == ("room", peer.asked)


# Events


async def test_everybody_gets_every_event_once_and_in_order(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    watchers = [
        await hall.connect("eve", node, encoding)
        for node in (0, 1)
        for encoding in ("json", "msgpack")
    ]
    for watcher in watchers:
        await watcher.ask("watch", room=table.code)

    async def chat(client: Client) -> None:
        for number in range(10):
            await client.ask("say", room=table.room, text=f"line {number}")

    await asyncio.gather(table.moves(60), *(chat(client) for client in (ann, bob, *watchers)))
    await ann.ask("resign", room=table.room, round=1)
    end = (await ann.event("finished"))["seq"]
    assert end == 3 + 60 + 60 + 1
    for client in (bob, *watchers):
        assert (await client.event("finished"))["seq"] == end
        assert [e for e in client.events(table.room) if e["seq"] > 3] == [
            e for e in ann.events(table.room) if e["seq"] > 3
        ]
    assert seqs(watchers[0].events(table.room)) == list(range(4, end + 1))


async def test_an_accepted_move_has_the_seq_of_its_event(hall: Hall) -> None:
    table = await seated(hall)
    ann, bob = table.players
    accepted = await table.moves(20)
    await bob.event("moved", ply=19)
    await ann.event("moved", ply=19)
    for client in (ann, bob):
        moved = [event for event in client.events(table.room) if event["kind"] == "moved"]
        assert seqs(moved) == accepted


async def test_a_forced_pass_is_told_with_the_move_before_it(hall: Hall) -> None:
    table = await seated(hall, game="duel", options={"tiles": 4, "towers": 2})
    ann, bob = table.players
    await ann.move(table.room, 0, "1A")
    await bob.move(table.room, 1, "4A")
    accepted = await ann.move(table.room, 2, "3B")
    for client in (ann, bob):
        moved = await client.event("moved", ply=2)
        passed = await client.event("moved", ply=3)
        assert (moved["seq"], moved["seat"], moved["forced"]) == (accepted["seq"], 0, False)
        assert (passed["seq"], passed["seat"], passed["forced"]) == (accepted["seq"] + 1, 1, True)
        for field in ("view", "legal", "turn", "clocks"):
            assert moved[field] == passed[field]
        assert moved["turn"] == 0 and "4B" in moved["legal"]
    assert (await ann.move(table.room, 4, "4B"))["seq"] == accepted["seq"] + 2


async def test_the_beat_carries_the_top_of_each_room(hall: Hall) -> None:
    table, other = await seated(hall), await seated(hall)
    eve = await hall.connect("eve", 1)
    for each in (table, other):
        await eve.ask("watch", room=each.code)
    top = (await table.moves(5))[-1]
    # A beat may be under way to her that is older than the last move.
    await eve.event("moved", room=table.room, ply=4)
    eve.pushed.clear()
    beat = await eve.until(lambda m: m["type"] == "beat", patience=7)
    assert beat["rooms"] == {table.room: top, other.room: 3}
    assert abs(beat["now_ms"] - (await eve.ask("ping"))["now_ms"]) < 1000


async def test_the_reply_to_watch_comes_before_later_events(hall: Hall) -> None:
    """Watching while moves fly, with and without `since`, on both nodes: never a gap."""
    table = await seated(hall)
    first = await table.players[0].ask("watch", room=table.room)
    playing = asyncio.create_task(play_on(table, 97))

    async def come_and_go(node: int, *, resumes: bool) -> int:
        peer = await Peer.hello(hall.nodes[node])
        times = 0
        while not playing.done():
            follower = Follower(table.room)
            fields: dict[str, Any] = {}
            if resumes:
                follower.seq = first["seq"]
                fields = {"since": {"epoch": first["epoch"], "seq": first["seq"]}}
            peer.say("watch", room=table.code, **fields)
            asked = peer.asked
            while (message := await peer.message()).get("re") != asked:
                assert message["type"] in {"beat", "presence"}, message
            follower.hear(message)
            for _ in range(4):
                if playing.done():
                    break
                follower.hear(await peer.message())
            # What was on its way when we left belongs to nobody.
            peer.say("unwatch", room=table.room)
            while (message := await peer.message()).get("re") != peer.asked:
                follower.hear(message)
            assert follower.moves == ["2", "3"] * (len(follower.moves) // 2) + ["2"] * (
                len(follower.moves) % 2
            )
            times += 1
        return times

    times = await asyncio.gather(
        *(come_and_go(node, resumes=resumes) for node in (0, 1) for resumes in (False, True) * 3)
    )
    await playing
    assert sum(times) > 60


async def test_who_comes_at_the_moment_of_a_move_learns_of_it_and_so_do_the_others(
    hall: Hall,
) -> None:
    """No later event comes to repair what was missed."""
    table = await seated(hall)
    start = await table.players[0].ask("watch", room=table.room)
    since = {"epoch": start["epoch"], "seq": start["seq"]}
    peers = [await Peer.hello(hall.nodes[number % 2]) for number in range(8)]

    async def follow(number: int, moving: "asyncio.Task[Message]") -> None:
        peer, follower = peers[number], Follower(table.room)
        if number < 4:
            peer.say("watch", room=table.code)
        else:
            follower.seq = start["seq"]
            peer.say("watch", room=table.code, since=since)
        top = (await moving)["seq"]
        async with asyncio.timeout(PATIENCE_S):
            while follower.seq is None or follower.seq < top:
                follower.hear(await peer.message())
        assert (await peer.ask("unwatch", room=table.room))["type"] == "ok"

    async def move_after(milliseconds: int) -> Message:
        await asyncio.sleep(milliseconds / 1000)
        return await table.move()

    for ply in range(60):
        moving = asyncio.create_task(move_after(ply % 15))
        await asyncio.gather(*(follow(number, moving) for number in range(len(peers))))
        for player in table.players:
            await player.event("moved", ply=ply)


async def play_on(table: Table, plies: int) -> None:
    for _ in range(plies):
        await table.move()
        await asyncio.sleep(0.02)


async def test_a_watcher_that_reads_slowly_gets_a_snapshot_instead(hall: Hall) -> None:
    ann, bob = await hall.connect("ann", 0), await hall.connect("bob", 1)
    table = await hall.table(ann, bob, options=LARGE)
    slow = await Peer.hello(hall.nodes[0])
    follower = Follower(table.room)
    follower.hear(await slow.ask("watch", room=table.code))
    slow.stop_reading()
    for round_ in (1, 2, 3, 4):
        for ply in range(90):
            player = (ann, bob)[(round_ + 1 + ply) % 2]
            await player.move(table.room, ply, stranger(ply), round_)
        await ann.ask("resign", room=table.room, round=round_)
        for player in (ann, bob):
            await player.ask("rematch", room=table.room, round=round_)
    await ann.event("started", round=5)
    slow.start_reading()
    top = (await ann.ask("watch", room=table.room))["seq"]
    heard = 0
    while follower.seq != top:
        follower.hear(await slow.message())
        heard += 1
    assert follower.snapshots > 1
    assert heard < 360
    await ann.move(table.room, 0, "2", 5)
    while follower.seq != top + 1:
        follower.hear(await slow.message())
    assert follower.moves == ["2"]


async def test_a_connection_follows_twenty_rooms(hall: Hall) -> None:
    openers = [await hall.connect("ann", node) for node in (0, 1)]
    rooms = [await openers[n % 2].ask("create", game="duel", listed=True) for n in range(22)]
    eve = await hall.connect("eve")
    for room in rooms[:20]:
        await eve.ask("watch", room=room["room"])
    for kind, fields in (
        ("watch", {"room": rooms[20]["code"]}),
        ("join", {"room": rooms[20]["room"]}),
        ("create", {"game": "duel"}),
    ):
        error = await eve.asked(kind, **fields)
        assert (error.get("code"), error.get("temporary")) == ("too_many", True), kind
    assert (await eve.ask("watch", room=rooms[0]["room"]))["type"] == "room"
    await eve.ask("unwatch", room=rooms[0]["room"])
    assert (await eve.ask("join", room=rooms[20]["room"]))["you"] == 1
    error = await eve.asked("watch", room=rooms[21]["room"])
    assert error["code"] == "too_many"
