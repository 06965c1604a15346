"""The store: rooms, their logs and deadlines, who is there, and players, in Redis or Valkey.

It keeps opaque bytes and knows no games.
Every method raises Unavailable or Unknown (see faults.py) when the store does not answer.
"""

import hashlib
import time
from functools import lru_cache

from . import scripts
from .address import read_address
from .commit import Answer, Commit, WrongTime, answer_of, arguments_of
from .faults import OLDEST, StoreError, StoreTooOld, StoreUnreachable
from .halltime import HallClock, HallTime
from .keys import SHARDS, code_key, is_id, keys_of_room, keys_of_shard
from .lane import Lane
from .players import Players
from .presence import LEASE_MS, PRESENCE, Presence, presence_of
from .subscriber import OnGap, OnPayload, Subscriber

READY_S = 3.0
MOST_DUE = 100
"""Deadlines claimed of one shard by one pulse."""
MOST_LISTED = 1000


@lru_cache(maxsize=8)
def _epoch_of(run_id: str) -> str:
    return hashlib.sha256(run_id.encode()).hexdigest()[:12]


class RedisStore:
    def __init__(self, url: str, node: str, on_payload: OnPayload, on_gap: OnGap) -> None:
        """Use `open`."""
        self._address = read_address(url)
        # Another run may have less in it than the last: to its followers that is a gap, too.
        self._lane = Lane(self._address, on_run=on_gap)
        self._subscriber = Subscriber(self._address, on_payload, on_gap)
        self._players = Players(self._lane)
        self._clock = HallClock(SHARDS)
        self.node = node
        self.subscribe = self._subscriber.subscribe
        self.unsubscribe = self._subscriber.unsubscribe
        self.create_player = self._players.create
        self.find_player = self._players.find
        self.add_seat = self._players.add_seat
        self.drop_seat = self._players.drop_seat
        self.seats = self._players.seats
        self.answer = self._players.answer
        self.first_answer = self._players.first_answer

    @classmethod
    async def open(cls, url: str, node: str, on_payload: OnPayload, on_gap: OnGap) -> "RedisStore":
        """`on_payload` gets a room and what was published for it (see `read_payload`); `on_gap` is
        called when some of that may have been lost, or when `epoch` has changed.

        Raises StoreUnreachable, StoreTooOld, or ValueError for what is no URL.
        """
        store = cls(url, node, on_payload, on_gap)
        try:
            await store._start()
        except (OSError, TimeoutError, StoreError) as error:
            await store.close()
            if isinstance(error, StoreTooOld):
                raise
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

    async def close(self) -> None:
        await self._subscriber.close()
        await self._lane.close()

    @property
    def epoch(self) -> str:
        """Which run of the store this is: another one after it was started anew."""
        return _epoch_of(self._lane.server.run_id)

    @property
    def ready(self) -> bool:
        """Whether the store answered in the last three seconds (a pulse asks it twice a second)."""
        return self._lane.answering and time.monotonic() - self._lane.heard_at < READY_S

    def now(self, room: str) -> HallTime:
        return self._clock.now(keys_of_room(room).shard, time.monotonic())

    def hall_now(self) -> int:
        return self._clock.now(0, time.monotonic()).now_ms

    async def load(self, room: str) -> tuple[int, bytes] | None:
        """The room's number and state."""
        if not is_id(room):
            return None
        seq, state = await self._lane.call("HMGET", keys_of_room(room).room, "seq", "state")
        return None if seq is None else (int(seq), state)

    async def find_code(self, code: str) -> str | None:
        found: bytes | None = await self._lane.call("GET", code_key(code))
        return found.decode() if found is not None else None

    async def log(self, room: str, after: int) -> list[tuple[int, bytes]]:
        """The room's events after that number, oldest first. Only about the last 1000 are kept."""
        found = await self._lane.call("XRANGE", keys_of_room(room).log, f"{after + 1}-0", "+")
        return [(int(number.partition(b"-")[0]), event) for number, (_, event) in found]

    async def record(self, room: str, round_: int) -> bytes | None:
        found: bytes | None = await self._lane.call("HGET", keys_of_room(room).records, round_)
        return found

    async def commit(self, commit: Commit) -> Answer:
        keys, values = arguments_of(commit)
        kind, hall, down, number = await self._lane.run(scripts.COMMIT, keys, values)
        shard = keys_of_room(commit.room).shard
        self._clock.hear(shard, hall, down, time.monotonic())
        answer = answer_of(kind, hall, down, number)
        if isinstance(answer, WrongTime) and not number:
            # The shard is asleep. Decided again at the time it wakes up to, the commit will do.
            await self._pulse([shard], most=0)
        return answer

    async def pulse(self) -> list[str]:
        """Keep time going in every shard. Returns the rooms with a deadline that is due, claimed
        for this node for half a second."""
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
            (keys.pulse, keys.here),
            (node, seat0, seat1, watchers, lease_ms, keys.channel, PRESENCE),
        )
        self._clock.hear(keys.shard, hall, down, time.monotonic())
        return presence_of(*seen)

    async def live_rooms(self, per_shard: int = MOST_LISTED) -> list[str]:
        """The rooms that are not over, the newest of each shard."""
        names = [keys_of_shard(shard).live for shard in range(SHARDS)]
        found = await self._lane.call_all(("ZREVRANGE", name, 0, per_shard - 1) for name in names)
        return [room.decode() for rooms in found for room in rooms]

    async def forget(self, room: str) -> None:
        """Take a room that no longer exists out of the deadlines and the live rooms."""
        keys = keys_of_room(room)
        await self._lane.call_all((("ZREM", keys.deadlines, room), ("ZREM", keys.live, room)))
