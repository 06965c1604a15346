"""Rated matches between guests, and what must be true of them when they are over."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Self

from end_to_end.client import Message
from faults.guest import Guest
from faults.hall import Hall

PATIENCE_S = 60.0
ROUNDS = 2


class RatedMatch:
    def __init__(self, guests: tuple[Guest, Guest], room: str) -> None:
        self.guests = guests
        self.room = room

    @classmethod
    async def seat(cls, ann: Guest, bob: Guest) -> Self:
        opened = await ann.enter(
            "create",
            game="chain",
            rounds=ROUNDS,
            rated=True,
            clock={"initial_ms": 600_000, "increment_ms": 0},
            listed=True,
            key=secrets.token_hex(8),
        )
        await bob.enter("join", room=opened.room)
        return cls((ann, bob), opened.room)

    async def lose(self, seat: int, round_: int) -> None:
        """Resign that round, when it is on, until that is answered."""
        guest = self.guests[seat]
        for _ in range(int(PATIENCE_S / 0.1)):
            shown = await guest.ask("watch", PATIENCE_S, room=self.room)
            if shown["round"] >= round_ and shown["status"] == "live":
                break
            await asyncio.sleep(0.1)
        await guest.ask("resign", PATIENCE_S, room=self.room, round=round_)

    async def play(self, losers: Sequence[int]) -> None:
        for round_, loser in enumerate(losers, 1):
            await self.lose(loser, round_)

    async def rated(self, asker: Guest) -> list[Message]:
        """The `rated` events in the room's log, when there is one."""
        for _ in range(int(PATIENCE_S / 0.2)):
            top = await asker.ask("watch", room=self.room)
            since = {"epoch": top["epoch"], "seq": 0}
            reply = await asker.ask("watch", room=self.room, since=since)
            events = reply["events"] if reply["type"] == "events" else []
            # A connection follows so many rooms at most.
            await asker.ask("unwatch", room=self.room)
            if found := [event for event in events if event["kind"] == "rated"]:
                return found
            await asyncio.sleep(0.2)
        raise TimeoutError(f"room {self.room} was never rated")


async def assert_counted_once(hall: Hall, matches: Sequence[RatedMatch]) -> None:
    """Each match is in its room's log, in both ratings and in both histories, once; and every
    player's ratings follow from one another without a gap. Asked by newcomers and returning
    players, and of the store itself."""
    newcomer = hall.guest("newcomer")
    rated: dict[str, Message] = {}
    for match in matches:
        (rated[match.room],) = await match.rated(newcomer)
    played = Counter(guest for match in matches for guest in match.guests)
    for guest, count in played.items():
        history = await history_of(guest, count)
        own = [match for match in matches if guest in match.guests]
        assert sorted(entry["id"] for entry in history) == sorted(f"{one.room}-1" for one in own)
        _assert_chained(guest, own, rated)
        for entry in history:
            assert entry["rating"] == rated[entry["room"]]["after"][entry["seat"]]
        returned = await _anew(hall, guest)
        assert returned.welcome["ratings"]["chain"]["matches"] == count
        await hall.dismiss(returned)
    await hall.dismiss(newcomer)


async def assert_in_history_once(guest: Guest, room: str) -> None:
    """The one match that this guest has finished."""
    entries = await history_of(guest, 1)
    assert [entry["id"] for entry in entries] == [f"{room}-1"]


def settled(hall: Hall) -> bool:
    """Whether no match is left to settle, as the store has it."""
    due = (hall.store.call("ZRANGE", key, 0, -1) for key in hall.store.call("KEYS", "*:deadlines"))
    return not any(b"/" in member for members in due for member in members)


def _assert_chained(guest: Guest, own: list[RatedMatch], rated: dict[str, Message]) -> None:
    """The rating before a match is the one after the match before it."""
    sides = []
    for match in own:
        seat, event = match.guests.index(guest), rated[match.room]
        sides.append((event["before"][seat], event["after"][seat]))
    sides.sort(key=lambda side: int(side[0]["matches"]))
    newcomer = {"value": 1500, "deviation": 350, "provisional": True, "matches": 0}
    befores = [before for before, _ in sides]
    assert befores == [newcomer, *(after for _, after in sides[:-1])]


async def history_of(guest: Guest, count: int) -> list[Message]:
    for _ in range(60):
        matches: list[Message] = (await guest.ask("history"))["matches"]
        if len(matches) >= count:
            return matches
        await asyncio.sleep(0.5)
    raise TimeoutError(f"{guest.name} never had {count} matches in the history")


async def _anew(hall: Hall, guest: Guest) -> Guest:
    """The same player on a connection that knows nothing."""
    returned = hall.guest(guest.name)
    returned.token = guest.token
    await returned.line()
    return returned
