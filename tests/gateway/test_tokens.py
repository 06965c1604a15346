"""A token opens its owner's seat, and nobody ever reads one."""

import hashlib
import secrets

import pytest
import redis

from end_to_end.client import Message
from gateway.conftest import StartNode
from gateway.hall import Hall, get

pytestmark = pytest.mark.asyncio(loop_scope="session")

KINDS = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    b"stream": ("XRANGE", "-", "+"),
    b"set": ("SMEMBERS",),
    b"list": ("LRANGE", 0, -1),
}


def contents(hall: Hall, pattern: str = "*") -> dict[bytes, str]:
    """Every key of the store, with all that is under it."""
    found = {}
    with redis.Redis(unix_socket_path=str(hall.store.socket)) as store:
        for key in store.keys(pattern):
            kind = store.type(key)
            if kind == b"none":
                continue  # its time ran out since
            command, *rest = KINDS[kind]
            found[key] = repr(store.execute_command(command, key, *rest))
    return found


def players_of(hall: Hall) -> dict[bytes, str]:
    kinds = ("player", "token", "seats")
    return {key: value for kind in kinds for key, value in contents(hall, f"*:{kind}:*").items()}


def forgeries(token: str) -> list[str]:
    other = "B" if token[0] == "A" else "A"
    return [
        "",
        secrets.token_urlsafe(32),
        token[:-1],
        token[1:],
        token + "A",
        other + token[1:],
        token[:-1] + ("B" if token[-1] == "A" else "A"),
        token.swapcase(),
        token + "\n",
        f" {token}",
        token[:20],
        hashlib.sha256(token.encode()).hexdigest(),
        "\x00" * 43,
        "*" * 43,
        "x" * 3000,
    ]


async def test_row_18_a_forged_token_touches_nothing(hall: Hall) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob", 1)
    table = await hall.table(ann, bob)
    await table.move()
    before = players_of(hall)
    assert ann.player in repr(before)
    for forged in forgeries(ann.token):
        thief = await hall.connect_silent()
        error = await thief.asked("hello", token=forged, name="thief")
        assert (error["type"], error.get("code")) == ("error", "bad_token"), forged
        assert (await thief.asked("ping"))["code"] == "hello_first"
        await thief.close()
    assert players_of(hall) == before
    await table.moves(3)
    again = await hall.connect("ann", 1, token=ann.token)
    assert again.welcome["player"] == {"id": ann.player, "name": "ann"}
    assert again.welcome["seats"] == [{"room": table.room, "seat": 0}]


async def test_row_18_after_a_bad_token_one_may_say_hello_without(hall: Hall) -> None:
    client = await hall.connect_silent()
    assert (await client.asked("hello", token=secrets.token_urlsafe(32)))["code"] == "bad_token"
    assert (await client.ask("hello", name="ann"))["player"]["name"] == "ann"


async def test_row_18_the_hash_in_the_store_is_no_token(hall: Hall) -> None:
    ann = await hall.connect("ann")
    stored = hashlib.sha256(ann.token.encode()).hexdigest()
    assert stored in repr(contents(hall))
    thief = await hall.connect_silent()
    assert (await thief.asked("hello", token=stored))["code"] == "bad_token"


async def test_row_19_a_token_is_nowhere_in_clear(hall: Hall, start_node: StartNode) -> None:
    node = await start_node("--log-level", "debug", "--node", "talkative")
    ann, bob = await hall.connect("ann", node), await hall.connect("bob", node, "json")
    table = await hall.table(ann, bob, listed=True, key="once")
    await table.moves(4)
    await ann.ask("say", room=table.room, text="hello there", key="once")
    returned = await hall.connect("ann", node, token=ann.token)
    assert returned.player == ann.player
    stray = await hall.connect_silent()
    await stray.asked("hello", token=ann.token[:-1])
    # What a confused client might do with it.
    answers: list[Message] = [
        await stray.asked("hello", token=[ann.token]),
        await bob.asked("join", room=ann.token),
        await bob.asked("watch", room=ann.token[:64]),
        await bob.asked("create", game=ann.token),
        await bob.asked("create", game="duel", options={ann.token[:32]: 1}),
        await bob.asked("move", room=table.room, round=1, ply=4, move=ann.token),
    ]
    assert {answer["type"] for answer in answers} == {"error"}
    await get(node, f"/ws?token={ann.token}")
    await get(node, f"/{ann.token}", Authorization=f"Bearer {ann.token}")
    await bob.ask("resign", room=table.room, round=1)
    record = await bob.ask("record", room=table.room)
    _, metrics = await get(node, "/metrics")
    await node.stop()
    disk = b"".join(path.read_bytes() for path in hall.directory.rglob("*") if path.is_file())
    seen = {
        "log": "\n".join(node.log),
        "record": repr(record),
        "metrics": metrics,
        "store": repr(contents(hall)),
        "disk": disk.decode(errors="replace"),
        "pushed": repr(ann.pushed + bob.pushed + returned.pushed),
        "answers": repr(answers),
    }
    # The search finds what is there.
    assert table.room in seen["store"] and table.room in seen["disk"]
    assert "talkative" in seen["log"]
    assert hashlib.sha256(ann.token.encode()).hexdigest() in seen["disk"]
    for place, text in seen.items():
        for token in (ann.token, bob.token):
            assert token not in text, f"a token is in the {place}"
