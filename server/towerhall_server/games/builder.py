"""Tower Builder.

Each player builds an own tower from five blocks of size 1, four of 2, three of 3, two of 4 and
one of 5 (with `shared`, both take from one such stock). A block that would lift the tower above
`target` cannot be placed; whoever stands at exactly `target` wins at once.

A player for whom no block fits passes. When both pass in a row, the taller tower wins; at equal
height the one of fewer blocks; and if that is equal too, whoever placed the last block.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from towerhall_server.games.base import (
    PASS,
    Game,
    IllegalMove,
    Option,
    Played,
    Preset,
    Seat,
    State,
    Supply,
    View,
    finish,
    handed,
    mover,
    other,
    player,
    read_number,
    record,
)

STOCK = {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
SEATS: tuple[Seat, Seat] = (0, 1)


@dataclass(frozen=True, kw_only=True)
class BuilderState(State):
    target: int
    shared: bool

    @cached_property
    def towers(self) -> list[list[int]]:
        towers: list[list[int]] = [[], []]
        for seat, text, forced in self.moves:
            if not forced:
                towers[seat].append(int(text))
        return towers

    @cached_property
    def heights(self) -> list[int]:
        return [sum(tower) for tower in self.towers]

    @cached_property
    def stocks(self) -> list[dict[int, int]]:
        """How many blocks of each size each player may still take."""
        one, two = self.towers
        used = [one + two] * 2 if self.shared else [one, two]
        return [{n: count - blocks.count(n) for n, count in STOCK.items()} for blocks in used]


class Builder(Game[BuilderState]):
    id = "builder"
    title = "Tower Builder"
    summary = "Be first to exactly twenty units."
    rules = (
        "Take turns placing a block on your own tower. You have five blocks of size 1, four of "
        "size 2, three of size 3, two of size 4 and one of size 5. No tower may rise above the "
        "target; whoever reaches it exactly wins. If no block fits, you pass. When both pass in a "
        "row, the taller tower wins, then the one of fewer blocks, then whoever placed last."
    )
    options = (
        Option("target", 20, (6, 34), "the height to reach"),
        Option("shared", False, None, "whether both players take from one stock of blocks"),
    )
    presets = (
        Preset("classic", rated=False, options={}),
        Preset("quarry", rated=True, options={"shared": True}),
    )
    state = BuilderState

    def start(self, options: Mapping[str, object], first: Seat) -> BuilderState:
        values = self.resolve(options)
        return BuilderState(turn=first, target=values["target"], shared=bool(values["shared"]))

    def read(self, text: str) -> str:
        return read_number(text, "That is not a block: type its size in digits, 1 to 5.")

    def legal_moves(self, state: BuilderState) -> list[str]:
        return [] if state.turn is None else _fitting(state, state.turn)

    def play(self, state: BuilderState, text: str) -> BuilderState:
        size, seat = self.read(text), mover(state)
        if objection := _objection(state, seat, int(size)):
            raise IllegalMove(objection)
        state = record(state, seat, size, **_placed(state, seat, int(size)))
        if state.heights[seat] == state.target:
            return finish(state, seat, "target_height", f"The tower is {state.target} high")
        for following in (other(seat), seat):
            if _fitting(state, following):
                return handed(state, following)
            state = record(state, following, PASS, forced=True)
        return _compare(state, last=seat)

    def describe(self, played: Played) -> str:
        if played.forced:
            return f"{player(played.seat)} has no block that fits and passes."
        return f"{player(played.seat)} places a size {played.text} block."

    def view(self, state: BuilderState) -> View:
        return {
            "stacks": [
                {
                    "label": f"{player(seat)}'s tower",
                    "owner": seat,
                    "items": list(state.towers[seat]),
                    "note": f"{state.heights[seat]} of {state.target}",
                }
                for seat in SEATS
            ],
            "supplies": _supplies(state),
            "prompt": _prompt(state),
            "notes": [],
        }


def _objection(state: BuilderState, seat: Seat, size: int) -> str | None:
    """Why the block cannot be placed now; None if it can."""
    if size not in STOCK:
        return f"There is no block of size {size}: the sizes are 1 to {len(STOCK)}."
    if not state.stocks[seat][size]:
        return f"No size {size} block is left{'' if state.shared else ' in your stock'}."
    height = state.heights[seat] + size
    if height > state.target:
        return f"A size {size} block would make {height}, above {state.target}."
    return None


def _placed(state: BuilderState, seat: Seat, size: int) -> dict[str, Any]:
    """What the block changes of all that follows from the moves."""
    towers, heights, stocks = list(state.towers), list(state.heights), list(state.stocks)
    towers[seat] = [*towers[seat], size]
    heights[seat] += size
    left = stocks[seat] | {size: stocks[seat][size] - 1}
    for owner in SEATS if state.shared else (seat,):
        stocks[owner] = left
    return {"towers": towers, "heights": heights, "stocks": stocks}


def _fitting(state: BuilderState, seat: Seat) -> list[str]:
    room = state.target - state.heights[seat]
    return [str(size) for size, count in state.stocks[seat].items() if count and size <= room]


def _compare(state: BuilderState, last: Seat) -> BuilderState:
    heights, blocks = state.heights, [len(tower) for tower in state.towers]
    if heights[0] != heights[1]:
        winner: Seat = 0 if heights[0] > heights[1] else 1
        why = f"Nobody can place a block, and {max(heights)} is taller than {min(heights)}"
        return finish(state, winner, "taller", why)
    level = f"Both towers are {heights[0]} high"
    if blocks[0] != blocks[1]:
        winner = 0 if blocks[0] < blocks[1] else 1
        why = f"{level}, and {min(blocks)} blocks are fewer than {max(blocks)}"
        return finish(state, winner, "fewer_blocks", why)
    why = f"{level} with {blocks[0]} blocks, and {player(last)} placed the last"
    return finish(state, last, "last_block", why)


def _supplies(state: BuilderState) -> list[Supply]:
    owners: list[tuple[str, Seat | None, Seat]] = [("Blocks left", None, 0)]
    if not state.shared:
        owners = [(f"{player(seat)}'s blocks", seat, seat) for seat in SEATS]
    return [
        {
            "label": label,
            "owner": owner,
            "items": [{"value": n, "count": c} for n, c in state.stocks[seat].items() if c],
        }
        for label, owner, seat in owners
    ]


def _prompt(state: BuilderState) -> str:
    if state.turn is None:
        return ""
    left = state.target - state.heights[state.turn]
    return f"Place a block: {left} more {'makes' if left == 1 else 'make'} exactly {state.target}."
