"""A room that somebody on this node follows, and those who follow it.

Every follower has a number: the last event it was given. It gets the next one, or, where events
are missing or it reads too slowly, a snapshot in their place.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from towerhall_protocol.codec import Codec
from towerhall_server import metrics, wire
from towerhall_server.frames import Frames
from towerhall_server.games import Seat
from towerhall_server.match.happenings import Entry
from towerhall_server.match.state import Match
from towerhall_server.store import Presence

NOBODY = Presence((False, False), (None, None), 0)


class Reader(Protocol):
    """A connection, as far as a room knows it."""

    codec: Codec

    def write(self, frame: bytes) -> None: ...

    def has_room(self, *, seated: bool, more: int = 0) -> bool:
        """Whether anything may be queued for it, after so many bytes more."""

    def cut_slow(self) -> None:
        """A player's connection that cannot keep up is cut, and resumes."""


class Follower:
    __slots__ = ("lagging", "reader", "seat", "seq")

    def __init__(self, reader: Reader, seat: Seat | None) -> None:
        self.reader = reader
        self.seat = seat
        self.seq = 0
        self.lagging = False

    def hand(self, seq: int, frames: Frames) -> bool:
        """Give it the event with that number, if it is the next one and can be taken."""
        if seq <= self.seq or self.lagging:
            return False
        reader, seated = self.reader, self.seat is not None
        if seq > self.seq + 1:
            self.lagging = True
        elif reader.has_room(seated=seated):
            reader.write(frames.of(reader.codec))
            self.seq = seq
            return True
        elif seated:
            reader.cut_slow()
        else:
            self.lagging = True
        return False


class Channel:
    def __init__(self, room: str, epoch: str, subscribed: asyncio.Future[None]) -> None:
        self.room = room
        self.epoch = epoch
        self.subscribed = subscribed
        self.seq = 0
        self.followers: dict[Reader, Follower] = {}
        self.arriving: list[Follower] = []
        """Those who wait for their first message: they are here, and are given nothing yet."""
        self.presence = NOBODY
        self._presence_told = NOBODY
        self.needs_repair = False
        self.repairing = False

    def here(self) -> tuple[tuple[bool, bool], int]:
        """Which seats are here, and how many watchers."""
        everybody = (*self.followers.values(), *self.arriving)
        seats = list({follower.reader: follower.seat for follower in everybody}.values())
        return (0 in seats, 1 in seats), seats.count(None)

    def is_empty(self) -> bool:
        return not self.followers and not self.arriving

    def lowest(self) -> int:
        """The number from which on events are needed."""
        seqs = [one.seq for one in self.followers.values() if not one.lagging]
        return min(seqs, default=self.seq)

    def leave_behind(self, top: int) -> None:
        """Whoever is not there yet, after the log was read to its end, needs what it does not have,
        or has in a form that is not known here."""
        for follower in self.followers.values():
            follower.lagging |= follower.seq < top

    def late(self) -> list[Follower]:
        return [follower for follower in self.followers.values() if follower.lagging]

    def deliver(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            event = wire.event(self.room, self.epoch, entry)
            frames = Frames(partial(wire.event_in, event))
            sent = [one.hand(entry.seq, frames) for one in list(self.followers.values())]
            metrics.EVENTS_SENT.inc(amount=sum(sent))
            if entry.seq > self.seq:
                self.seq = entry.seq

    def show(self, match: Match, followers: list[Follower]) -> None:
        """Replace all that these knew by a snapshot."""
        made: dict[Seat | None, Frames] = {}
        for follower in followers:
            seat, reader = follower.seat, follower.reader
            if not reader.has_room(seated=seat is not None):
                follower.lagging = True
                continue
            if seat not in made:
                made[seat] = Frames.of_message(
                    wire.snapshot(match, self.epoch, self.presence, seat)
                )
            reader.write(made[seat].of(reader.codec))
            follower.seq, follower.lagging = match.seq, False
        self.seq = max(self.seq, match.seq)

    def tell_presence(self) -> None:
        """Not in the sequence, and the latest counts: it is told now and then, or a crowd that
        arrives would be told of each of its own; who cannot take it does without."""
        if self.presence == self._presence_told:
            return
        self._presence_told = self.presence
        frames = Frames.of_message(wire.presence_message(self.room, self.presence))
        for follower in self.followers.values():
            if follower.reader.has_room(seated=follower.seat is not None):
                follower.reader.write(frames.of(follower.reader.codec))
