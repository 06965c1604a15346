"""What every game is: a pure set of functions over immutable states.

A state is a frozen dataclass of plain values. Nothing here reads a clock, rolls dice or knows
of rooms; whoever holds a state can play it on, store it as plain data and bring it back.

Errors, all with a sentence for a person:

    GameError
    ├── NoSuchGame
    ├── BadOptions       names the option
    ├── UnreadableMove   the text is no move of this game
    └── IllegalMove      the text is a move, and the rules forbid it here
"""

import re
import string
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypedDict, TypeVar

Seat = Literal[0, 1]
Options = dict[str, int | bool]
"""Resolved options: a value for every name (a bool where the option is a yes or no)."""

PASS = "pass"  # noqa: S105 - a move, not a secret
DIGITS = re.compile(r"[0-9]{1,32}")
NAME = re.compile(r"[a-z_]{1,32}")


class GameError(Exception):
    """What a game refuses, in one sentence."""


class NoSuchGame(GameError):
    pass


class BadOptions(GameError):
    def __init__(self, option: str, sentence: str) -> None:
        super().__init__(sentence)
        self.option = option


class UnreadableMove(GameError):
    pass


class IllegalMove(GameError):
    pass


class Outcome(NamedTuple):
    """How a game ended. No game of the hall is drawn by its rules."""

    winner: Seat
    reason: str
    text: str


class Played(NamedTuple):
    """One entry of a game's record; a forced pass is an entry like any other."""

    seat: Seat
    text: str
    forced: bool = False


class Stack(TypedDict):
    label: str
    owner: Seat | None
    items: list[int]
    note: str


class SupplyItem(TypedDict):
    value: int
    count: int


class Supply(TypedDict):
    label: str
    owner: Seat | None
    items: list[SupplyItem]


class View(TypedDict):
    """A scene that a client draws without knowing the game."""

    stacks: list[Stack]
    supplies: list[Supply]
    prompt: str
    notes: list[str]


@dataclass(frozen=True)
class Option:
    """One thing that can be set; a whole number within `range`, or a yes or no without one."""

    name: str
    default: int
    range: tuple[int, int] | None
    help: str

    @property
    def type(self) -> Literal["int", "bool"]:
        return "int" if self.range else "bool"

    def check(self, value: object) -> int:
        if self.range is None:
            if isinstance(value, bool):
                return value
            raise BadOptions(self.name, f"{self.name} must be true or false.")
        low, high = self.range
        if type(value) is int and low <= value <= high:
            return value
        raise BadOptions(self.name, f"{self.name} must be a whole number from {low} to {high}.")


@dataclass(frozen=True)
class Preset:
    """Named options. A rated preset is one that neither seat wins by beginning."""

    name: str
    rated: bool
    options: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class State:
    """What all states have. `turn` is None exactly when there is a `result`.

    A game adds fields of numbers, texts and (nested) tuples of them: they are its data. What
    follows from the fields is a cached property, worked out once for a state.
    """

    turn: Seat | None
    moves: tuple[Played, ...] = ()
    result: Outcome | None = None

    worked_out: ClassVar[tuple[str, ...]] = ()
    """The names of its cached properties."""

    def __init_subclass__(cls) -> None:
        cls.worked_out = tuple(
            name for name in dir(cls) if isinstance(getattr(cls, name), cached_property)
        )


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """One game. A subclass fills in the texts, the options and the abstract methods."""

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    rules: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    presets: ClassVar[tuple[Preset, ...]]
    state: type[S]

    @abstractmethod
    def start(self, options: Mapping[str, object], first: Seat) -> S:
        """The position before the first move; `options` override the defaults."""

    @abstractmethod
    def read(self, text: str) -> str:
        """The canonical form of a move, or UnreadableMove."""

    @abstractmethod
    def legal_moves(self, state: S) -> list[str] | None:
        """Every move that `play` would take, in order; None where they are too many to list."""

    @abstractmethod
    def play(self, state: S, text: str) -> S:
        """The position after the move of the player to move, and after the passes it forces."""

    @abstractmethod
    def describe(self, played: Played) -> str:
        """One line for people about an entry of the record."""

    @abstractmethod
    def view(self, state: S) -> View:
        """The scene to draw."""

    def to_move(self, state: S) -> Seat | None:
        return state.turn

    def outcome(self, state: S) -> Outcome | None:
        return state.result

    def moves(self, state: S) -> list[Played]:
        return list(state.moves)

    def preset(self, name: str) -> Preset:
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = " and ".join(preset.name for preset in self.presets)
        raise BadOptions("preset", f"{self.title} has no such preset; it has {names}.")

    def resolve(self, given: Mapping[str, object], preset: str = "classic") -> Options:
        """The value of every option: what is given, else the preset's, else the default."""
        named = self.preset(preset).options
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                shown = name if NAME.fullmatch(name) else "of that name"
                raise BadOptions(
                    name, f"{self.title} has no option {shown}; it has {', '.join(known)}."
                )
        return {
            name: option.check(given.get(name, named.get(name, option.default)))
            for name, option in known.items()
        }

    def from_data(self, data: Mapping[str, Any]) -> S:
        """The state again, from its fields as an encoder made them plain (tuples as lists)."""
        values = {name: data[name] for name in self.state.__dataclass_fields__ if name in data}
        moves, result = values.pop("moves"), values.pop("result")
        return self.state(
            moves=tuple(Played(*move) for move in moves),
            result=result and Outcome(*result),
            **{name: _frozen(value) for name, value in values.items()},
        )


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def other(seat: Seat) -> Seat:
    return 0 if seat else 1


def player(seat: Seat) -> str:
    return "Player 2" if seat else "Player 1"


def mover(state: State) -> Seat:
    """The seat to move; nobody may move in a finished game."""
    if state.result:
        raise IllegalMove(f"The game is over: {state.result.text}")
    assert state.turn is not None  # noqa: S101 - the invariant of State
    return state.turn


def changed(state: S, **changes: Any) -> S:
    """What dataclasses.replace makes, in a fraction of its time: every move needs two or three."""
    values = state.__dict__ | changes
    for name in state.worked_out:
        if name not in changes:
            values.pop(name, None)
    return _made(type(state), values)


def handed(state: S, seat: Seat) -> S:
    """The same position with that seat to move: what was worked out for it still holds."""
    return _made(type(state), state.__dict__ | {"turn": seat})


def _made(kind: type[S], values: dict[str, Any]) -> S:
    new = object.__new__(kind)
    object.__setattr__(new, "__dict__", values)
    return new


def record(state: S, seat: Seat, text: str, *, forced: bool = False, **changes: Any) -> S:
    """The state with one more entry in its record, and with the changes that come with it.

    A change may be a field, or a cached property that follows from the move as well.
    """
    return changed(state, moves=(*state.moves, Played(seat, text, forced)), **changes)


def finish(state: S, winner: Seat, reason: str, why: str) -> S:
    """End the game; `why` is the part of the sentence before the winner's name."""
    text = f"{why}: {player(winner)} wins."
    return changed(state, turn=None, result=Outcome(winner, reason, text))


def read_number(text: str, unreadable: str) -> str:
    """Digits without leading zeros, or UnreadableMove with the game's sentence."""
    text = text.strip(string.whitespace)
    if not DIGITS.fullmatch(text):
        raise UnreadableMove(unreadable)
    return text.lstrip("0") or "0"
