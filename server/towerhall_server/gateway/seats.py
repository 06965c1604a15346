"""The seats of a player, so many at most.

The store's list of them is a hint, which is ahead of the rooms: a seat is put there before it is
taken, and dropped when the match is seen to be over. So the list is never too short, and its length
is what the store can count in the same moment in which it adds to it.

A seek counts as a room, and is kept elsewhere. So it has a seat in the list while it takes its
place, and whoever takes a seat looks for a seek after that: of two at once, one sees the other.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from towerhall_protocol.rooms import HeldSeat
from towerhall_server.games import Seat
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Sitter
from towerhall_server.referee import KeptByNewer
from towerhall_server.store import NoAnswer, new_code, new_room

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

MOST_SEATS = 20


async def held_seats(session: "Session", sitter: Sitter) -> list[HeldSeat]:
    """The seats in rooms that are not over. Every room of the list is looked at."""
    seats = (await session.hall.store.seats(sitter.player)).items()
    return [
        HeldSeat(room=room, seat=seat)
        for room, seat in seats
        if await _is_held(session, sitter.player, room, seat)
    ]


async def _is_held(session: "Session", player: str, room: str, seat: int) -> bool:
    store, referee = session.hall.store, session.hall.referee
    try:
        match = await referee.load(room)
        if match.status == "over":
            await store.drop_seat(player, room)
            # A rematch may have begun, and been put in the list, before it was dropped from there.
            match = await referee.load(room)
            if match.status == "over":
                return False
            await store.add_seat(player, room, seat)
    except KeptByNewer:
        # What cannot be read here may well be going on.
        return True
    except Refused:
        await store.drop_seat(player, room, unless_taking=True)
        return False
    if match.seat_of(player) != seat:
        await store.drop_seat(player, room, unless_taking=True)
        return False
    return True


@asynccontextmanager
async def seat_of_seek(session: "Session", player: Sitter) -> AsyncIterator[None]:
    """While a seek takes its place: a seat in a room that is never made."""
    room = new_room(new_code())
    await _hold_seat(session, player, room, 0)
    try:
        yield
    finally:
        # Without an answer it is soon found to be a false one.
        with suppress(NoAnswer):
            await session.hall.store.drop_seat(player.player, room)


async def take_new_seat(session: "Session", player: Sitter, key: str) -> None:
    """Before a room is made for this key."""
    room, _ = await session.hall.referee.room_for(player.player, key)
    await take_seat(session, player, room, 0)


async def take_seat(session: "Session", player: Sitter, room: str, seat: Seat) -> None:
    """Before the player sits down there."""
    store, who = session.hall.store, player.player
    await _hold_seat(session, player, room, seat)
    is_seeking = await store.seeks.waits(who)
    # A pairing that waits no longer has its seat in the list: so that is looked at afterwards.
    if len(await store.seats(who)) <= MOST_SEATS - is_seeking:
        return
    await held_seats(session, player)
    if len(await store.seats(who)) > MOST_SEATS - is_seeking:
        await store.drop_seat(who, room)
        raise _too_many(is_seeking=is_seeking)


async def _hold_seat(session: "Session", player: Sitter, room: str, seat: Seat) -> None:
    store, who = session.hall.store, player.player
    if await store.hold_seat(who, room, seat, MOST_SEATS):
        return
    # Some of them may be over.
    await held_seats(session, player)
    if not await store.hold_seat(who, room, seat, MOST_SEATS):
        raise _too_many()


def _too_many(*, is_seeking: bool = False) -> Refused:
    rooms = f"{MOST_SEATS - is_seeking} unfinished rooms"
    sentence = f"You have {rooms} and look for another; finish one first, or unseek."
    if not is_seeking:
        sentence = f"You have {rooms}; finish one first."
    return Refused("too_many", sentence, limit=MOST_SEATS)
