"""The line drops, and the page goes on where it was."""

import asyncio

import pytest
from playwright.async_api import expect

from gateway.hall import Hall, Table
from page.conftest import Arrive
from page.line import Line, answer_first, line_to
from page.seeker import seek_the_same
from page.visitor import PATIENCE_MS, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def at_a_line(hall: Hall, arrive: Arrive, line: Line) -> tuple[Visitor, Table]:
    """Ann plays in a browser behind the line, Bob is a program."""
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive(ann.token, line.address)
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    return visitor, table


async def reconnecting(visitor: Visitor) -> None:
    await visitor.sees("#status", "reconnecting…")
    # A browser complains of every connection that fails; here they must.
    visitor.complaints.clear()


async def back(visitor: Visitor) -> None:
    await expect(visitor.page.locator("#status")).to_be_hidden()
    visitor.complaints.clear()


async def eventually_one_name(tabs: list[Visitor]) -> None:
    names = set()
    for _ in range(PATIENCE_MS // 50):
        names = {await tab.page.locator("#name").inner_text() for tab in tabs}
        if len(names) == 1:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"they stay {names}")


async def write_down(tab: Visitor, token: str) -> None:
    """As a tab does that has become a player; here nothing else happens in it."""
    await tab.page.goto("/healthz")
    await tab.page.evaluate("token => { localStorage['towerhall.token'] = token }", token)


async def test_a_dropped_line_resumes_from_the_last_number(hall: Hall, arrive: Arrive) -> None:
    async with line_to(hall.nodes[0].port) as line:
        visitor, table = await at_a_line(hall, arrive, line)
        await visitor.play("2")
        await visitor.sees_moves("2")
        line.cut()
        await reconnecting(visitor)
        await table.players[1].move(table.room, 1, "3")
        await table.players[1].ask("say", room=table.room, text="are you there?")
        line.mend()
        await back(visitor)
        await visitor.sees_moves("2", "3")
        # Only events have what was said: a new snapshot would not.
        await visitor.sees(".chat-log", "bob are you there?")
        await visitor.play("2")
        await visitor.sees_moves("2", "3", "2")


async def test_a_move_made_while_the_line_is_down_arrives_once(hall: Hall, arrive: Arrive) -> None:
    async with line_to(hall.nodes[0].port) as line:
        visitor, table = await at_a_line(hall, arrive, line)
        line.cut()
        await reconnecting(visitor)
        await visitor.play("2")
        await expect(visitor.page.locator(".move.pending")).to_have_text("2")
        line.mend()
        await back(visitor)
        await visitor.sees_moves("2")
        moved = await table.players[1].event("moved")
        assert (moved["ply"], moved["move"]) == (0, "2")
        assert [e["kind"] for e in table.players[1].events(table.room)].count("moved") == 1


async def test_a_move_whose_answer_was_lost_is_made_once(hall: Hall, arrive: Arrive) -> None:
    async with line_to(hall.nodes[0].port) as line:
        visitor, table = await at_a_line(hall, arrive, line)
        line.hold_answers()
        await visitor.play("2")
        await table.players[1].event("moved")
        await visitor.sees_moves()
        line.cut()
        line.mend()
        await visitor.sees_moves("2")
        await back(visitor)
        assert [e["kind"] for e in table.players[1].events(table.room)].count("moved") == 1


async def test_a_line_that_died_in_silence_is_noticed(hall: Hall, arrive: Arrive) -> None:
    async with line_to(hall.nodes[0].port) as line:
        ann, bob = await hall.connect("ann"), await hall.connect("bob")
        table = await hall.table(ann, bob)
        visitor = await arrive(ann.token, line.address)
        await visitor.page.clock.install()
        await visitor.enter(f"/r/{table.code}")
        await visitor.has_the_move()
        line.freeze()
        await visitor.page.clock.fast_forward(15_000)
        await reconnecting(visitor)
        line.cut()
        line.mend()
        await visitor.page.clock.fast_forward(15_000)
        await back(visitor)


async def test_two_tabs_are_one_player(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    one = await arrive(ann.token)
    other = await one.another_tab()
    for tab in (one, other):
        await tab.enter(f"/r/{table.code}")
    await one.play("2")
    await other.sees_moves("2")
    await bob.move(table.room, 1, "3")
    await other.play("2")
    await one.sees_moves("2", "3", "2")
    assert other.complaints == []


async def test_new_tabs_opened_at_once_become_one_player(arrive: Arrive) -> None:
    one = await arrive()
    tabs = [one, await one.another_tab(), await one.another_tab()]
    for tab in tabs:
        await tab.page.goto("/", wait_until="commit")
    for tab in tabs:
        await expect(tab.page.locator("#name")).to_be_enabled()
    # Each may have become a player before it heard of the others.
    await eventually_one_name(tabs)
    assert [said for tab in tabs for said in tab.complaints] == []


async def test_a_tab_becomes_the_player_that_another_one_wrote_down(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive()
    await visitor.enter(f"/r/{table.code}")
    await visitor.sees("#name", "guest-")
    other = await visitor.another_tab()
    await write_down(other, ann.token)
    await visitor.sees("#name", "ann")
    await visitor.play("2")
    await visitor.sees_moves("2")


async def test_who_plays_stays_who_they_are_whatever_another_tab_writes_down(
    hall: Hall, arrive: Arrive
) -> None:
    async with line_to(hall.nodes[0].port) as line:
        visitor, table = await at_a_line(hall, arrive, line)
        other = await visitor.another_tab()
        ann = table.players[0].token
        await write_down(other, (await hall.connect("carl")).token)
        # The other tab's next player is the one who plays here.
        await other.page.wait_for_function(
            "token => localStorage['towerhall.token'] === token", arg=ann
        )
        await write_down(other, (await hall.connect("dora")).token)
        await visitor.play("2")
        await visitor.sees_moves("2")
        line.cut()
        await reconnecting(visitor)
        line.mend()
        await back(visitor)
        await visitor.sees("#name", "ann")
        await table.players[1].move(table.room, 1, "3")
        await visitor.play("2")
        await visitor.sees_moves("2", "3", "2")


async def test_one_place_too_many_is_told_and_comes_back_when_asked(
    hall: Hall, arrive: Arrive
) -> None:
    ann = await hall.connect("ann")
    visitor = await arrive(ann.token)
    await visitor.enter()
    for _ in range(5):
        await hall.connect("ann", token=ann.token)
    await visitor.sees("#stopped", "open in too many places")
    await visitor.click("Connect again")
    await expect(visitor.page.locator("#stopped")).to_be_hidden()


async def test_a_token_that_the_hall_does_not_know_makes_a_new_player(arrive: Arrive) -> None:
    visitor = await arrive("x" * 43)
    await visitor.enter()
    await visitor.sees("#name", "guest-")


async def test_a_name_is_kept_and_a_bad_one_refused_with_a_sentence(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    await visitor.be_called("ann")
    await visitor.enter()
    await visitor.sees("#name", "ann")
    await visitor.page.locator("#name").click()
    await visitor.page.get_by_label("What others see").fill("<b>ann</b>")
    await visitor.click("Keep it")
    await visitor.sees("dialog .refusal", "A name has 2 to 20")
    await visitor.click("Cancel")
    await visitor.sees("#name", "ann")


async def test_the_token_is_in_no_address_and_not_in_the_page(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive(ann.token)
    addresses: list[str] = []
    visitor.page.on("request", lambda request: addresses.append(request.url))
    visitor.page.on("websocket", lambda socket: addresses.append(socket.url))
    await visitor.enter(f"/r/{table.code}")
    await visitor.play("2")
    await visitor.sees_moves("2")
    assert len(addresses) > 10
    assert not [address for address in addresses if ann.token in address]
    assert ann.token not in await visitor.page.content()
    assert ann.token not in visitor.page.url


async def test_a_search_goes_on_after_the_hall_has_forgotten_it(hall: Hall, arrive: Arrive) -> None:
    carl = await hall.connect("carl")
    async with line_to(hall.nodes[0].port) as line:
        visitor = await arrive(address=line.address)
        await visitor.enter()
        await visitor.click("Quick match: Tower Builder")
        await visitor.sees(".seeking", "Tower Builder")
        await carl.ask("lobby", on=True)
        line.cut()
        await reconnecting(visitor)
        await carl.until(lambda said: said["type"] == "lobby" and not said["seeks"], 40)
        line.mend()
        await visitor.page.evaluate("dispatchEvent(new Event('online'))")
        await back(visitor)
        await visitor.sees(".seeking", "Tower Builder")
        await seek_the_same(carl, "builder")
        await visitor.page.wait_for_url("**/r/*")
        await visitor.sees(".table .game", "carl")


async def test_a_pairing_while_the_line_was_down_leads_to_the_game(
    hall: Hall, arrive: Arrive
) -> None:
    carl = await hall.connect("carl")
    async with line_to(hall.nodes[0].port) as line:
        visitor = await arrive(address=line.address)
        await visitor.enter()
        await visitor.click("Quick match: Number Tower: Relatives")
        await visitor.sees(".seeking", "Relatives")
        line.hold_answers()
        await seek_the_same(carl, "relatives")
        line.cut()
        line.mend()
        await visitor.page.wait_for_url("**/r/*")
        await visitor.sees(".table .game", "carl")
        visitor.complaints.clear()


async def test_two_tabs_with_a_token_that_is_lost_become_one_new_player(arrive: Arrive) -> None:
    one = await arrive("x" * 43)
    other = await one.another_tab()
    late = {"code": "bad_token", "message": "Nobody has this token.", "temporary": False}
    helloes = await answer_first(other, "hello", [late], after=one.enter)
    await other.page.goto("/", wait_until="commit")
    await expect(other.page.locator("#name")).to_be_enabled()
    name = await one.page.locator("#name").inner_text()
    assert await other.page.locator("#name").inner_text() == name
    assert len(helloes) == 2


async def test_what_was_asked_too_fast_is_asked_again(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    await table.moves(2)
    carl = await arrive()
    too_fast = {"code": "rate_limited", "message": "Too fast.", "temporary": True, "wait_ms": 50}
    await answer_first(carl, "record", [too_fast, too_fast])
    await carl.enter(f"/watch/{table.code}")
    await expect(carl.page.locator(".block.last")).to_have_text("3")


async def test_a_code_that_leads_nowhere_is_not_asked_again(arrive: Arrive) -> None:
    carl = await arrive()
    message = "Too many codes that lead nowhere; wait a minute."
    too_fast = {"code": "rate_limited", "message": message, "temporary": True, "wait_ms": 1}
    asked = await answer_first(carl, "watch", [too_fast] * 2)
    await carl.enter("/r/ZZZZZZ")
    await carl.sees("main", message)
    assert len(asked) == 1
