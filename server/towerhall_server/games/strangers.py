"""Number Tower: Strangers.

Two players build one tower of numbers from 1 to `pool`. The first number may be any; every later
one must be a stranger to the number on top: neither a divisor nor a multiple of it (so not the
same number either). Whoever has no such number on their turn loses, and that is looked at right
after each move. 1 is related to every number: it can only open, and then wins at once.

Numbers may be used again, unless `copies` says how often. A tower of 99 numbers is full: the
player who would have to place the hundredth loses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from towerhall_server.games.base import (
    Game,
    IllegalMove,
    Option,
    Played,
    Preset,
    Seat,
    State,
    SupplyItem,
    View,
    finish,
    mover,
    other,
    player,
    read_number,
    record,
)

FULL = 99
TIMES = ("never", "once", "twice")


@dataclass(frozen=True, kw_only=True)
class StrangersState(State):
    pool: int
    copies: int
    one_may_open: bool

    @cached_property
    def tower(self) -> list[int]:
        return [int(move.text) for move in self.moves]

    @cached_property
    def legal(self) -> list[str]:
        if self.turn is None:
            return []
        if not self.tower:
            return [str(n) for n in range(1 if self.one_may_open else 2, self.pool + 1)]
        strangers = _strangers_to(self.tower[-1], self.pool)
        if not self.copies:
            return list(strangers)
        return [text for text in strangers if self.is_unused(int(text))]

    def is_unused(self, number: int) -> bool:
        """Whether a copy of the number is left."""
        return not self.copies or self.tower.count(number) < self.copies


class Strangers(Game[StrangersState]):
    id = "strangers"
    title = "Number Tower: Strangers"
    summary = "Each number must be unrelated to the one below it."
    rules = (
        "Take turns placing a number on the tower. The first may be any number. After that, a "
        "number must not be a divisor or a multiple of the number on top; the same number is "
        "both. If you have no number to place on your turn, you lose. 1 is related to every "
        "number: it can only be the first, and then wins at once. A tower of 99 numbers is "
        "full, and the player to move loses."
    )
    options = (
        Option("pool", 9, (4, 99), "the highest number"),
        Option("copies", 0, (0, 9), "how often each number may be used; 0 is without limit"),
        Option("one_may_open", True, None, "whether the first number may be 1, which wins"),
    )
    presets = (
        Preset("classic", rated=False, options={}),
        Preset("singles", rated=True, options={"pool": 20, "copies": 1, "one_may_open": False}),
    )
    state = StrangersState

    def start(self, options: Mapping[str, object], first: Seat) -> StrangersState:
        values = self.resolve(options)
        return StrangersState(
            turn=first,
            pool=values["pool"],
            copies=values["copies"],
            one_may_open=bool(values["one_may_open"]),
        )

    def read(self, text: str) -> str:
        return read_number(text, "That is not a number: type a whole number in digits, such as 5.")

    def legal_moves(self, state: StrangersState) -> list[str]:
        return list(state.legal)

    def play(self, state: StrangersState, text: str) -> StrangersState:
        number, seat = self.read(text), mover(state)
        if objection := _objection(state, int(number)):
            raise IllegalMove(objection)
        tower = [*state.tower, int(number)]
        state = record(state, seat, number, turn=other(seat), tower=tower)
        stuck = player(other(seat))
        if len(state.moves) == FULL:
            return finish(state, seat, "tower_full", f"The tower is full at {FULL} numbers")
        if not state.legal:
            return finish(state, seat, "no_moves", f"{stuck} has no number to place on {number}")
        return state

    def describe(self, played: Played) -> str:
        return f"{player(played.seat)} places {played.text}."

    def view(self, state: StrangersState) -> View:
        tower = state.tower
        left: list[SupplyItem] = [
            {"value": n, "count": state.copies - tower.count(n)}
            for n in range(1, state.pool + 1 if state.copies else 0)
            if state.is_unused(n)
        ]
        notes = [f"The tower is full at {FULL} numbers; whoever is to move then loses."]
        if state.copies:
            notes.append(f"Each number may be used {_times(state.copies)}.")
        return {
            "stacks": [{"label": "Tower", "owner": None, "items": list(tower), "note": ""}],
            "supplies": [{"label": "Numbers left", "owner": None, "items": left}] if left else [],
            "prompt": _prompt(state),
            "notes": notes,
        }


@cache
def _strangers_to(top: int, pool: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(2, pool + 1) if n % top and top % n)


def _objection(state: StrangersState, number: int) -> str | None:
    """Why the number cannot be placed now; None if it can."""
    if not 1 <= number <= state.pool:
        return f"{number} is outside 1 to {state.pool}."
    tower = state.tower
    if not tower:
        barred = number == 1 and not state.one_may_open
        return "1 may not open the tower in this game." if barred else None
    top = tower[-1]
    if number == top:
        return f"{number} is on top already, and is both a divisor and a multiple of itself."
    if number % top == 0:
        return f"{number} is a multiple of {top}."
    if top % number == 0:
        return f"{number} is a divisor of {top}."
    if not state.is_unused(number):
        used = "" if state.copies == 1 else f" {_times(state.copies)}"
        return f"{number} is already in the tower{used}."
    return None


def _times(count: int) -> str:
    return TIMES[count] if count < len(TIMES) else f"{count} times"


def _prompt(state: StrangersState) -> str:
    if state.turn is None:
        return ""
    if not state.tower:
        return f"Place any number from {1 if state.one_may_open else 2} to {state.pool}."
    top = state.tower[-1]
    return (
        f"Place a number from 2 to {state.pool} that neither divides {top} nor is a multiple of it."
    )
