"""Two guests and their game: a chain that doubles, so that every ply has one move of its own."""

import asyncio
import secrets
from typing import Any, Self

from end_to_end.client import Message
from faults.guest import Guest
from faults.hall import Hall
from faults.stream import Stream

LONGEST = 29
"""Moves of a chain whose target is 30; the last one wins."""


def text_of(ply: int) -> str:
    return str(2 ** (ply + 1))


class Table:
    def __init__(self, guests: tuple[Guest, Guest], room: str) -> None:
        self.guests = guests
        self.room = room
        self.accepted: list[Message] = []
        """What the movers were answered, by ply."""

    @classmethod
    async def seat(
        cls, ann: Guest, bob: Guest, clock: Message | None = None, moves: int = LONGEST
    ) -> Self:
        opened = await ann.enter(
            "create",
            game="chain",
            options={"target": moves + 1},
            first="creator",
            clock=clock,
            listed=True,
            key=secrets.token_hex(8),
        )
        await bob.enter("join", room=opened.room)
        return cls((ann, bob), opened.room)

    @property
    def ply(self) -> int:
        return len(self.accepted)

    @property
    def mover(self) -> Guest:
        return self.guests[self.ply % 2]

    @property
    def streams(self) -> tuple[Stream, Stream]:
        one, other = self.guests
        return one.streams[self.room], other.streams[self.room]

    async def move(self, within_s: float = 30.0) -> Message:
        """The next move, asked until it is accepted."""
        accepted = await self.mover.move(self.room, self.ply, text_of(self.ply), within_s)
        self.accepted.append(accepted)
        return accepted

    async def play(self, moves: int, pause_s: float = 0.0) -> None:
        for _ in range(moves):
            await self.move()
            await asyncio.sleep(pause_s)

    def next_move(self) -> dict[str, Any]:
        fields = {"room": self.room, "round": 1, "ply": self.ply, "move": text_of(self.ply)}
        return {"type": "move", "id": 1_000_000 + self.ply, **fields}


async def assert_kept(hall: Hall, table: Table) -> list[Message]:
    """Every accepted move is in the log and in the record, once, as it was answered, and nothing
    else is. Asked by a newcomer, who knows nothing. Returns the log."""
    newcomer = hall.guest("newcomer")
    log = await _whole_log(newcomer, table.room)
    record = await newcomer.ask("record", room=table.room)
    await hall.dismiss(newcomer)
    moved = [event for event in log if event["kind"] == "moved"]
    texts = [text_of(ply) for ply in range(table.ply)]
    assert [(event["ply"], event["move"]) for event in moved] == list(enumerate(texts))
    answered = [(one["ply"], one["seq"]) for one in table.accepted]
    assert [(event["ply"], event["seq"]) for event in moved] == answered
    assert [frame["move"] for frame in record["frames"]] == [None, *texts]
    return log


async def _whole_log(guest: Guest, room: str) -> list[Message]:
    for _ in range(20):
        top = await guest.ask("watch", room=room)
        since = {"epoch": top["epoch"], "seq": 0}
        reply = await guest.ask("watch", room=room, since=since)
        if reply["type"] == "events":
            log: list[Message] = reply["events"]
            assert [event["seq"] for event in log] == list(range(1, top["seq"] + 1))
            return log
        # Another run of the store began between the two.
    raise TimeoutError(f"the log of room {room} could not be had")


async def assert_played_out(hall: Hall, table: Table) -> None:
    """The game was finished by its last move, and that was told and written once."""
    log = await assert_kept(hall, table)
    finished = [event for event in log if event["kind"] == "finished"]
    assert [event["reason"] for event in finished] == ["target_length"]
