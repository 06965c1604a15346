"""The clients in the README and on the protocol's page play in a real hall."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from end_to_end.conftest import Connect
from end_to_end.node import Node
from protocol import page

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


async def test_two_of_the_protocols_clients_find_each_other_and_play_a_match(
    node: Node, tmp_path: Path
) -> None:
    program = tmp_path / "client.py"
    program.write_text(page.program())
    clients = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-u", program, node.url, name, stdout=PIPE
        )
        for name in ("heron", "sparrow")
    ]
    try:
        async with asyncio.timeout(50):
            told = [(await client.communicate())[0].decode() for client in clients]
    finally:
        for client in clients:
            if client.returncode is None:
                client.kill()
                await client.wait()
    assert told[0] == told[1], "both saw the same match"
    assert [client.returncode for client in clients] == [0, 0]
    lines = told[0].splitlines()
    assert len([line for line in lines if "wins" in line]) == 2, "each began once"
