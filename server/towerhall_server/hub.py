"""A room's log, to the connections on this node that follow it.

A publication is only a wake-up: the log is the truth, and a gap is filled from it. After another
run of the store began, what was told before may not be what happened: everybody gets a snapshot.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

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
        self, reader: Reader, room: str, seat: Seat | None, since: Since | None, re: int
    ) -> Room | Events:
        """Attach the reader to the room; what is returned must be its next message."""
        channel, follower = self._channel(room), Follower(reader, seat)
        channel.arriving.append(follower)
        try:
            await asyncio.shield(channel.subscribed)
            channel.presence = await self._store.presence(room, *channel.here())
            match = await self._load(room)
            missed = await self._missed(match, since) if since else None
            channel.followers[reader] = follower
        finally:
            channel.arriving.remove(follower)
            if channel.is_empty():
                self._spawn(self._renew(channel))
        told, follower.seq = channel.seq, match.seq
        channel.seq = max(told, match.seq)
        if told not in (0, match.seq):
            # The newcomer's match is older than the room, or newer than what others were told.
            self._mend(channel)
        if missed is None:
            return wire.snapshot(match, channel.epoch, channel.presence, seat, re)
        events = [wire.event(room, channel.epoch, entry) for entry in missed]
        return Events(re=re, room=room, epoch=channel.epoch, events=events)

    def unfollow(self, reader: Reader, room: str) -> None:
        channel = self._channels.get(room)
        if channel and channel.followers.pop(reader, None):
            self._spawn(self._renew(channel))

    def announce(self, room: str, entries: list[Entry]) -> None:
        """What was just committed, here or elsewhere; what is known already is passed over."""
        channel = self._channels.get(room)
        if channel is None:
            return
        new = [entry for entry in entries if entry.seq > channel.seq]
        whole = new and new[0].seq == channel.seq + 1 and channel.epoch == self._store.epoch
        if whole and not channel.repairing:
            channel.deliver(new)
        elif new:
            self._mend(channel)

    def wake(self, room: str, payload: bytes) -> None:
        """A publication. Of its own commits the node has heard, or will hear, from the referee."""
        channel = self._channels.get(room)
        if channel is None:
            return
        told = read_payload(payload)
        if isinstance(told, Presence):
            channel.presence = told
            return
        publication = happenings.decode_publication(told)
        if publication.node != self._store.node and publication.top > channel.seq:
            self._moved_on(room, publication.top)
            self.announce(room, happenings.entries_of(publication))

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

    async def _missed(self, match: Match, since: Since) -> list[Entry] | None:
        """The events after `since`; None where they are not all at hand."""
        if since.epoch != self._store.epoch or since.seq > match.seq:
            return None
        entries = await self._log(match.room, since.seq)
        entries = [entry for entry in entries if entry.seq <= match.seq]
        return entries if len(entries) == match.seq - since.seq else None

    async def _log(self, room: str, after: int) -> list[Entry]:
        return [happenings.decode(blob) for _, blob in await self._store.log(room, after)]

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
            channel.epoch, channel.seq = epoch, match.seq
            channel.show(match, list(channel.followers.values()))
        channel.deliver(await self._log(channel.room, channel.lowest()))
        if late := channel.late():
            channel.show(await self._load(channel.room), late)
        # Something may have come while the match was read: who was shown it lacks that.
        channel.needs_repair |= channel.lowest() < channel.seq

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
