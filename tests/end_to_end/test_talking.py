"""Watching and talking."""

import asyncio

import pytest

from end_to_end.requests import assert_refused, seated
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    asked = [ann.asked("say", room=table.room, text=f"line {n}") for n in range(8)]
    answers = await asyncio.gather(*asked)
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
