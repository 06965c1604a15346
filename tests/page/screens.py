"""Pictures of the page for the README: `make screenshots` takes them anew.

The same game is played for each look, in a hall of its own.
"""

import asyncio
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, expect

from gateway.hall import Hall, Table, open_hall
from page.browser import open_browser
from page.visitor import Visitor

SCREENS = Path(__file__).parents[2] / "docs" / "screens"
SIZES = {360: 740, 1280: 800}
SCHEMES = ("light", "dark")
CLOCK = {"initial_ms": 180_000, "increment_ms": 2_000}
DUEL = ("2A", "1B", "3A", "3B", "5A", "4B", "1C", "5B", "4C")
MIDDLE = 4
"""Ann is to move then, and has something to choose."""


async def main() -> None:
    await asyncio.to_thread(SCREENS.mkdir, exist_ok=True)
    async with open_browser() as browser:
        for scheme in SCHEMES:
            for width, height in SIZES.items():
                look = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
                async with open_hall(nodes=1) as hall:
                    await photograph(hall, browser, f"{width}-{scheme}", look)


async def photograph(hall: Hall, browser: Browser, suffix: str, look: dict[str, Any]) -> None:
    table = await duel(hall)
    ann, bob = table.players
    await populate(hall)
    address = hall.nodes[0].http("")
    visitor = await Visitor.arrive(browser, address, ann.token, **look)
    watcher = await Visitor.arrive(browser, address, **look)

    async def keep(who: Visitor, name: str) -> None:
        await who.page.screenshot(path=SCREENS / f"{name}-{suffix}.png")

    await visitor.enter()
    await expect(visitor.page.locator(".row").first).to_be_visible()
    await keep(visitor, "lobby")
    await visitor.enter(f"/r/{table.code}")
    await watcher.enter(f"/watch/{table.code}")
    await bob.ask("say", room=table.room, text="Good luck!")
    await visitor.sees(".terms", "1 watcher")
    for ply, move in enumerate(DUEL):
        if ply == MIDDLE:
            await visitor.has_the_move()
            await keep(visitor, "play")
        if ply == len(DUEL) - 1:
            await watcher.sees_moves(*DUEL[:-1])
            await keep(watcher, "watch")
        await table.players[ply % 2].move(table.room, ply, move)
    await visitor.result()
    await keep(visitor, "over")
    for each in (visitor, watcher):
        await each.leave()


async def duel(hall: Hall) -> Table:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    return await hall.table(ann, bob, game="duel", clock=CLOCK, listed=True)


async def populate(hall: Hall) -> None:
    """Others in the lobby."""
    for number, (name, game) in enumerate([("ada", "chain"), ("emmy", "builder")]):
        waiting = await hall.connect(name)
        await waiting.ask("create", game=game, listed=True, clock=CLOCK, rounds=number + 1)
    carl, dora = await hall.connect("carl"), await hall.connect("dora")
    other = await hall.table(carl, dora, game="strangers", clock=CLOCK, listed=True)
    await other.moves(5)


if __name__ == "__main__":
    asyncio.run(main())
