"""The machine's own Chromium, headless. Never one that is downloaded."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = "There is no Chromium on this machine; `make browser` installs one where it can."


def executable() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(MISSING)
    if found is None:
        pytest.skip(MISSING)
    return found


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    path = executable()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()
