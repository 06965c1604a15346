"""A browser against the terminal client: the same game, seen from both."""

import asyncio
from pathlib import Path

import pytest

from client.lines_of_play import IDS, SHORT, ending_of, line_of
from client.person import Person
from gateway.hall import Hall
from page.conftest import Arrive

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("game", IDS)
async def test_a_browser_and_a_terminal_play_every_game_to_its_end(
    hall: Hall, arrive: Arrive, tmp_path: Path, game: str
) -> None:
    ann = await hall.connect("ann")
    opened = await ann.ask(
        "create", game=game, options=SHORT[game], first="creator", clock=None, listed=False
    )
    browser = await arrive(ann.token)
    await browser.enter(f"/r/{opened['code']}")
    server = f"127.0.0.1:{hall.nodes[0].port}"
    bob = Person(tmp_path, "play", opened["code"], "--server", server, "--name", "bob")
    try:
        await asyncio.to_thread(bob.sees, "ann to move>")
        for seat, move in line_of(game):
            await (browser.play(move) if seat == 0 else asyncio.to_thread(bob.moves, move))
        _, text = ending_of(game)
        named = text.replace("Player 1", "ann").replace("Player 2", "bob")
        assert await browser.result() == named
        await asyncio.to_thread(bob.sees, " ".join(named.split()[-2:]))
    finally:
        bob.leave()
