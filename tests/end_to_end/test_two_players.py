"""Two strangers' clients play through a real hall."""

import pytest

from end_to_end.client import Client, Message
from end_to_end.conftest import Connect
from end_to_end.node import Node

GAMES = {
    "strangers": ["2", "3", "2", "3", "2"],
    "relatives": ["6", "3", "9", "1", "2", "4", "8"],
    "duel": ["2A", "1B", "3A", "2B", "4A", "3B", "5A", "4B", "1C"],
    "chain": ["2", "4", "14", "28", "42", "84", "168", "336", "672"],
    "builder": ["5", "4", "4", "5", "3", "3", "3", "2", "2", "3", "3"],
}


async def play(players: tuple[Client, Client], room: str, moves: list[str]) -> None:
    for ply, text in enumerate(moves):
        accepted = await players[ply % 2].move(room, ply, text)
        for player in players:
            event = await player.event("moved", ply=ply)
            assert (event["seq"], event["move"]) == (accepted["seq"], text)


def seqs(events: list[Message]) -> list[int]:
    return [event["seq"] for event in events]


@pytest.mark.parametrize("encoding", ["msgpack", "json"])
@pytest.mark.parametrize("game", GAMES)
async def test_each_game_is_played_to_its_end(
    node: Node, connect: Connect, game: str, encoding: str
) -> None:
    ann, bob = await connect(node, "ann", encoding), await connect(node, "bob", encoding)
    opened = await ann.ask("create", game=game, first="creator")
    room = opened["room"]
    joined = await bob.ask("join", room=opened["code"].lower())
    assert joined["you"] == 1 and joined["status"] == "live"
    await play((ann, bob), room, GAMES[game])
    if game == "strangers":
        await ann.ask("resign", room=room, round=1)
    finished = await bob.event("finished")
    assert finished["match_over"] and finished["match_winner"] == finished["winner"]
    assert finished == await ann.event("finished")
    assert seqs(ann.events(room)) == list(range(2, finished["seq"] + 1))
    record = await bob.ask("record", room=room)
    assert [frame["move"] for frame in record["frames"]] == [None, *GAMES[game]]
