"""What the tests of requests say about a hall of two nodes."""

from typing import Any

from end_to_end.client import Client, Message
from gateway.hall import Hall, Table


async def assert_refused(client: Client, code: str, kind: str, **fields: Any) -> Message:
    """The request is refused with this code; what else the error carries is returned."""
    error = await client.asked(kind, **fields)
    assert error["type"] == "error", error
    assert error["code"] == code, error
    assert error["message"].endswith((".", "!")) and error["temporary"] in (True, False)
    return error


async def two(hall: Hall) -> tuple[Client, Client]:
    """Players on different nodes, in different encodings."""
    return await hall.connect("ann", 0), await hall.connect("bob", 1, "json")


async def seated(hall: Hall, **fields: Any) -> Table:
    return await hall.table(*await two(hall), **fields)


def kept(hall: Hall) -> set[str]:
    """The names of all that comes of rooms: all in the 64 shards but pulses and players."""
    names = {name.decode() for name in hall.store.call("KEYS", "{th:[0-9a-f][0-9a-f]}:*")}
    return {name for name in names if name.split(":")[2] not in ("pulse", "token", "player")}
