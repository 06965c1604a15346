"""Players: who a token belongs to, where they sit, what they were answered.

Everything here may be done twice with the same outcome: after Unavailable, which may then have been
raised half-way, and after Unknown it may be tried again.
Who never sat at a room is forgotten after a day without a visit, others after a year.
"""

from .keys import keys_of_player, new_player, token_key
from .lane import Lane

NEVER_SEATED_MS = 86_400_000
SEATED_MS = 365 * 86_400_000
ANSWER_MS = 600_000


class Players:
    def __init__(
        self, lane: Lane, never_seated_ms: int = NEVER_SEATED_MS, seated_ms: int = SEATED_MS
    ) -> None:
        self._lane = lane
        self._never_seated_ms = never_seated_ms
        self._seated_ms = seated_ms

    async def create(self, token_hash: str, name: str) -> str:
        """The id of the token's player, who is made if there is none."""
        player = new_player(token_hash)
        keys, token, ttl = keys_of_player(player), token_key(token_hash), self._never_seated_ms
        # The player before the token: a token always leads to somebody.
        *_, found = await self._lane.call_all(
            (
                ("HSET", keys.player, "name", name, "token", token_hash),
                ("PEXPIRE", keys.player, ttl),
                ("SET", token, player, "NX", "PX", ttl),
                ("GET", token),
            )
        )
        if found.decode() != player:
            await self._lane.call("DEL", keys.player)
        return str(found.decode())

    async def find(self, token_hash: str, name: str | None) -> tuple[str, str] | None:
        """The token's player: id and name, which is `name` from now on if one is given."""
        token = token_key(token_hash)
        found = await self._lane.call("GET", token)
        if found is None:
            return None
        player = found.decode()
        keys = keys_of_player(player)
        called, seated = await self._lane.call("HMGET", keys.player, "name", "seated")
        if called is None:
            return None
        ttl = self._seated_ms if seated else self._never_seated_ms
        renaming = [("HSET", keys.player, "name", name)] if name is not None else []
        keeping = [("PEXPIRE", key, ttl) for key in (token, keys.player, keys.seats)]
        await self._lane.call_all([*renaming, *keeping])
        return player, called.decode() if name is None else name

    async def add_seat(self, player: str, room: str, seat: int) -> None:
        keys, ttl = keys_of_player(player), self._seated_ms
        token, *_ = await self._lane.call_all(
            (
                ("HGET", keys.player, "token"),
                ("HSET", keys.seats, room, seat),
                ("PEXPIRE", keys.seats, ttl),
            )
        )
        if token is not None:
            await self._lane.call_all(
                (
                    ("HSET", keys.player, "seated", 1),
                    ("PEXPIRE", keys.player, ttl),
                    ("PEXPIRE", keys.token + token.decode(), ttl),
                )
            )

    async def drop_seat(self, player: str, room: str) -> None:
        await self._lane.call("HDEL", keys_of_player(player).seats, room)

    async def seats(self, player: str) -> dict[str, int]:
        found = await self._lane.call("HGETALL", keys_of_player(player).seats)
        return {
            room.decode(): int(seat) for room, seat in zip(found[::2], found[1::2], strict=True)
        }

    async def answer(self, player: str, key: str) -> bytes | None:
        """What was answered for this key in the last ten minutes."""
        found: bytes | None = await self._lane.call("GET", keys_of_player(player).answer + key)
        return found

    async def first_answer(self, player: str, key: str, value: bytes) -> bytes:
        """`value` if nothing was answered for this key in the last ten minutes, else that."""
        name = keys_of_player(player).answer + key
        while True:
            # SET with both NX and GET is not in the oldest stores.
            _, first = await self._lane.call_all(
                (("SET", name, value, "NX", "PX", ANSWER_MS), ("GET", name))
            )
            if first is not None:  # it expired between the two otherwise
                return bytes(first)
