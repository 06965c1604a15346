"""Who may find a room."""

import secrets

import pytest

from end_to_end.client import Client
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="session")

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def guess() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(6))


NAMES = ((0, "eve"), (1, "eva"))


async def connect_from(address: str, hall: Hall, name: str, at: int) -> Client:
    client = hall.closing(await Client.open(hall.nodes[at].url, local_addr=(address, 0)))
    await client.ask("hello", name=name)
    return client


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
    hall: Hall,
) -> None:
    # Of an address of its own: the others' tests guess, too.
    ann = await hall.connect("ann")
    eve, eva = [await connect_from("127.0.0.3", hall, name, at) for at, name in NAMES]
    opened = await ann.ask("create", game="duel")
    kinds = ["join", "watch", "record", "join", "watch"]
    codes = [(await who.asked(kind, room=guess()))["code"] for who in (eve, eva) for kind in kinds]
    assert codes == ["no_such_room"] * 10
    # All nodes count together.
    for client in (eve, eva):
        # A right guess tells no more than a wrong one.
        for code in (guess(), opened["code"]):
            error = await client.asked("join", room=code)
            assert (error["code"], error["temporary"]) == ("rate_limited", True)
    # Who sits there, and who comes from another address, is not held up.
    assert (await ann.ask("watch", room=opened["room"]))["you"] == 0
    bob = await connect_from("127.0.0.2", hall, "bob", 0)
    assert (await bob.ask("join", room=opened["code"]))["you"] == 1
