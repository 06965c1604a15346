"""Who looks for an opponent, and whom they were paired with: the lobby's slot.

A pairing is made in one script: both leave the pool, and their room is due. Whatever dies after
that, some node makes the room, so everything here may be done twice with the same outcome.
"""

import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

from . import scripts
from .halltime import HallClock
from .keys import LOBBY, LOBBY_KEYS, ages_key, asked_key, channel_of, fate_key, paired_key, seek_key
from .lane import Lane

GRACE_MS = 10_000
"""How long a seek outlives the connection that asked for it."""
LEASE_MS = 12_000
"""As long from the node's last word for it: renewed every two seconds, it has the grace left when
the node dies."""
LOOK = "look"
GIVEN_UP, PAIRED_SINCE = b"x", b"-"
WHICHEVER = "-"
MOST_DUE = 100
MOST_POOLS, MOST_IN_POOL = 50, 16
"""Whom one look takes up: in each pool those who have waited longest."""
AT_ONCE = 1000


class PairedMeanwhile(Exception):
    """The player was paired since it was last looked; nothing was done."""


class Sought(NamedTuple):
    since_ms: int
    pairing: str | None = None
    """Which the seek has led to."""
    given_up: bool = False
    again: bool = False
    """It is told what an earlier request with the same key came to."""
    instead: str | None = None
    """The pool that the key was first used for, where that is another: nothing was done for this
    one. Unless it is told what came of it, it can be asked for again."""


class Waiting(NamedTuple):
    """A seek as it stands."""

    pool: str
    rating: int | None
    since_ms: int


class Partner(NamedTuple):
    player: str
    since_ms: int
    """Which of the player's seeks it was."""
    name: str


class Pairing(NamedTuple):
    id: str
    partners: tuple[Partner, Partner]
    """The one who waited longer is first."""
    pool: str


class News(NamedTuple):
    """A pairing's room is made."""

    room: str
    seeks: tuple[tuple[str, int], tuple[str, int]]
    """The players, and which of their seeks it was."""


def read_news(payload: bytes) -> News:
    room, one, since, other, other_since = payload.decode().split()
    return News(room, ((one, int(since)), (other, int(other_since))))


class Seeks:
    def __init__(self, lane: Lane, clock: HallClock, shard: int, node: str) -> None:
        """`shard` is where `clock` has the lobby's own time."""
        self._lane = lane
        self._clock = clock
        self._shard = shard
        self._node = node

    async def pulse(self, most: int = MOST_DUE) -> list[str]:
        """Keep the lobby's time going. Returns what is due, claimed for half a second: LOOK, and
        pairings that have no room yet."""
        names = (LOBBY_KEYS.pulse, LOBBY_KEYS.deadlines)
        hall, down, due = await self._lane.run(scripts.PULSE, names, (most,))
        self._hear(hall, down, pulse=True)
        return [one.decode() for one in due]

    async def seek(
        self,
        player: str,
        pool: str,
        rating: int | None,
        name: str,
        key: str = "",
        last: str = WHICHEVER,
    ) -> Sought:
        """Take a place in the pool, and be paired if somebody there fits. An equal seek keeps its
        place; with a key that was used before, what that came to is told again. `rating` is None
        where it does not matter. Raises PairedMeanwhile where the player's last pairing is another
        one than `last`."""
        pairing = _new_pairing()
        wanted = "" if rating is None else rating
        values = (player, pool, wanted, name, key, LEASE_MS, pairing, last)
        hall, down, since, fate, first = await self._lane.run(scripts.SEEK, LOBBY_KEYS, values)
        self._hear(hall, down)
        if fate == PAIRED_SINCE:
            raise PairedMeanwhile
        found = _sought(since, fate)
        again = found.given_up or found.pairing not in (None, pairing)
        return found._replace(again=again, instead=first.decode() or None)

    async def was_asked(self, player: str, key: str) -> bool:
        """Whether a seek with this key waits, or came to something in the last ten minutes. One
        that lapsed came to nothing, and begins anew."""
        told = await self._lane.call("GET", asked_key(player, key))
        if told is None:
            return False
        first = told.split()[0]
        # Its fate last: whatever ends meanwhile has one by then.
        since, until, fate = await self._lane.call_all(
            (
                ("HGET", seek_key(player), "since"),
                ("ZSCORE", LOBBY_KEYS.leases, player),
                ("GET", fate_key(player, first.decode())),
            )
        )
        now_ms = self._clock.now(self._shard, time.monotonic()).now_ms
        waits = since == first and until is not None and float(until) > now_ms
        return waits or fate is not None

    async def last_pairing(self, player: str) -> str:
        """Of the last ten minutes; empty where there is none."""
        found = await self._lane.call("GET", paired_key(player))
        return found.decode() if found else ""

    async def waits(self, player: str) -> bool:
        """Whether the player seeks, or was paired and has no seat yet."""
        seeks, last = await self._lane.call_all(
            (("EXISTS", seek_key(player)), ("GET", paired_key(player)))
        )
        due = last is not None and await self._lane.call("HEXISTS", LOBBY_KEYS.pairings, last)
        return bool(seeks or due)

    async def look_again(self) -> list[str]:
        """Pair those who wait, longest first, as time makes them less choosy. Returns the
        pairings."""
        lane, pools = self._lane, LOBBY_KEYS.pools
        crowded = await lane.call("ZCOUNT", pools, 2, "+inf")
        if not crowded:
            return []
        # Where there are too many, each has the same chance: from a place on, round and round.
        start = secrets.randbelow(crowded) if crowded > MOST_POOLS else 0
        spans = ((start, MOST_POOLS), (0, max(0, start + MOST_POOLS - crowded) if start else 0))
        found = await lane.call_all(
            ("ZREVRANGEBYSCORE", pools, "+inf", 2, "LIMIT", *span) for span in spans
        )
        keys = [ages_key(pool.decode()) for some in found for pool in some]
        waiting = await lane.call_all(("ZRANGE", key, 0, MOST_IN_POOL - 1) for key in keys)
        players = [player.decode() for pool in waiting for player in pool]
        replies = await lane.run_all(
            scripts.SEEK,
            [(LOBBY_KEYS, (one, "", "", "", "", 0, _new_pairing(), WHICHEVER)) for one in players],
        )
        return [fate.decode() for *_, fate, _ in replies if fate not in (b"", GIVEN_UP)]

    async def unseek(self, player: str) -> None:
        hall, down = await self._lane.run(scripts.UNSEEK, LOBBY_KEYS, (player,))
        self._hear(hall, down)

    async def waiting(self, player: str) -> Waiting | None:
        """The player's seek, kept from now on by this node's lease."""
        found = await self._lane.call("HMGET", seek_key(player), "pool", "rating", "since")
        if found[0] is None:
            return None
        pool, rating, since = (field.decode() for field in found)
        gone = await self.renew({player: int(since)})
        return None if gone else Waiting(pool, int(rating) if rating else None, int(since))

    async def renew(
        self, seeks: Mapping[str, int], players: int | None = None, lease_ms: int = LEASE_MS
    ) -> dict[str, Sought]:
        """Say again that these players wait (each with the moment since when), and how many
        players are on this node. Returns those who wait no longer, and what their seeks came to."""
        rows = list(seeks.items())
        batches = [rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE)] or [[]]
        count = "" if players is None else players
        calls = [
            (LOBBY_KEYS, (self._node, count, lease_ms, *(part for row in batch for part in row)))
            for batch in batches
        ]
        gone: dict[str, Sought] = {}
        for hall, down, told in await self._lane.run_all(scripts.RENEW, calls):
            self._hear(hall, down)
            for player, fate in zip(told[::2], told[1::2], strict=True):
                name = player.decode()
                gone[name] = _sought(seeks[name], fate)
        return gone

    async def pairing(self, identity: str) -> Pairing | None:
        """None where its room is made already."""
        found = await self._lane.call("HGET", LOBBY_KEYS.pairings, identity)
        if found is None:
            return None
        one, since, name, other, other_since, other_name, pool = found.decode().split(" ", 6)
        partners = (Partner(one, int(since), name), Partner(other, int(other_since), other_name))
        return Pairing(identity, partners, pool)

    async def settle(self, pairing: Pairing, room: str) -> bool:
        """Its room is made: nothing more is due, and all nodes hear of it. Returns False where that
        was said before."""
        one, other = pairing.partners
        news = f"{room} {one.player} {one.since_ms} {other.player} {other.since_ms}"
        values = (pairing.id, channel_of(LOBBY), news)
        hall, down, settled = await self._lane.run(scripts.SETTLE, LOBBY_KEYS, values)
        self._hear(hall, down)
        return bool(settled)

    def _hear(self, hall: int, down: int, *, pulse: bool = False) -> None:
        self._clock.hear(self._shard, hall, down, time.monotonic(), pulse=pulse)


def _new_pairing() -> str:
    return secrets.token_hex(16)


def _sought(since_ms: int, fate: bytes) -> Sought:
    given_up = fate == GIVEN_UP
    return Sought(since_ms, None if given_up else fate.decode() or None, given_up)
