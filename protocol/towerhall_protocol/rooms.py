"""The nouns that the server's messages carry.

Nothing here forbids unknown fields: a client must live with a server that is newer than itself.
"""

from typing import Literal

from msgspec import Struct

from towerhall_protocol.limits import SeatNumber, Whole

Score = tuple[Whole, Whole]
Options = dict[str, bool | Whole]
Status = Literal["open", "live", "over"]


class Noun(Struct, frozen=True):
    """A part of a message; it has no `type` of its own."""


class Player(Noun, frozen=True, kw_only=True):
    id: str
    name: str


class Rating(Noun, frozen=True, kw_only=True):
    """How strong a player is at one game, and how sure of that the hall is."""

    value: Whole
    deviation: Whole
    provisional: bool
    matches: Whole


class Server(Noun, frozen=True, kw_only=True):
    version: str
    node: str


class HeldSeat(Noun, frozen=True, kw_only=True):
    """A seat of the player who said hello, in a room that is not over."""

    room: str
    seat: SeatNumber


class OptionInfo(Noun, frozen=True, kw_only=True):
    name: str
    type: Literal["int", "bool"]
    default: bool | Whole
    range: tuple[Whole, Whole] | None
    help: str


class PresetInfo(Noun, frozen=True, kw_only=True):
    name: str
    rated: bool
    options: Options


class GameInfo(Noun, frozen=True, kw_only=True):
    id: str
    title: str
    summary: str
    rules: str
    options: list[OptionInfo]
    presets: list[PresetInfo]


class Clock(Noun, frozen=True, kw_only=True):
    """How much time the players are given."""

    initial_ms: Whole
    increment_ms: Whole


class Clocks(Noun, frozen=True, kw_only=True):
    """How much time the players have left, as it was at `at_ms`."""

    remaining_ms: tuple[Whole, Whole]
    running: SeatNumber | None
    at_ms: Whole


class Seat(Noun, frozen=True, kw_only=True):
    player: str
    name: str
    rating: Rating | None
    online: bool
    away_since_ms: Whole | None


class SeatPresence(Noun, frozen=True, kw_only=True):
    online: bool
    away_since_ms: Whole | None


class Stack(Noun, frozen=True, kw_only=True):
    label: str
    owner: SeatNumber | None
    items: list[Whole]
    note: str


class SupplyItem(Noun, frozen=True, kw_only=True):
    value: Whole
    count: Whole


class Supply(Noun, frozen=True, kw_only=True):
    label: str
    owner: SeatNumber | None
    items: list[SupplyItem]


class View(Noun, frozen=True, kw_only=True):
    """What is on the table, drawable without knowing the game."""

    stacks: list[Stack]
    supplies: list[Supply]
    prompt: str
    notes: list[str]


class MoveMade(Noun, frozen=True, kw_only=True):
    ply: Whole
    seat: SeatNumber
    move: str
    forced: bool


class Result(Noun, frozen=True, kw_only=True):
    winner: SeatNumber | None
    reason: str
    text: str


class Frame(Noun, frozen=True, kw_only=True):
    """One step of a record. The first is the table before any move: its move is null."""

    ply: Whole | None
    seat: SeatNumber | None
    move: str | None
    forced: bool
    text: str
    view: View
    clocks: Clocks | None
