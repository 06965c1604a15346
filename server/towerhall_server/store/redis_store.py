"""The store: rooms, their logs and deadlines, who is there, and players, in Redis or Valkey.

It keeps opaque bytes and knows no games.
Every method raises Unavailable or Unknown (see faults.py) when the store does not answer.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial

from towerhall_server.lifetimes import USUAL, Lifetimes

from . import scripts
from .address import read_address
from .commit import Answer, Commit, WrongTime, answer_of, packed
from .connection import Reply
from .faults import OLDEST, StoreError, StoreIsSpread, StoreTooOld, StoreUnreachable
from .halltime import HallClock, HallTime
from .history import History
from .kept import Kept, kept_of
from .keys import SHARDS, code_key, is_id, keys_of_room, keys_of_shard, misses_key
from .lane import Lane
from .lines import Lines
from .listed import Lists
from .players import Players
from .presence import LEASE_MS, PRESENCE, Presence, presence_of
from .publication import head_of, line_of
from .ratings import Ratings
from .seeks import Seeks
from .subscriber import OnGap, OnPayload, Subscriber

READY_S = 3.0
MOST_DUE = 100
"""Deadlines claimed of one shard by one pulse."""
MOST_LISTED = 1000
MISSES_MS = 60_000
_ELSEWHERE = "MOVED "
"""How a server of a cluster begins its reply for a key that another one has."""


Heard = Callable[[Answer | StoreError], None]


def _settle(answered: "asyncio.Future[Answer | StoreError]", answer: Answer | StoreError) -> None:
    if not answered.done():
        answered.set_result(answer)


class RedisStore:
    def __init__(
        self, url: str, node: str, on_payload: OnPayload, on_gap: OnGap, keep: Lifetimes
    ) -> None:
        """Use `open`."""
        self._address = read_address(url)
        # Another run may have less in it than the last: to its followers that is a gap, too.
        self._lane = Lane(self._address, on_run=on_gap)
        self._subscriber = Subscriber(self._address, on_payload, on_gap)
        self._players = Players(self._lane, keep.guest_ms, keep.player_ms)
        self.ratings = Ratings(self._lane)
        self.history = History(self._lane, keep.player_ms)
        # The lobby keeps a time of its own, beside the shards'.
        self._clock = HallClock(SHARDS + 1)
        self.seeks = Seeks(self._lane, self._clock, SHARDS, node)
        self.lists = Lists(self._lane, self._clock, SHARDS, node)
        self.lines = Lines(self._lane, node)
        self.node = node
        self._own = head_of(node)
        self.subscribe = self._subscriber.subscribe
        self.unsubscribe = self._subscriber.unsubscribe
        self.create_player = self._players.create
        self.find_player = self._players.find
        self.visit = self._players.visit
        self.hold_seat = self._players.hold_seat
        self.add_seat = self._players.add_seat
        self.drop_seat = self._players.drop_seat
        self.seats = self._players.seats
        self.first_answer = self._players.first_answer

    @classmethod
    async def open(
        cls,
        url: str,
        node: str,
        on_payload: OnPayload,
        on_gap: OnGap,
        keep: Lifetimes = USUAL,
    ) -> "RedisStore":
        """`on_payload` gets a room and what was published for it (see `read_payload`); `on_gap` is
        called when some of that may have been lost, or when `epoch` has changed.

        Raises StoreUnreachable, StoreTooOld, StoreIsSpread, or ValueError for what is no URL.
        """
        store = cls(url, node, on_payload, on_gap, keep)
        try:
            await store._start()
        except (OSError, TimeoutError, StoreError) as error:
            await store.close()
            if isinstance(error, StoreTooOld):
                raise
            if str(error).startswith(_ELSEWHERE):
                raise StoreIsSpread(store._address.shown) from error
            reason = str(error) or "it does not answer in time"
            raise StoreUnreachable(store._address.shown, reason) from error
        return store

    async def _start(self) -> None:
        await self._lane.start()
        version = self._lane.server.version
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise StoreTooOld(self._address.shown, version)
        await self._subscriber.start()
        await self._pulse(range(SHARDS), most=0)
        await self.seeks.pulse(most=0)

    async def close(self) -> None:
        await self._subscriber.close()
        await self._lane.close()

    @property
    def epoch(self) -> str:
        """Which run of the store this is: another one after it was started anew."""
        return self._lane.server.epoch

    @property
    def ready(self) -> bool:
        """Whether the store answered in the last three seconds (a pulse asks it twice a second)."""
        return self._lane.answering and time.monotonic() - self._lane.heard_at < READY_S

    def is_own(self, payload: bytes) -> bool:
        """Whether this was published by a commit of this node."""
        return payload.startswith(self._own)

    def now(self, room: str) -> HallTime:
        return self._clock.now(keys_of_room(room).shard, time.monotonic())

    def hall_now(self) -> int:
        return self._clock.now(0, time.monotonic()).now_ms

    async def load(self, room: str) -> Kept | None:
        if not is_id(room):
            return None
        keys = keys_of_room(room)
        return kept_of(await self._lane.run(scripts.LOAD, (keys.room, keys.log), ()))

    async def find_code(self, code: str, asker: str = "") -> tuple[str | None, int]:
        """The code's room, and how many codes of the asker led nowhere in the last minute."""
        found, misses = await self._lane.call_all(
            (("GET", code_key(code)), ("GET", misses_key(asker)))
        )
        return found.decode() if found is not None else None, int(misses or 0)

    async def missed(self, asker: str) -> None:
        """A code of the asker led nowhere; that is remembered for a minute from the first on."""
        key = misses_key(asker)
        _, count = await self._lane.call_all(
            (("SET", key, 0, "NX", "PX", MISSES_MS), ("INCR", key))
        )
        if count == 1:
            # It may have run out between the two: then nothing else would ever end it.
            await self._lane.call("PEXPIRE", key, MISSES_MS)

    async def log(self, room: str, after: int, most: int = 0) -> list[tuple[int, bytes]]:
        """The room's events after that number, oldest first, `most` of them if that is given. Only
        about the last 1000 are kept."""
        span = (keys_of_room(room).log, f"{after + 1}-0", "+")
        found = await self._lane.call("XRANGE", *span, *(("COUNT", most) if most else ()))
        return [(int(number.partition(b"-")[0]), event) for number, (_, event) in found]

    async def record(self, room: str, round_: int) -> bytes | None:
        found: bytes | None = await self._lane.call("HGET", keys_of_room(room).records, round_)
        return found

    async def connected(self) -> None:
        """Returns when the store can be asked: what is submitted at once is sent."""
        await self._lane.connected()

    def submit(self, commit: Commit, heard: Heard) -> None:
        """Hand the commit to the store without waiting. `heard` gets its answer, or Unknown, or
        what else went wrong; it must not raise. Raises Unavailable where nothing was sent."""
        top = commit.seq + len(commit.events)
        line = line_of(self.node, self.epoch, top, commit.events)
        hear = partial(self._hear, keys_of_room(commit.room).shard, heard)
        self._lane.submit(scripts.COMMIT, packed(commit, line), hear)

    def _hear(self, shard: int, heard: Heard, reply: Reply | StoreError) -> None:
        if isinstance(reply, StoreError):
            heard(reply)
            return
        kind, hall, down, number = reply
        self._clock.hear(shard, hall, down, time.monotonic())
        heard(answer_of(kind, hall, down, number))

    async def commit(self, commit: Commit) -> Answer:
        await self.connected()
        answered: asyncio.Future[Answer | StoreError] = asyncio.get_running_loop().create_future()
        self.submit(commit, partial(_settle, answered))
        answer = await answered
        if isinstance(answer, StoreError):
            raise answer
        if isinstance(answer, WrongTime) and answer.asleep:
            # Decided again at the time it wakes up to, the commit will do.
            await self._pulse([keys_of_room(commit.room).shard], most=0)
        return answer

    async def pulse(self) -> list[str]:
        """Keep time going in every shard. Returns what is due, claimed for this node for half a
        second: rooms with a deadline, and matches to settle as `room/round`."""
        return await self._pulse(range(SHARDS), MOST_DUE)

    async def _pulse(self, shards: "range | list[int]", most: int) -> list[str]:
        names = [keys_of_shard(shard) for shard in shards]
        calls = [((name.pulse, name.deadlines), (most,)) for name in names]
        replies = await self._lane.run_all(scripts.PULSE, calls)
        at = time.monotonic()
        for shard, (hall, down, _) in zip(shards, replies, strict=True):
            self._clock.hear(shard, hall, down, at, pulse=True)
        return [room.decode() for _, _, due in replies for room in due]

    async def presence(
        self, room: str, online: tuple[bool, bool], watchers: int, lease_ms: int = LEASE_MS
    ) -> Presence:
        """What this node sees at the room, to be said again before the lease runs out. Returns
        what all nodes see; it is published where it changed."""
        return await self._presence(room, self.node, online, watchers, lease_ms)

    async def read_presence(self, room: str) -> Presence:
        return await self._presence(room, "", (False, False), 0, 0)

    async def _presence(
        self, room: str, node: str, online: tuple[bool, bool], watchers: int, lease_ms: int
    ) -> Presence:
        keys = keys_of_room(room)
        seat0, seat1 = map(int, online)
        hall, down, *seen = await self._lane.run(
            scripts.PRESENCE,
            (keys.pulse, keys.here, keys.live),
            (node, seat0, seat1, watchers, lease_ms, keys.channel, PRESENCE, room),
        )
        self._clock.hear(keys.shard, hall, down, time.monotonic())
        return presence_of(*seen)

    async def live_rooms(self, per_shard: int = MOST_LISTED) -> list[str]:
        """The rooms that are not over, the newest of each shard."""
        names = [keys_of_shard(shard).live for shard in range(SHARDS)]
        found = await self._lane.call_all(("ZREVRANGE", name, 0, per_shard - 1) for name in names)
        return [room.decode() for rooms in found for room in rooms]

    async def settled(self, room: str, round_: int) -> None:
        """The match that ended with this round needs nothing more."""
        await self._lane.call("ZREM", keys_of_room(room).deadlines, f"{room}/{round_}")

    async def forget(self, room: str) -> None:
        """Take a room that no longer exists out of the deadlines and all lists."""
        shard = keys_of_shard(keys_of_room(room).shard)
        await self._lane.call_all([("ZREM", name, room) for name in shard[1:]])
