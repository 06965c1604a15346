"""For people: any width, keyboard alone, screen readers, light and dark, before any socket."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from gateway.hall import Hall
from page.conftest import Arrive, Sit

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
LOOKS = [
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
]


async def findings(page: Page) -> list[str]:
    """What axe finds serious or critical, with where it is."""
    await page.evaluate(AXE)
    found: dict[str, Any] = await page.evaluate("axe.run()")
    return [
        f"{violation['id']}: {node['html']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


in_both_looks = pytest.mark.parametrize("look", LOOKS, ids=["small and light", "large and dark"])


@in_both_looks
async def test_axe_finds_nothing_serious_around_the_lobby(
    hall: Hall, arrive: Arrive, look: dict[str, Any]
) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask("create", game="duel", listed=True)
    visitor = await arrive(ann.token, **look)
    await visitor.enter()
    await expect(visitor.page.locator(".row")).not_to_have_count(0)
    assert await findings(visitor.page) == []
    await visitor.page.get_by_role("button", name="New room: Number Tower Duel").click()
    await visitor.page.get_by_text("Options", exact=True).click()
    assert await findings(visitor.page) == []
    await visitor.enter(f"/r/{opened['code']}")
    await visitor.sees(".invitation", "Invite somebody")
    assert await findings(visitor.page) == []
    await visitor.page.goto("/nowhere")
    assert await findings(visitor.page) == []
    visitor.complaints.clear()


@in_both_looks
async def test_axe_finds_nothing_serious_at_a_table(
    hall: Hall, arrive: Arrive, look: dict[str, Any]
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game="relatives", options={"pool": 40})
    visitor = await arrive(ann.token, **look)
    await visitor.enter(f"/r/{table.code}")
    await visitor.play("8")
    await bob.move(table.room, 1, "4")
    await bob.ask("say", room=table.room, text="a good one")
    await visitor.has_the_move()
    await visitor.sees(".chat-log", "a good one")
    assert await findings(visitor.page) == []
    await visitor.press("ArrowLeft")
    assert await findings(visitor.page) == []
    await bob.ask("resign", room=table.room, round=1)
    await visitor.result()
    await visitor.press("End")
    assert await findings(visitor.page) == []


@pytest.mark.parametrize("width", [320, 360, 768, 1920])
async def test_nothing_is_wider_than_the_screen(hall: Hall, arrive: Arrive, width: int) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("a-name-of-twenty-ch")
    wide = {"tiles": 9, "towers": 6}
    table = await hall.table(ann, bob, game="duel", options=wide, listed=True)
    chain = await hall.table(ann, bob, game="chain")
    await chain.players[0].move(chain.room, 0, "8796093022208")
    visitor = await arrive(ann.token, viewport={"width": width, "height": 700})
    for path in ("/", f"/r/{table.code}", f"/watch/{chain.code}", "/tv", "/nowhere"):
        await visitor.page.goto(path)
        if path.startswith(("/r/", "/watch/")):
            await expect(visitor.page.locator(".felt")).to_be_visible()
        overflow = await visitor.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert overflow == 0, path
    visitor.complaints.clear()


async def test_a_game_can_be_played_with_the_tab_key_alone(sit: Sit) -> None:
    ann, bob = await sit("duel")
    for _ in range(60):
        await ann.press("Tab")
        if await ann.page.evaluate("document.activeElement.dataset.move") == "2A":
            break
    await ann.press("Enter")
    await bob.sees_moves("2A")
    await bob.press("3", "a", "Enter")
    await ann.has_the_move()
    # The focus stays with the moves, so that the next Tab finds the next one.
    await ann.press("Tab")
    assert await ann.page.evaluate("document.activeElement.dataset.move") == "4A"


async def test_large_buttons_are_large_enough_to_touch(sit: Sit) -> None:
    ann, _ = await sit("duel", options={"tiles": 9, "towers": 6})
    await ann.page.set_viewport_size({"width": 320, "height": 640})
    sizes = await ann.page.locator(".move").evaluate_all(
        "all => all.map(b => b.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
    )
    assert min(sizes) >= 40


async def test_a_phone_on_its_side_has_the_moves_in_sight(sit: Sit) -> None:
    ann, _ = await sit("relatives", options={"pool": 100})
    await ann.page.set_viewport_size({"width": 740, "height": 360})
    for needed in (".prompt", ".move", ".stack"):
        await expect(ann.page.locator(needed).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("game", ["duel", "relatives"])
async def test_all_that_one_needs_to_play_is_above_the_fold(
    hall: Hall, arrive: Arrive, game: str
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game=game)
    visitor = await arrive(ann.token, viewport={"width": 1280, "height": 800})
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    for needed in (".prompt", ".move:last-child", ".actions button:not([hidden])"):
        await expect(visitor.page.locator(needed).last).to_be_in_viewport(ratio=1)


async def test_on_a_small_screen_nothing_empty_and_nothing_twice_takes_room(
    hall: Hall, arrive: Arrive
) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, game="relatives")
    visitor = await arrive(ann.token, viewport={"width": 320, "height": 640})
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    rows = "all => new Set(all.map(button => button.getBoundingClientRect().top)).size"
    assert await visitor.page.locator(".move").evaluate_all(rows) == 2
    await expect(visitor.page.locator(".shared .chip")).to_have_count(0)
    await expect(visitor.page.locator(".moves-card")).to_be_hidden()
    await visitor.play("6")
    await expect(visitor.page.locator(".moves-card")).to_be_visible()
    await expect(visitor.page.locator(".shared .chip")).to_have_count(8)


async def test_the_lobby_is_drawn_before_any_socket_answers(arrive: Arrive) -> None:
    visitor = await arrive()

    def silence(_: WebSocketRoute) -> None:
        pass

    await visitor.page.route_web_socket("**/ws", silence)
    await visitor.page.goto("/")
    await expect(visitor.page.locator(".game-card")).to_have_count(5)
    await visitor.sees("#status", "connecting…")


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
async def test_the_first_thing_drawn_has_the_colours_of_the_system(
    arrive: Arrive, scheme: str, dark: bool
) -> None:
    visitor = await arrive(color_scheme=scheme)
    await visitor.page.goto("/", wait_until="commit")
    await visitor.page.wait_for_selector("body", state="attached")
    await visitor.page.wait_for_load_state("domcontentloaded")
    colour = await visitor.page.evaluate("getComputedStyle(document.body).backgroundColor")
    level = sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    assert (level < 200) is dark


async def test_whoever_wants_no_motion_gets_none(sit: Sit) -> None:
    ann, _ = await sit("duel")
    await ann.play("1A")
    await ann.sees_moves("1A")
    name = "getComputedStyle(document.querySelector('.block')).animationName"
    assert await ann.page.evaluate(name) == "none"
    await ann.page.emulate_media(reduced_motion="no-preference")
    assert await ann.page.evaluate(name) == "drop"


async def test_sound_can_be_switched_off_for_good(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    button = visitor.page.get_by_role("button", name="Sound")
    await expect(button).to_have_attribute("aria-pressed", "true")
    await button.click()
    await visitor.enter()
    await expect(button).to_have_attribute("aria-pressed", "false")
