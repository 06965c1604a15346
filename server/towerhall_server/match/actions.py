"""What can be asked of a match, by whom. `machine.decide` carries each out."""

from typing import NamedTuple

from towerhall_server.lifetimes import USUAL, Lifetimes
from towerhall_server.match.state import Rating


class Sit(NamedTuple):
    player: str
    name: str
    rating: Rating | None = None


class Move(NamedTuple):
    player: str
    round: int
    ply: int
    text: str
    credit_ms: int = 0
    """The mover's measured round trip, given back up to the grace."""


class Resign(NamedTuple):
    player: str
    round: int


class Abort(NamedTuple):
    player: str
    round: int


class Claim(NamedTuple):
    player: str
    round: int
    away_since_ms: tuple[int | None, int | None]
    """Since when each seat is away; None for one that is here."""


class Rematch(NamedTuple):
    player: str
    round: int


class Say(NamedTuple):
    player: str
    name: str
    text: str


class Rate(NamedTuple):
    """A finished match was reckoned up: these were the ratings, and these they are, by seat."""

    match: int
    before: tuple[Rating, Rating]
    after: tuple[Rating, Rating]


class Tick(NamedTuple):
    """Time has passed: whatever is due is done."""

    keep: Lifetimes = USUAL


Ending = Resign | Abort | Claim
Action = Sit | Move | Ending | Rematch | Say | Rate | Tick
