"""Somebody at a browser, who does what people do: reads, clicks, types."""

import re
from typing import Any, Self

from playwright.async_api import Browser, BrowserContext, Page, expect

PATIENCE_MS = 15_000

expect.set_options(timeout=PATIENCE_MS)


class Visitor:
    """One browser profile: tabs of it are the same player."""

    def __init__(self, context: BrowserContext, page: Page, address: str) -> None:
        self.context = context
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        """What went wrong in the page: errors of its code, and what its policy forbade."""
        self._listen(page)

    @classmethod
    async def arrive(
        cls, browser: Browser, address: str, token: str | None = None, **wishes: Any
    ) -> Self:
        """With a token: somebody who was here before, with this browser.

        `wishes`: of the context, such as viewport, color_scheme, reduced_motion.
        """
        wishes.setdefault("reduced_motion", "reduce")
        if token:
            remembered = [{"name": "towerhall.token", "value": token}]
            origin = {"origin": address, "localStorage": remembered}
            wishes["storage_state"] = {"cookies": [], "origins": [origin]}
        context = await browser.new_context(base_url=address, **wishes)
        context.set_default_timeout(PATIENCE_MS)
        return cls(context, await context.new_page(), address)

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )

    async def another_tab(self) -> "Visitor":
        return Visitor(self.context, await self.context.new_page(), self.address)

    async def leave(self) -> None:
        await self.context.close()

    # Going somewhere

    async def enter(self, path: str = "/") -> None:
        """Opens the page there, and waits until the hall has said welcome."""
        await self.page.goto(path)
        await expect(self.page.locator("#name")).to_be_enabled()

    async def be_called(self, name: str) -> None:
        await self.page.locator("#name").click()
        await self.page.get_by_label("What others see").fill(name)
        await self.page.get_by_role("button", name="Keep it").click()
        await self.sees("#name", name)

    async def open_room(self, title: str, **form: str | bool) -> str:
        """Fills in the form for a new room; the code of the room."""
        await self.page.get_by_role("button", name=f"New room: {title}").click()
        for name, value in {"first": "creator", **form}.items():
            field = self.page.locator(f"dialog [name={name}]")
            if isinstance(value, bool):
                await field.set_checked(value)
            elif await field.evaluate("field => field.tagName") == "SELECT":
                await field.select_option(value)
            else:
                await field.fill(value)
        await self.page.get_by_role("button", name="Open the room").click()
        await self.page.wait_for_url("**/r/*")
        return self.code

    async def sit_down(self, code: str) -> None:
        await self.enter(f"/r/{code}")
        await self.page.get_by_role("button", name="Sit down and play").click()
        await expect(self.page.locator(".felt")).to_be_visible()

    @property
    def code(self) -> str:
        return self.page.url.rpartition("/")[2]

    # Playing

    async def has_the_move(self) -> None:
        await expect(self.page.locator(".table.mine")).to_be_visible()

    async def play(self, move: str) -> None:
        """Clicks the move, or types it where the moves are not listed."""
        await self.has_the_move()
        field = self.page.locator(".move-field")
        if await field.count():
            await field.fill(move)
            await field.press("Enter")
        else:
            await self.page.locator(f".move[data-move='{move}']").click()

    async def legal(self) -> list[str]:
        await self.has_the_move()
        listed = "all => all.map(button => button.dataset.move)"
        moves: list[str] = await self.page.locator(".move").evaluate_all(listed)
        return moves

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def click(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).click()

    # Seeing

    async def sees(self, selector: str, text: str | re.Pattern[str]) -> None:
        found = self.page.locator(selector)
        await expect(found).to_contain_text(text)

    async def sees_moves(self, *moves: str) -> None:
        shown = self.page.locator(".sheet button")
        await expect(shown).to_have_text(list(moves))

    async def sees_title(self, text: str) -> None:
        await expect(self.page).to_have_title(re.compile(re.escape(text)))

    async def sees_towers(self, *said: str) -> None:
        shown = self.page.locator(".stack")
        await expect(shown).to_have_count(len(said))
        for place, one in enumerate(said):
            await expect(shown.nth(place)).to_have_attribute("aria-label", one)

    async def towers(self) -> list[str]:
        """What a screen reader says of each tower."""
        labels = "all => all.map(stack => stack.getAttribute('aria-label'))"
        said: list[str] = await self.page.locator(".stack").evaluate_all(labels)
        return said

    async def result(self) -> str:
        await expect(self.page.locator(".result")).to_be_visible()
        return await self.page.locator(".result").inner_text()
