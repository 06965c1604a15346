"""Players by their names: the hall's sentences say "Player 1", a person knows who that is."""

import re

from towerhall_protocol.rooms import Seat

_PLAYER = re.compile(r"\bPlayer ([12])\b")

Names = tuple[str, str]


def names_of(seats: tuple[Seat | None, Seat | None]) -> Names:
    one, two = (seat.name if seat else f"Player {n}" for n, seat in enumerate(seats, 1))
    return (one, two) if one != two else (f"{one} (1)", f"{two} (2)")


def named(text: str, names: Names) -> str:
    return _PLAYER.sub(lambda found: names[int(found[1]) - 1], text)
