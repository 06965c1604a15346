"""The client in the README plays a game to its end."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from end_to_end.conftest import Connect
from end_to_end.node import Node

README = Path(__file__).parents[2] / "README.md"


async def test_the_readmes_client_plays_a_game_to_its_end(
    node: Node, connect: Connect, tmp_path: Path
) -> None:
    program = tmp_path / "client.py"
    found = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert found
    program.write_text(found[1])
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-u", program, node.url, stdout=PIPE
    )
    try:
        assert client.stdout
        told = (await client.stdout.readline()).decode()
        bob = await connect(node, "bob")
        room = await bob.ask("join", room=told.removeprefix("code: ").strip())
        if room["turn"] == 1:
            await bob.move(room["room"], room["ply"], room["legal"][0])
        seen = 0
        while True:
            events = bob.events(room["room"])
            for event in events[seen:]:
                if event["kind"] == "moved" and event["turn"] == 1:
                    await bob.move(room["room"], event["ply"] + 1, event["legal"][0])
                if event["kind"] == "finished":
                    assert (await client.communicate())[0].decode().strip() == event["text"]
                    return
            seen = len(events)
            await asyncio.sleep(0.02)
    finally:
        if client.returncode is None:
            client.kill()
            await client.wait()
