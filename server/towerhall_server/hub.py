"""A room's log, to the connections on this node that follow it.

A publication is only a wake-up: the log is the truth, and a gap is filled from it. After another
run of the store began, what was told before may not be what happened: everybody gets a snapshot.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from msgspec import Raw, UnsetType

from towerhall_protocol.replies import Events, Room
from towerhall_protocol.requests import Since
from towerhall_server import metrics, wire
from towerhall_server.channel import Channel, Follower, Reader
from towerhall_server.games import Seat
from towerhall_server.logs import Log
from towerhall_server.match import happenings
from towerhall_server.match.happenings import Entry
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Match
from towerhall_server.store import NoAnswer, Presence, RedisStore, read_payload

log = Log(__name__)

RENEW_S = 2.5
"""How often a node says again who is at its rooms; a lease lasts 6 s."""
AT_ONCE = 500
PIECE = 100
"""Events that are read at once for somebody who was away."""


class Hub:
    def __init__(
        self,
        store: RedisStore,
        load: Callable[[str], Awaitable[Match]],
        moved_on: Callable[[str, int], None],
    ) -> None:
        """`load` reads a match afresh; `moved_on` hears of rooms that any node changed."""
        self._store = store
        self._load = load
        self._moved_on = moved_on
        self._channels: dict[str, Channel] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def follow(
        self, reader: Reader, room: str, seat: Seat | None, since: Since | None, re: int | UnsetType
    ) -> Room | Events:
        """Attach the reader to the room; what is returned must be its next message."""
        channel, follower = self._channel(room), Follower(reader, seat)
        channel.arriving.append(follower)
        try:
            await asyncio.shield(channel.subscribed)
            channel.presence = await self._store.presence(room, *channel.here())
            epoch, match, missed = await self._catch(room, since, follower)
            channel.followers[reader] = follower
        finally:
            channel.arriving.remove(follower)
            if channel.is_empty():
                self._spawn(self._renew(channel))
        told, follower.seq = channel.seq, match.seq
        channel.seq = max(told, match.seq)
        if told not in (0, match.seq) or channel.epoch != epoch:
            # The newcomer's match is older than the room, or newer than what others were told.
            self._mend(channel)
        if missed is not None:
            events = [wire.event_in(wire.event(room, epoch, one), reader.codec) for one in missed]
            if reader.has_room(seated=seat is not None, more=sum(map(len, events))):
                raw: Any = [Raw(event) for event in events]
                return Events(re=re, room=room, epoch=epoch, events=raw)
        return wire.snapshot(match, epoch, channel.presence, seat, re)

    def unfollow(self, reader: Reader, room: str) -> None:
        channel = self._channels.get(room)
        if channel and channel.followers.pop(reader, None):
            self._spawn(self._renew(channel))

    def announce(self, room: str, epoch: str, entries: Sequence[Entry]) -> None:
        """What was just committed, here or elsewhere, in that run of the store; what is known
        already is passed over."""
        channel = self._channels.get(room)
        if channel is None or entries[-1].seq <= channel.seq:
            return
        whole = entries[0].seq <= channel.seq + 1 and channel.epoch == epoch
        if whole and not channel.repairing:
            channel.deliver(entries)
        else:
            self._mend(channel)

    def wake(self, room: str, payload: bytes) -> None:
        """A publication. Of its own commits the node has heard, or will hear, from the referee."""
        channel = self._channels.get(room)
        if channel is None or self._store.is_own(payload):
            return
        told = read_payload(payload)
        if isinstance(told, Presence):
            channel.presence = told
        elif told.top > channel.seq:
            self._moved_on(room, told.top)
            entries = happenings.readable(told.events)
            if entries:
                self.announce(room, told.epoch, entries)
            else:
                self._mend(channel)

    def doubt(self, room: str) -> None:
        """It is not known what became of a commit: the room's log will tell."""
        if channel := self._channels.get(room):
            self._mend(channel)

    def gap(self) -> None:
        """Wake-ups may have been lost, or the store is another run: every room is looked at."""
        for channel in self._channels.values():
            self._mend(channel)

    def tops(self, rooms: list[str]) -> dict[str, int]:
        return {room: self._channels[room].seq for room in rooms if room in self._channels}

    @property
    def rooms(self) -> int:
        return len(self._channels)

    def catch_up(self) -> None:
        """Look after those who lagged and can take a snapshot now, and tell who is here."""
        for channel in self._channels.values():
            channel.tell_presence()
            late = any(one.reader.has_room(seated=False) for one in channel.late())
            if late or channel.needs_repair:
                self._mend(channel)

    async def keep_leases(self) -> None:
        """Say again who is here, before the leases run out."""
        while True:
            await asyncio.sleep(RENEW_S)
            channels = list(self._channels.values())
            for start in range(0, len(channels), AT_ONCE):
                await asyncio.gather(*map(self._renew, channels[start : start + AT_ONCE]))

    async def close(self) -> None:
        """Let go of every room, so that nobody waits for a lease to run out."""
        channels = list(self._channels.values())
        for channel in channels:
            channel.followers.clear()
        await asyncio.gather(*map(self._renew, channels))
        for task in list(self._tasks):
            task.cancel()

    def _channel(self, room: str) -> Channel:
        channel = self._channels.get(room)
        if channel is None:
            subscribed = asyncio.ensure_future(self._store.subscribe(room))
            channel = self._channels[room] = Channel(room, self._store.epoch, subscribed)
        return channel

    async def _catch(
        self, room: str, since: Since | None, follower: Follower
    ) -> tuple[str, Match, list[Entry] | None]:
        """The room as it is, in which run of the store, and the events after `since`: None where
        they are not all at hand, or more than the follower can be sent."""
        while True:
            epoch = self._store.epoch
            match = await self._load(room)
            missed = None
            if since and since.epoch == epoch and since.seq <= match.seq:
                missed = await self._missed(room, since.seq, match.seq, follower)
            if self._store.epoch == epoch:
                return epoch, match, missed

    async def _missed(
        self, room: str, after: int, top: int, follower: Follower
    ) -> list[Entry] | None:
        """A piece at a time: who was away for long is not worth a megabyte that nobody is sent."""
        missed: list[Entry] = []
        size = 0
        while after + len(missed) < top:
            blobs = [blob for _, blob in await self._store.log(room, after + len(missed), PIECE)]
            size += sum(map(len, blobs))
            entries = happenings.readable(blobs)
            whole = entries and entries[0].seq == after + len(missed) + 1
            seated = follower.seat is not None
            if (
                not whole
                or len(entries) < len(blobs)
                or not follower.reader.has_room(seated=seated, more=size)
            ):
                return None
            missed += entries
        return missed[: top - after]

    async def _log(self, room: str, after: int) -> list[Entry]:
        return happenings.readable([blob for _, blob in await self._store.log(room, after)])

    def _mend(self, channel: Channel) -> None:
        channel.needs_repair = True
        if not channel.repairing:
            self._spawn(self._repair(channel))

    async def _repair(self, channel: Channel) -> None:
        """Bring every follower of the room to its top, from the log or with a snapshot."""
        channel.repairing = True
        try:
            while channel.needs_repair:
                channel.needs_repair = False
                await self._repair_once(channel)
        except NoAnswer:
            # Tried again with the next look at those who lag.
            channel.needs_repair = True
        except Refused:
            log.info("A room is gone.", room=channel.room)
        except Exception as error:
            channel.needs_repair = True
            metrics.BACKGROUND_FAILURES.inc("hub")
            log.exception("A room's events could not be read.", error, room=channel.room)
        finally:
            channel.repairing = False

    async def _repair_once(self, channel: Channel) -> None:
        epoch = self._store.epoch
        if channel.epoch != epoch:
            match = await self._load(channel.room)
            if self._is_another_run(channel, epoch):
                return
            channel.epoch, channel.seq = epoch, match.seq
            channel.show(match, list(channel.followers.values()))
        top = channel.seq
        entries = await self._log(channel.room, channel.lowest())
        if self._is_another_run(channel, epoch):
            return
        channel.deliver(entries)
        channel.leave_behind(top)
        if late := channel.late():
            match = await self._load(channel.room)
            if self._is_another_run(channel, epoch):
                return
            channel.show(match, late)
        # Something may have come while the match was read: who was shown it lacks that.
        channel.needs_repair |= channel.lowest() < channel.seq

    def _is_another_run(self, channel: Channel, epoch: str) -> bool:
        """Whether what was just read may be another run's than was thought: it is read again."""
        another = self._store.epoch != epoch
        channel.needs_repair |= another
        return another

    async def _renew(self, channel: Channel) -> None:
        try:
            online, watchers = channel.here()
            channel.presence = await self._store.presence(channel.room, online, watchers)
        except NoAnswer:
            # The lease runs out by itself, and is taken again when the store is back.
            pass
        if channel.is_empty() and self._channels.get(channel.room) is channel:
            del self._channels[channel.room]
            self._store.unsubscribe(channel.room)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
