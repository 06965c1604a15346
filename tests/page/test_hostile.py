"""Pages and people with bad intentions."""

import pytest
from playwright.async_api import WebSocketRoute

from gateway.hall import Hall
from page.conftest import Arrive

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOSTILE = "<img src=x onerror=\\\"document.title='broken'\\\"><script>alert(1)</script>"
SHOWN = HOSTILE.replace("\\", "")


async def test_chat_is_shown_as_the_text_it_is(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    visitor = await arrive(ann.token)
    await visitor.enter(f"/r/{table.code}")
    await visitor.sees_title("Your turn")
    await bob.ask("say", room=table.room, text=SHOWN)
    await visitor.sees(".chat-log", SHOWN)
    assert await visitor.page.locator(".chat-log img, .chat-log script").count() == 0
    await visitor.sees_title("Your turn")


async def test_whatever_a_hall_says_is_shown_as_the_text_it_is(hall: Hall, arrive: Arrive) -> None:
    """The hall lets no such name in; the page must not rely on that."""
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob, listed=True)
    visitor = await arrive(ann.token)

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        server.on_message(lambda said: line.send(spoilt(said)))

    def spoilt(said: str | bytes) -> str:
        text = said if isinstance(said, str) else said.decode()
        for word in ('"bob"', '"ann"', '"Tower"', '"Number Tower: Strangers"', '"classic"'):
            text = text.replace(f":{word}", f':"{HOSTILE}"')
        return text

    await visitor.page.route_web_socket("**/ws", through)
    await visitor.enter(f"/r/{table.code}")
    await visitor.has_the_move()
    await visitor.sees(".player[data-seat='1'] .name", SHOWN)
    await visitor.sees(".game-head h1", SHOWN)
    await visitor.play("2")
    await visitor.sees_moves("2")
    assert await visitor.page.locator("main img, main script").count() == 0


async def test_a_page_of_another_origin_cannot_connect(hall: Hall, arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.context.route(
        "http://evil.example/**",
        lambda route: route.fulfill(body="<p>free coins", content_type="text/html"),
    )
    attempt = """address => new Promise(done => {
        const socket = new WebSocket(address, "towerhall.v1.json");
        socket.onopen = () => done("open");
        socket.onclose = () => done("refused");
    })"""
    await visitor.page.goto("http://evil.example/")
    assert await visitor.page.evaluate(attempt, hall.nodes[0].url) == "refused"
    visitor.complaints.clear()
    await visitor.enter()
    assert await visitor.page.evaluate(attempt, hall.nodes[0].url) == "open"


async def test_the_policy_lets_no_script_of_others_run(arrive: Arrive) -> None:
    visitor = await arrive()
    await visitor.enter()
    await visitor.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "document.title = 'broken'";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>");
        }"""
    )
    await visitor.sees_title("Number games, live")
    for directive in ("script-src", "style-src"):
        assert any(f"directive '{directive} 'self''" in said for said in visitor.complaints)
    visitor.complaints.clear()
