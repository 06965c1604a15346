"""Number Chain.

The chain begins as 1. Each player in turn adds a whole number that is greater than the last one
and is a multiple of it or shares a digit with it. Whoever makes the chain `target` numbers long
(the 1 counts) wins. With `strict`, a number that breaks these rules loses the game at once;
without, it is refused.

Numbers stay below 2^53, so that every client holds them exactly: the number that makes the chain
L long may be at most (2^53 - 1) / 2^(target - L). A larger one is refused and loses nothing, and
since doubling always fits, nobody can be driven against the limit.
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
    View,
    finish,
    mover,
    other,
    player,
    read_number,
    record,
)

LARGEST = 2**53 - 1


@dataclass(frozen=True, kw_only=True)
class ChainState(State):
    target: int
    strict: bool

    @cached_property
    def chain(self) -> list[int]:
        """The numbers that stand: the one that broke the rules is in the record only."""
        broken = self.result is not None and self.result.reason == "invalid_move"
        return [1, *(int(move.text) for move in self.moves[: -1 if broken else None])]


class Chain(Game[ChainState]):
    id = "chain"
    title = "Number Chain"
    summary = "Stretch a rising chain to its target length without a false step."
    rules = (
        "The chain starts with 1. Take turns adding a whole number that is greater than the last "
        "and is a multiple of it or shares a digit with it. Whoever makes the chain as long as "
        "its target wins. Careful: a number that breaks these rules loses the game at once."
    )
    options = (
        Option("target", 10, (3, 30), "how many numbers make the chain complete"),
        Option("strict", True, None, "whether a number that breaks the rules loses the game"),
    )
    presets = (
        Preset("classic", rated=True, options={}),
        Preset("marathon", rated=True, options={"target": 25}),
    )
    state = ChainState

    def start(self, options: Mapping[str, object], first: Seat) -> ChainState:
        values = self.resolve(options)
        return ChainState(turn=first, target=values["target"], strict=bool(values["strict"]))

    def read(self, text: str) -> str:
        return read_number(text, "That is not a whole number: type digits only, such as 14.")

    def legal_moves(self, state: ChainState) -> None:
        return None

    def play(self, state: ChainState, text: str) -> ChainState:
        number, seat = self.read(text), mover(state)
        limit = _limit(state)
        if int(number) > limit:
            raise IllegalMove(f"{number} is too large: at most {limit} keeps the chain playable.")
        objection = _objection(state.chain[-1], int(number))
        if objection and not state.strict:
            raise IllegalMove(f"{objection}.")
        if objection:
            return finish(record(state, seat, number), other(seat), "invalid_move", objection)
        chain = [*state.chain, int(number)]
        state = record(state, seat, number, turn=other(seat), chain=chain)
        if len(state.chain) == state.target:
            return finish(state, seat, "target_length", f"The chain is {state.target} numbers long")
        return state

    def describe(self, played: Played) -> str:
        return f"{player(played.seat)} adds {played.text}."

    def view(self, state: ChainState) -> View:
        chain = state.chain
        notes = [f"The chain is {len(chain)} of {state.target} numbers long."]
        if state.turn is not None:
            notes.append(f"The next number may be at most {_limit(state)}.")
        return {
            "stacks": [{"label": "Chain", "owner": None, "items": list(chain), "note": ""}],
            "supplies": [],
            "prompt": _prompt(state, chain[-1]),
            "notes": notes,
        }


def _limit(state: ChainState) -> int:
    return LARGEST >> (state.target - len(state.chain) - 1)


def _objection(last: int, number: int) -> str | None:
    """Which rule the number breaks; None if it breaks none."""
    if number <= last:
        return f"{number} is not greater than {last}"
    if number % last and not set(str(number)) & set(str(last)):
        return f"{number} is not a multiple of {last} and shares no digit with it"
    return None


def _prompt(state: ChainState, last: int) -> str:
    if state.turn is None:
        return ""
    ask = f"Add a number greater than {last} that is a multiple of it or shares a digit with it."
    return f"{ask} A number that breaks this loses." if state.strict else ask
