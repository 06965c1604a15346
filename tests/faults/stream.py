"""What one guest was told of one room, put together over all its connections."""

import asyncio
from collections.abc import Callable

from end_to_end.client import Message


class Stream:
    """Asserts with every message that none is missing and none comes twice."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.epoch = ""
        self.seq = 0
        self.events: list[Message] = []
        self.snapshots: list[Message] = []
        self.troubles: list[str] = []
        self._news = asyncio.Event()

    def take(self, message: Message) -> None:
        if message.get("room") != self.room:
            return
        match message["type"]:
            case "room":
                self.epoch, self.seq = message["epoch"], message["seq"]
                self.snapshots.append(message)
            case "events":
                for event in message["events"]:
                    self._add(event)
            case "event":
                self._add(message)
        self._news.set()

    def _add(self, event: Message) -> None:
        if (event["epoch"], event["seq"]) != (self.epoch, self.seq + 1):
            told, known = (event["epoch"], event["seq"]), (self.epoch, self.seq)
            self.troubles.append(f"{told} came after {known}")
        self.seq = event["seq"]
        self.events.append(event)

    async def until(self, wanted: Callable[["Stream"], bool], within_s: float = 10.0) -> None:
        async with asyncio.timeout(within_s):
            while not wanted(self):
                self._news.clear()
                await self._news.wait()

    async def reaches(self, seq: int, within_s: float = 10.0) -> None:
        await self.until(lambda stream: stream.seq >= seq, within_s)

    async def finished(self, within_s: float = 10.0) -> Message:
        """The event that ended the first round, which must not have been jumped over."""
        await self.until(lambda stream: bool(stream.of_kind("finished")), within_s)
        return self.of_kind("finished")[0]

    def of_kind(self, kind: str) -> list[Message]:
        return [event for event in self.events if event["kind"] == kind]

    @property
    def clocks(self) -> Message:
        """As told last, by an event or a snapshot."""
        told = [one for one in (*self.snapshots, *self.events) if one.get("clocks")]
        latest: Message = max(told, key=lambda one: int(one["seq"]))["clocks"]
        return latest

    @property
    def is_over(self) -> bool:
        over = bool(self.snapshots) and self.snapshots[-1]["status"] == "over"
        return over or any(event["match_over"] for event in self.of_kind("finished"))


def assert_gapless(*streams: Stream) -> None:
    for stream in streams:
        assert not stream.troubles, stream.troubles


def assert_same(*streams: Stream) -> None:
    """All were told the same, number by number, as far as they were told."""
    assert_gapless(*streams)
    first, *others = ({event["seq"]: event for event in one.events} for one in streams)
    for other in others:
        common = first.keys() & other.keys()
        assert common
        assert [first[seq] for seq in sorted(common)] == [other[seq] for seq in sorted(common)]
