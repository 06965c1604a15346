"""What happened between two snapshots of a room, as far as they tell, in lines for people. Pure.

A snapshot takes the place of events where those cannot be had any more: the store started anew, or
too much was missed. What was said meanwhile is in no snapshot.
"""

from towerhall_client.naming import named, names_of
from towerhall_protocol.replies import Room
from towerhall_protocol.rooms import MoveMade

SO_FAR = 12

Told = tuple[str, str]
"""The kind of the line, and its text."""


def meanwhile(before: Room, after: Room) -> list[Told]:
    result = _result(before, after)
    now = [*_begun(before, after), *_played(before, after)]
    now = [*now, *result] if after.turn is None else [*result, *now]
    return [*_sat_down(before, after), *now]


def begins(number: int, first: str) -> str:
    return f"Game {number} begins: {first} moves first."


def so_far(moves: list[MoveMade]) -> str:
    """The last of them, with their numbers."""
    texts = " ".join(f"{made.ply + 1}. {made.move}" for made in moves[-SO_FAR:])
    return f"So far: {'… ' if len(moves) > SO_FAR else ''}{texts}"


def _sat_down(before: Room, after: Room) -> list[Told]:
    return [
        ("game", f"{now.name} sits down as Player {number}.")
        for number, (was, now) in enumerate(zip(before.seats, after.seats, strict=True), 1)
        if now and not was
    ]


def _begun(before: Room, after: Room) -> list[Told]:
    if after.status == "open" or (before.status != "open" and before.round == after.round):
        return []
    return [("game", begins(after.round, names_of(after.seats)[after.first]))]


def _played(before: Room, after: Room) -> list[Told]:
    known = before.moves if before.round == after.round else []
    if after.moves[: len(known)] != known:
        return [("note", so_far(after.moves))] if after.moves else []
    new = after.moves[len(known) :]
    if len(new) > SO_FAR:
        return [("note", so_far(after.moves))]
    names = names_of(after.seats)
    return [
        ("move", f"{names[made.seat]} {'passes' if made.forced else f'plays {made.move}'}.")
        for made in new
    ]


def _result(before: Room, after: Room) -> list[Told]:
    """It is of the last game that ended: of this one, if nobody is to move."""
    ended = after.round - (after.turn is not None)
    before_that = ended < before.round
    known = ended == before.round and before.turn is None and before.result is not None
    if after.result is None or before_that or known:
        return []
    return [("game", named(after.result.text, names_of(after.seats)))]
