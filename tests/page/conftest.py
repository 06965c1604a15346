"""One Chromium and one hall for the whole directory; a fresh profile for every visitor."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio
from playwright.async_api import Browser

from end_to_end.node import Node
from gateway.hall import Hall, open_hall
from page.browser import open_browser
from page.visitor import Visitor

StartNode = Callable[..., Awaitable[Node]]
Arrive = Callable[..., Awaitable[Visitor]]
Sit = Callable[..., Awaitable[tuple[Visitor, Visitor]]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def open_for_all() -> AsyncIterator[Hall]:
    async with open_hall(nodes=1) as hall:
        yield hall


@pytest_asyncio.fixture(loop_scope="session")
async def hall(open_for_all: Hall) -> AsyncIterator[Hall]:
    yield open_for_all
    await open_for_all.part()


@pytest_asyncio.fixture(loop_scope="session")
async def start_node(open_for_all: Hall) -> AsyncIterator[StartNode]:
    """A node of the test's own, on the store of all."""
    nodes: list[Node] = []

    async def start(*flags: str) -> Node:
        nodes.append(await Node.start(open_for_all.store.url, *flags))
        return nodes[-1]

    yield start
    for node in nodes:
        await node.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def arrive(browser: Browser, hall: Hall) -> AsyncIterator[Arrive]:
    """`await arrive()`: somebody with a browser. Their page must not complain of anything."""
    visitors: list[Visitor] = []

    async def one(
        token: str | None = None, address: str | None = None, **wishes: object
    ) -> Visitor:
        at = address or hall.nodes[0].http("")
        visitors.append(await Visitor.arrive(browser, at, token, **wishes))
        return visitors[-1]

    yield one
    complaints = [said for visitor in visitors for said in visitor.complaints]
    for visitor in visitors:
        await visitor.leave()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def sit(hall: Hall, arrive: Arrive) -> Sit:
    """`ann, bob = await sit("duel")`: both at their browsers, Ann begins."""

    async def two(game: str, **fields: object) -> tuple[Visitor, Visitor]:
        ann, bob = await hall.connect("ann"), await hall.connect("bob")
        opened = await hall.table(ann, bob, game=game, **({"clock": None} | fields))
        visitors = await arrive(ann.token), await arrive(bob.token)
        for visitor in visitors:
            await visitor.enter(f"/r/{opened.code}")
        await visitors[0].has_the_move()
        return visitors

    return two
