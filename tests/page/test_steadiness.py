"""What is on the screen stays where it is, is whole, and is about what is shown now."""

import pytest
from playwright.async_api import Locator, expect

from gateway.hall import Hall
from page.conftest import Arrive, Sit
from page.line import line_to
from page.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = {"width": 320, "height": 640}


async def top_of(found: Locator) -> float:
    top: float = await found.evaluate("node => node.getBoundingClientRect().top + scrollY")
    return top


async def test_the_way_to_the_main_part_leaves_it_as_it_is(sit: Sit) -> None:
    ann, _ = await sit("duel")
    said = ann.page.get_by_label("Say something")
    await said.fill("half a sent")
    await ann.page.locator(".skip").focus()
    await ann.press("Enter")
    await expect(ann.page.locator("main")).to_be_focused()
    await expect(said).to_have_value("half a sent")


async def test_a_form_does_not_outlive_what_it_was_opened_on(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter("/tv")
    await visitor.page.get_by_role("link", name="Lobby").click()
    await visitor.page.get_by_role("button", name="New room: Number Chain").click()
    await expect(visitor.page.locator("dialog")).to_be_visible()
    await visitor.page.go_back()
    await visitor.sees("nav [aria-current=page]", "TV")
    await expect(visitor.page.locator("dialog")).to_have_count(0)


async def test_the_part_that_is_shown_is_marked(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    marked = visitor.page.locator("nav [aria-current=page]")
    await expect(marked).to_have_text("Lobby")
    await visitor.page.get_by_role("link", name="TV").click()
    await expect(marked).to_have_text("TV")


async def test_what_is_below_the_moves_stays_there_between_them(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game="duel")
    for ply, move in enumerate(("2A", "1B")):
        await table.players[ply].move(table.room, ply, move)
    visitor = await arrive(ann.token, viewport=SMALL)
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    resign = visitor.page.get_by_role("button", name="Resign")
    back = visitor.page.get_by_role("button", name="One move back")
    before = await top_of(back)
    await back.click()
    await visitor.sees(".prompt", "Looking back")
    assert await top_of(back) == before
    await visitor.press("End")
    before = await top_of(resign)
    await visitor.play("3A")
    await visitor.sees(".prompt", "bob is to move")
    assert await top_of(resign) == before


async def test_a_tower_that_fits_is_no_stop_for_the_keyboard(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.play("2A")
    await bob.play("1B")
    await ann.has_the_move()
    scrolled = "all => all.filter(stack => stack.scrollHeight > stack.clientHeight).length"
    assert await ann.page.locator(".stack").evaluate_all(scrolled) == 0


async def test_a_long_name_leaves_the_top_of_the_page_in_one_line(
    hall: Hall, arrive: Arrive
) -> None:
    ann = await hall.connect("a-name-of-twenty-chr")
    visitor = await arrive(ann.token, viewport=SMALL)
    await visitor.enter()
    height = "document.querySelector('.top').getBoundingClientRect().height"
    assert await visitor.page.evaluate(height) < 60
    await expect(visitor.page.locator("#name")).to_be_in_viewport(ratio=1)


async def test_a_refused_code_can_still_be_read(arrive: Arrive) -> None:
    visitor = await arrive(viewport=SMALL)
    await visitor.enter()
    field = visitor.page.get_by_label("Room code")
    width = "field => field.offsetWidth"
    before = await field.evaluate(width)
    await field.fill("zzz")
    await visitor.click("Enter the room")
    refusal = visitor.page.locator(".code-form .refusal")
    await expect(refusal).to_be_visible()
    assert await field.evaluate(width) == before
    colour = "node => getComputedStyle(node).color"
    soft = await visitor.page.locator(".online").evaluate(colour)
    assert await refusal.evaluate(colour) != soft


async def test_why_a_form_was_refused_is_in_sight(arrive: Arrive) -> None:
    visitor = await arrive(viewport=SMALL)
    await visitor.enter()
    await visitor.page.get_by_role("button", name="New room: Number Tower: Strangers").click()
    await visitor.page.get_by_text("Options", exact=True).click()
    await visitor.page.locator("[name=rated]").check()
    await visitor.click("Open the room")
    await visitor.sees("dialog .refusal", "even number")
    await visitor.page.locator("dialog").evaluate("dialog => dialog.scrollTo(0, 0)")
    for needed in (".refusal", "button.main"):
        await expect(visitor.page.locator(f"dialog {needed}")).to_be_in_viewport(ratio=1)


async def test_a_wrong_option_is_shown_although_it_was_folded_away(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    await visitor.page.get_by_role("button", name="New room: Number Chain").click()
    folded = visitor.page.locator("dialog details")
    await folded.locator("summary").click()
    await visitor.page.locator("[name=option-target]").fill("999")
    await folded.locator("summary").click()
    await visitor.click("Open the room")
    await expect(visitor.page.locator("[name=option-target]")).to_be_in_viewport()


async def test_that_the_line_is_down_is_seen_from_anywhere(hall: Hall, arrive: Arrive) -> None:
    async with line_to(hall.nodes[0].port) as line:
        visitor = await arrive(address=line.address, viewport=SMALL)
        await visitor.enter()
        await visitor.page.evaluate("scrollTo(0, 900)")
        line.cut()
        await visitor.sees("#status", "reconnecting…")
        await expect(visitor.page.locator("#status")).to_be_in_viewport(ratio=1)
        visitor.complaints.clear()


async def test_the_overlay_uses_the_room_it_has(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game="duel")
    await ann.move(table.room, 0, "1A")
    heights = []
    for size in ({"width": 400, "height": 300}, {"width": 1280, "height": 720}):
        carl: Visitor = await arrive(viewport=size)
        await carl.page.goto(f"/watch/{table.code}?overlay")
        block = carl.page.locator(".block")
        heights.append(await block.evaluate("block => block.offsetHeight"))
        await expect(block).to_be_in_viewport(ratio=1)
    assert heights[0] < 50
    assert heights[1] > 80
