"""Players: who a token belongs to, where they sit, what they were answered.

Everything here may be done twice with the same outcome: after Unavailable, which may then have been
raised half-way, and after Unknown it may be tried again.
Who never sat at a room is forgotten sooner than others, counted from when they were last connected.
"""

from . import scripts
from .connection import Command
from .keys import keys_of_player, new_player, token_key
from .lane import Lane

ANSWER_MS = 600_000
TAKING_MS = 10_000
"""Longer than it is tried to take a seat that is in the list already."""


class Players:
    def __init__(self, lane: Lane, never_seated_ms: int, seated_ms: int) -> None:
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
        renaming = [("HSET", keys.player, "name", name)] if name is not None else []
        await self._lane.call_all([*renaming, *self._keeping(player, token, seated)])
        return player, called.decode() if name is None else name

    async def visit(self, players: list[str]) -> None:
        """They are still here: the time until they are forgotten begins anew."""
        found = await self._lane.call_all(
            ("HMGET", keys_of_player(player).player, "token", "seated") for player in players
        )
        await self._lane.call_all(
            command
            for player, (token_hash, seated) in zip(players, found, strict=True)
            if token_hash is not None
            for command in self._keeping(player, token_key(token_hash.decode()), seated)
        )

    def _keeping(self, player: str, token: str, seated: bytes | None) -> list[Command]:
        keys, ttl = keys_of_player(player), self._seated_ms if seated else self._never_seated_ms
        kept = (token, keys.player, keys.seats, keys.past, keys.order)
        return [("PEXPIRE", key, ttl) for key in kept]

    async def hold_seat(self, player: str, room: str, seat: int, most: int) -> bool:
        """The seat is about to be taken: returns False, and adds nothing, where there are so many.
        In the list before it is taken, no two who ask at once have the last place."""
        keys = keys_of_player(player)
        names = (keys.seats, keys.taking + room)
        values = (room, seat, most, TAKING_MS, self._seated_ms)
        return bool(await self._lane.run(scripts.SIT, names, values))

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

    async def drop_seat(self, player: str, room: str, *, unless_taking: bool = False) -> None:
        """A seat that is about to be taken looks like a false one, hence `unless_taking`."""
        keys = keys_of_player(player)
        if unless_taking:
            await self._lane.run(scripts.STAND, (keys.seats, keys.taking + room), (room,))
        else:
            await self._lane.call_all((("HDEL", keys.seats, room), ("DEL", keys.taking + room)))

    async def seats(self, player: str) -> dict[str, int]:
        found = await self._lane.call("HGETALL", keys_of_player(player).seats)
        return {
            room.decode(): int(seat) for room, seat in zip(found[::2], found[1::2], strict=True)
        }

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
