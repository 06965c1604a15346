"""The lobby: strangers find each other, watchers find a game."""

import asyncio
import json
import re

import pytest
from playwright.async_api import WebSocketRoute, expect

from gateway.hall import Hall, open_hall
from page.conftest import Arrive
from page.seeker import seek_the_same

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_two_strangers_are_paired_by_quick_match(arrive: Arrive) -> None:
    ann, bob = await arrive(), await arrive()
    await ann.enter()
    await bob.enter()
    await ann.click("Quick match: Tower Builder")
    await ann.sees(".seeking", "Looking for somebody to play Tower Builder: quarry · 3+2 · 2 games")
    await bob.sees(".game-card:has-text('Tower Builder')", "1 player waiting")
    await bob.page.get_by_role("button", name="Play Tower Builder, quarry").click()
    for who in (ann, bob):
        await who.page.wait_for_url("**/r/*")
        await who.sees(".terms", "rated")
    assert ann.code == bob.code


async def test_a_search_can_be_stopped_and_is_not_forgotten_elsewhere(arrive: Arrive) -> None:
    ann = await arrive()
    await ann.enter()
    await ann.click("Quick match: Number Chain")
    await ann.sees(".seeking", "Number Chain")
    await ann.page.get_by_role("link", name="TV").click()
    await ann.page.get_by_role("link", name="Lobby").click()
    await ann.sees(".seeking", "Number Chain")
    await ann.enter()
    await ann.sees(".seeking", "Number Chain")
    await ann.click("Stop looking")
    await expect(ann.page.locator(".seeking")).to_be_hidden()
    await ann.enter()
    await expect(ann.page.locator(".hero .online")).not_to_be_empty()
    await expect(ann.page.locator(".seeking")).to_be_hidden()


async def test_who_watches_while_looking_is_taken_to_the_game(hall: Hall, arrive: Arrive) -> None:
    dora, emmy = await hall.connect("dora"), await hall.connect("emmy")
    other = await hall.table(dora, emmy, listed=True)
    ann, carl = await arrive(), await hall.connect("carl")
    await ann.enter()
    await ann.click("Quick match: Number Tower: Relatives")
    await ann.sees(".seeking", "Relatives")
    await ann.page.get_by_role("link", name="Watch dora against emmy").click()
    await ann.page.wait_for_url(f"**/watch/{other.code}")
    await carl.ask("seek", game="relatives", preset="juniper")
    await ann.page.wait_for_url("**/r/*")
    await ann.sees(".table .game", "carl")


async def test_an_open_room_is_joined_and_a_live_one_watched(hall: Hall, arrive: Arrive) -> None:
    ada = await hall.connect("ada")
    await ada.ask("create", game="duel", listed=True, first="joiner", clock=None)
    ann, carl = await arrive(), await arrive()
    await ann.enter()
    await carl.enter()
    await ann.page.get_by_role("button", name="Play ada at Number Tower Duel").click()
    await ann.page.wait_for_url("**/r/*")
    await ann.play("1A")
    row = carl.page.get_by_role("link", name=re.compile("Watch ada against guest"))
    await row.click()
    await carl.sees_moves("1A")


async def test_an_invitation_leads_to_where_others_find_the_hall(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    code = await visitor.open_room("Number Chain")
    link = visitor.page.locator(".invitation .link")
    await expect(link).to_have_value(f"{visitor.address}/r/{code}")
    await visitor.sees(".invitation .hint", "This link works on this machine alone.")
    await visitor.page.get_by_role("link", name="Lobby").click()
    named = "document.querySelector('meta[name=hall]').content = 'https://hall.example'"
    await visitor.page.evaluate(named)
    code = await visitor.open_room("Number Chain")
    await expect(link).to_have_value(f"https://hall.example/r/{code}")
    await expect(visitor.page.locator(".invitation .hint")).to_have_count(0)


async def test_a_private_room_is_not_in_the_lobby(hall: Hall, arrive: Arrive) -> None:
    hidden, shown = await hall.connect("hidden"), await hall.connect("shown")
    await hidden.ask("create", game="duel")
    await shown.ask("create", game="duel", listed=True)
    ann = await arrive()
    await ann.enter()
    await expect(ann.page.get_by_role("button", name="Play shown at")).to_be_visible()
    await expect(ann.page.get_by_role("button", name="Play hidden at")).to_have_count(0)


async def test_own_games_are_listed_with_whose_turn_it_is(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive(ann.token)
    await visitor.enter()
    await visitor.sees(".lobby > .card .row", "against bob · your turn")
    await visitor.page.get_by_role("link", name="Go on with").click()
    await visitor.play("2")
    await visitor.sees_moves("2")
    await visitor.page.get_by_role("link", name="towerhall").click()
    await visitor.sees(".lobby > .card .row", "against bob · their turn")
    await bob.move(table.room, 1, "3")
    await visitor.sees(".lobby > .card .row", "against bob · your turn")


async def test_who_looks_at_something_else_is_still_at_their_game(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await hall.table(await hall.connect("dora"), await hall.connect("emmy"), listed=True)
    visitor = await arrive(ann.token)
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    ann.drop()
    await visitor.page.get_by_role("link", name="TV").click()
    await expect(visitor.page.locator(".tv .felt")).to_be_visible()
    room = await bob.ask("watch", room=table.room)
    assert room["seats"][0]["online"]


async def test_a_code_leads_to_its_room_and_nonsense_to_a_sentence(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive()
    await visitor.enter()
    field = visitor.page.get_by_label("Room code")
    await field.fill("nonsense")
    await field.press("Enter")
    await visitor.sees(".code-form .refusal", "A code has six letters and digits")
    await field.fill(f"{table.code[:3]}-{table.code[3:]}".lower())
    await field.press("Enter")
    await visitor.sees(".prompt", "ann is to move.")


async def test_tv_shows_a_game_and_moves_on_to_the_next(arrive: Arrive) -> None:
    # In a hall of its own: what is on TV depends on all games of a hall.
    async with open_hall(nodes=1) as hall:
        carl = await arrive(address=hall.nodes[0].http(""))
        await carl.enter("/tv")
        await carl.sees("main", "No game is on")
        ann, bob = await hall.connect("ann"), await hall.connect("bob")
        first = await hall.table(ann, bob, listed=True)
        await first.move()
        await carl.sees_moves("2")
        dora, emmy = await hall.connect("dora"), await hall.connect("emmy")
        second = await hall.table(dora, emmy, listed=True)
        await second.moves(2)
        await ann.ask("resign", room=first.room, round=1)
        await carl.sees(".result", "wins")
        await carl.sees(".terms", f"{second.code[:3]}-{second.code[3:]}")
        await carl.sees_moves("2", "3")
        await carl.page.goto("/")


async def test_a_rated_match_changes_ratings_leaders_and_history(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game="duel", rounds=2, rated=True)
    visitor = await arrive(ann.token)
    await visitor.enter(f"/r/{table.code}")
    for round_ in (1, 2):
        await ann.event("started", round=round_)
        for ply, who in enumerate((ann, bob) if round_ == 1 else (bob, ann)):
            await who.move(table.room, ply, f"{ply + 1}A", round_)
        await bob.ask("resign", room=table.room, round=round_)
    await visitor.sees(".result", "ann wins the match, 2 to 0.")
    await visitor.sees(".player[data-seat='0'] .rating", re.compile(r"^1\d\d\d\?? \(\+\d+\)$"))
    await visitor.enter()
    await visitor.sees(".lobby", re.compile(r"won against bob.*2:0 · 1\d\d\d \(\+\d+\)"))


async def test_the_leaders_of_a_game_are_shown_with_ones_own_place(arrive: Arrive) -> None:
    """Who is ranked has played many rated matches: here the hall's answer is made up."""
    visitor = await arrive()

    def entry(rank: int, name: str, value: int) -> dict[str, object]:
        rating = {"value": value, "deviation": 60, "provisional": False, "matches": 40}
        return {"rank": rank, "player": name, "name": name, "rating": rating}

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def asked(said: str | bytes) -> None:
            request = json.loads(said)
            if request["type"] != "leaders":
                server.send(said)
                return
            best = [entry(rank, f"player-{rank}", 2000 - rank) for rank in range(1, 51)]
            reply = {"best": best, "own": entry(99, "me", 1400), "players": 120}
            line.send(json.dumps({"type": "leaders", "re": request["id"], "game": "duel", **reply}))

        line.on_message(asked)

    await visitor.page.route_web_socket("**/ws", through)
    await visitor.enter()
    rows = visitor.page.locator(".leaders li")
    await expect(rows).to_have_count(11)
    await expect(rows.first).to_have_text("1player-11999")
    await expect(rows.last).to_have_text("99me1400")
    await visitor.sees(".lobby", "120 players ranked.")


async def test_who_is_paired_in_the_middle_of_a_game_is_told_and_finds_the_way(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob, carl = [await hall.connect(name) for name in ("ann", "bob", "carl")]
    table = await hall.table(ann, bob)
    visitor = await arrive(ann.token, viewport={"width": 360, "height": 640})
    await visitor.enter()
    await visitor.click("Quick match: Number Chain")
    await visitor.sees(".seeking", "Number Chain")
    await visitor.page.get_by_role("link", name="Go on with").click()
    await visitor.has_the_move()
    await visitor.sees(".seeking", "Looking for somebody to play Number Chain")
    await visitor.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await seek_the_same(carl, "chain")
    begun = "Your game of Number Chain against carl has begun."
    await visitor.sees(".notices", begun)
    await expect(visitor.page.locator(".notices .notice")).to_be_in_viewport(ratio=1)
    await visitor.sees("#announcer", begun)
    await expect(visitor.page.locator(".seeking")).to_be_hidden()
    assert visitor.code == table.code
    await visitor.page.get_by_role("link", name="Go there").click()
    await visitor.sees(".table .game", "carl")
    await expect(visitor.page.locator(".notices .notice")).to_have_count(0)


async def test_a_match_that_was_called_off_is_not_called_drawn(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await ann.ask("abort", room=table.room, round=1)
    visitor = await arrive(ann.token)
    for _ in range(100):
        if (await ann.ask("history"))["matches"]:
            break
        await asyncio.sleep(0.1)
    await visitor.enter()
    await visitor.sees(".lobby", "called off against bob")
