"""Number Tower: Relatives.

Two players build one tower from a shared pool of blocks, 1 to `pool`, each used once. The first
block may be any (any even one with `even_opening`); every later one must be a relative of the
block on top: a divisor or a multiple of it. Whoever has no such block on their turn loses, and
that is looked at right after each move.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True, kw_only=True)
class RelativesState(State):
    pool: int
    even_opening: bool

    @cached_property
    def tower(self) -> list[int]:
        return [int(move.text) for move in self.moves]

    @cached_property
    def legal(self) -> list[str]:
        if self.turn is None:
            return []
        return [str(n) for n in range(1, self.pool + 1) if not _objection(self, n)]


class Relatives(Game[RelativesState]):
    id = "relatives"
    title = "Number Tower: Relatives"
    summary = "Each block must divide, or be a multiple of, the one below it, and is used once."
    rules = (
        "Take turns placing a block on the tower; each block is there once, for both players. "
        "The first may be any block. After that, a block must be a divisor or a multiple of the "
        "block on top. If there is no such block left on your turn, you lose."
    )
    options = (
        Option("pool", 9, (4, 100), "the highest block"),
        Option("even_opening", False, None, "whether the first block must be even"),
    )
    presets = (
        Preset("classic", rated=False, options={}),
        Preset("juniper", rated=True, options={"pool": 40, "even_opening": True}),
    )
    state = RelativesState

    def start(self, options: Mapping[str, object], first: Seat) -> RelativesState:
        values = self.resolve(options)
        return RelativesState(
            turn=first, pool=values["pool"], even_opening=bool(values["even_opening"])
        )

    def read(self, text: str) -> str:
        return read_number(text, "That is not a block: type its number in digits, such as 6.")

    def legal_moves(self, state: RelativesState) -> list[str]:
        return list(state.legal)

    def play(self, state: RelativesState, text: str) -> RelativesState:
        block, seat = self.read(text), mover(state)
        if objection := _objection(state, int(block)):
            raise IllegalMove(objection)
        tower = [*state.tower, int(block)]
        state = record(state, seat, block, turn=other(seat), tower=tower)
        if not state.legal:
            stuck = player(other(seat))
            return finish(state, seat, "no_moves", f"{stuck} has no block to place on {block}")
        return state

    def describe(self, played: Played) -> str:
        return f"{player(played.seat)} places block {played.text}."

    def view(self, state: RelativesState) -> View:
        tower = state.tower
        used = set(tower)
        left: list[SupplyItem] = [
            {"value": n, "count": 1} for n in range(1, state.pool + 1) if n not in used
        ]
        return {
            "stacks": [{"label": "Tower", "owner": None, "items": list(tower), "note": ""}],
            "supplies": [{"label": "Blocks left", "owner": None, "items": left}],
            "prompt": _prompt(state),
            "notes": [],
        }


def _objection(state: RelativesState, block: int) -> str | None:
    """Why the block cannot be placed now; None if it can."""
    if not 1 <= block <= state.pool:
        return f"There is no block {block}: the blocks are 1 to {state.pool}."
    tower = state.tower
    if block in tower:
        return f"{block} is already in the tower."
    if not tower:
        odd = state.even_opening and block % 2
        return f"{block} is odd, and the first block must be even." if odd else None
    top = tower[-1]
    if top % block and block % top:
        return f"{block} is neither a divisor nor a multiple of {top}."
    return None


def _prompt(state: RelativesState) -> str:
    if state.turn is None:
        return ""
    if not state.tower:
        return f"Place any {'even ' if state.even_opening else ''}block from 1 to {state.pool}."
    return f"Place an unused block that divides {state.tower[-1]} or is a multiple of it."
