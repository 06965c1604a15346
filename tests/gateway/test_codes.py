"""Who may find a room."""

import secrets

import pytest

from end_to_end.client import Client
from gateway.conftest import StartNode
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="session")

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def guess() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(6))


async def answer(client: Client, kind: str, room: str, **fields: object) -> dict[str, object]:
    told = await client.asked(kind, room=room, **fields)
    del told["re"]
    return told


async def test_row_20_unknown_and_private_rooms_get_one_answer(hall: Hall) -> None:
    ann, bob, eve = [await hall.connect(name) for name in ("ann", "bob", "eve")]
    table = await hall.table(ann, bob)
    unknown = table.room[:2] + "0" * (len(table.room) - 2)
    requests: dict[str, dict[str, object]] = {
        "join": {},
        "watch": {},
        "record": {},
        "move": {"round": 1, "ply": 0, "move": "2"},
        "resign": {"round": 1},
        "abort": {"round": 1},
        "claim": {"round": 1},
        "rematch": {"round": 1},
        "say": {"text": "let me in"},
    }
    for kind, fields in requests.items():
        told = await answer(eve, kind, table.room, **fields)
        assert told["code"] == "no_such_room", kind
        assert told == await answer(eve, kind, unknown, **fields), kind
    stranger = await hall.connect("stranger")
    assert await answer(stranger, "watch", guess()) == await answer(stranger, "watch", unknown)
    assert (await stranger.ask("watch", room=table.code))["you"] is None


async def test_row_20_guessing_codes_is_slowed_after_ten_misses_a_minute(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node()
    ann, eve = await hall.connect("ann", node), await hall.connect("eve", node)
    opened = await ann.ask("create", game="duel")
    kinds = ["join", "watch", "record", "join", "watch"] * 2
    codes = [(await eve.asked(kind, room=guess()))["code"] for kind in kinds]
    assert codes == ["no_such_room"] * 10
    again = await hall.connect("eva", node)
    for client in (eve, again):
        # A right guess tells no more than a wrong one.
        for code in (guess(), opened["code"]):
            error = await client.asked("join", room=code)
            assert (error["code"], error["temporary"]) == ("rate_limited", True)
    # Who sits there, and who comes from another address, is not held up.
    assert (await ann.ask("watch", room=opened["room"]))["you"] == 0
    bob = hall.closing(await Client.open(node.url, local_addr=("127.0.0.2", 0)))
    await bob.ask("hello", name="bob")
    assert (await bob.ask("join", room=opened["code"]))["you"] == 1
