"""Watching, from anywhere in a game."""

import pytest
from playwright.async_api import expect

from gateway.hall import LARGE, Hall, stranger
from page.conftest import Arrive
from page.line import answer_first

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_watcher_in_the_middle_sees_the_whole_game_and_steps_back_while_it_goes_on(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await table.moves(3)
    carl = await arrive()
    await carl.enter(f"/watch/{table.code}")
    await carl.sees_moves("2", "3", "2")
    await carl.sees(".prompt", "bob is to move.")
    await expect(carl.page.locator(".block.last")).to_have_text("2")
    await carl.press("ArrowLeft", "ArrowLeft")
    await carl.sees_towers("Tower: 2; 2 is on top.")
    await table.moves(2)
    await carl.sees_moves("2", "3", "2", "3", "2")
    await carl.sees_towers("Tower: 2; 2 is on top.")
    await carl.sees(".prompt", "Looking back: move 1 of 5.")
    await carl.click("Latest move")
    await carl.sees_towers("Tower: 2, 3, 2, 3, 2; 2 is on top.")
    await table.move()
    await carl.sees_moves("2", "3", "2", "3", "2", "3")


async def test_watchers_are_counted_and_may_chat(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    player, watcher = await arrive(ann.token), await arrive()
    await player.enter(f"/r/{table.code}")
    await watcher.enter(f"/watch/{table.code}")
    await player.sees(".terms", "1 watcher")
    await watcher.page.get_by_label("Say something").fill("hello")
    await watcher.click("Send")
    await player.sees(".chat-log", "watching hello")
    await expect(watcher.page.get_by_role("button", name="Resign")).to_be_hidden()


async def test_watching_an_open_room_does_not_offer_the_seat(hall: Hall, arrive: Arrive) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", game="duel")
    carl = await arrive()
    await carl.enter(f"/watch/{opened['code']}")
    await carl.sees(".welcome", "ann waits for an opponent")
    await expect(carl.page.get_by_role("button", name="Sit down and play")).to_have_count(0)
    await (await hall.connect("bob")).ask("join", room=opened["code"])
    await expect(carl.page.locator(".felt")).to_be_visible()


async def test_a_room_that_is_full_is_watched(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    carl = await arrive()
    await carl.enter(f"/r/{table.code}")
    await carl.sees(".prompt", "You are watching. ann is to move.")
    await expect(carl.page.locator(".move")).to_have_count(0)


async def test_the_overlay_shows_the_table_and_nothing_else(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await table.move()
    carl = await arrive()
    await carl.page.goto(f"/watch/{table.code}?overlay")
    await expect(carl.page.locator(".block.last")).to_have_text("2")
    for hidden in (".top", ".side", ".choice", ".game-head"):
        await expect(carl.page.locator(hidden)).to_be_hidden()
    colour = await carl.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgba(0, 0, 0, 0)"


async def test_an_unknown_room_is_told_in_a_sentence(arrive: Arrive) -> None:
    carl = await arrive()
    await carl.enter("/r/ZZZZZZ")
    await carl.sees("main", "There is no such room")
    await carl.sees_title("No room here")
    await carl.page.get_by_role("link", name="To the lobby").click()
    await carl.sees("h1", "Number games, live.")


async def test_the_win_over_somebody_who_left_can_be_claimed_after_a_while(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, clock={"initial_ms": 600_000, "increment_ms": 0})
    await table.moves(2)
    player = await arrive(ann.token)
    await player.enter(f"/r/{table.code}")
    bob.drop()
    claim = player.page.get_by_role("button", name="Claim the win in")
    await expect(claim).to_be_disabled()
    await player.sees(".player[data-seat='1'] .presence", "away for")


async def test_a_closed_room_says_so_also_when_it_is_opened_later(
    hall: Hall, arrive: Arrive
) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", game="duel")
    visitor = await arrive(ann.token)
    await visitor.enter(f"/r/{opened['code']}")
    await visitor.click("Close the room")
    await visitor.sees(".welcome", "This room is closed")
    await visitor.enter(f"/r/{opened['code']}")
    await visitor.sees(".welcome", "This room is closed")
    # There is nothing to see at an empty table, and nobody to talk to.
    for nothing in (".felt", ".player", ".side"):
        await expect(visitor.page.locator(nothing).first).to_be_hidden()
    await visitor.page.get_by_role("link", name="To the lobby").click()
    await visitor.sees("h1", "Number games, live.")


@pytest.mark.parametrize(("width", "height"), [(800, 450), (1280, 720), (400, 300)])
@pytest.mark.parametrize("game", ["duel", "relatives"])
async def test_the_overlay_fits_its_window(
    hall: Hall, arrive: Arrive, game: str, width: int, height: int
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game=game)
    carl = await arrive(viewport={"width": width, "height": height})
    await carl.page.goto(f"/watch/{table.code}?overlay")
    await expect(carl.page.locator(".felt")).to_be_visible()
    for who in (carl.page.locator(".player").first, carl.page.locator(".player").last):
        await expect(who).to_be_in_viewport(ratio=1)
    below = await carl.page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert below <= 0


async def test_tables_that_could_not_be_fetched_are_fetched_later(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await table.moves(3)
    carl = await arrive()
    refusals = [{"code": "not_allowed", "message": "Not now.", "temporary": False}]
    await answer_first(carl, "record", refusals)
    await carl.enter(f"/watch/{table.code}")
    await carl.sees_moves("2", "3", "2")
    await table.move()
    await carl.sees_moves("2", "3", "2", "3")
    await carl.press("Home")
    await carl.sees_towers("Tower: empty.")
    assert refusals == []


async def test_what_was_said_before_is_there_for_who_comes_later(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await bob.ask("say", room=table.room, text="good luck")
    await table.moves(2)
    await ann.ask("say", room=table.room, text="thank you")
    said = ["bob good luck", "ann thank you"]
    for visitor in (await arrive(ann.token), await arrive()):
        for _ in range(2):
            await visitor.enter(f"/r/{table.code}")
            await expect(visitor.page.locator(".chat-log p")).to_have_text(said)
    await ann.ask("say", room=table.room, text="and you?", key="other")
    await expect(visitor.page.locator(".chat-log p")).to_have_text([*said, "ann and you?"])


async def test_what_was_said_is_there_also_where_the_hall_does_not_send_so_many_events_at_once(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, options=LARGE)
    await table.moves(35)
    await bob.ask("say", room=table.room, text="so many")
    await table.moves(3)
    carl = await arrive()
    # Until the record is there, a snapshot that were taken as news would ask for it once more.
    busy = {"code": "unavailable", "message": "Not now.", "temporary": True, "wait_ms": 1000}
    records = await answer_first(carl, "record", [busy])
    await carl.enter(f"/watch/{table.code}")
    await expect(carl.page.locator(".chat-log p")).to_have_text(["bob so many"])
    await carl.sees_moves(*map(stranger, range(38)))
    await carl.press("Home")
    await carl.sees_towers("Tower: empty.")
    assert len({asked["id"] for asked in records}) == 1


async def test_who_comes_between_two_games_is_told_that_there_is_another(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, rounds=2)
    await table.moves(2)
    await ann.ask("resign", room=table.room, round=1)
    carl = await arrive()
    await carl.enter(f"/watch/{table.code}")
    await carl.sees(".result", "ann resigned: bob wins. The next game begins in a moment.")
    await carl.sees_title("Next game soon")
