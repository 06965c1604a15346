"""A room to test with: Ann opens it, Bob joins, and time passes when a test says so."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from towerhall_server.games import Seat, game
from towerhall_server.match import machine
from towerhall_server.match.actions import Action, Move, Resign, Sit, Tick
from towerhall_server.match.clock import Clock
from towerhall_server.match.happenings import AnyHappening
from towerhall_server.match.machine import Change
from towerhall_server.match.repeats import Repeat, repeats
from towerhall_server.match.state import Match, Record, Settings, Sitter

ANN, BOB, EVE = "ann-0123456789ab", "bob-0123456789ab", "eve-0123456789ab"
PLAYERS = (ANN, BOB)
NOW = 1_750_000_000_000
BLITZ = Clock(180_000, 2_000)


class Line(NamedTuple):
    """What the log has of one happening."""

    seq: int
    at_ms: int
    happening: AnyHappening


class Table:
    """The match as it is now, its log and its records: what a store would keep of the room."""

    def __init__(self, opened: Change) -> None:
        self.now = NOW
        self.log: list[Line] = []
        self.records: list[Record] = []
        self.match: Match = opened.match
        self.keep(opened)

    def wait(self, ms: int) -> "Table":
        self.now += ms
        return self

    def ask(self, action: Action) -> Change | Repeat:
        """What the machine makes of it; nothing is kept."""
        return machine.decide(self.match, action, self.now)

    def do(self, action: Action) -> Change:
        """Carry out what changes the match."""
        change = self.ask(action)
        assert isinstance(change, Change), f"{action} changed nothing"
        self.keep(change)
        return change

    def keep(self, change: Change) -> None:
        self.match = change.match
        for happened in change.happened:
            self.log.append(Line(len(self.log) + 1, self.now, happened))
        if change.record:
            self.records.append(change.record)

    def ask_again(self, action: Action) -> Repeat | None:
        """What became of it in a round that is gone from the board."""
        round_ = getattr(action, "round", None)
        return next((repeats(r, action) for r in self.records if r.round == round_), None)

    def next_move(self, text: str, credit_ms: int = 0) -> Move:
        """The move of whoever is to move."""
        match = self.match
        ply = len(match.position.moves)
        return Move(PLAYERS[match.position.turn], match.round, ply, text, credit_ms)

    def move(self, text: str, credit_ms: int = 0) -> Change:
        return self.do(self.next_move(text, credit_ms))

    def play(self, texts: str) -> "Table":
        for text in texts.split():
            self.move(text)
        return self

    def win(self, winner: Seat) -> Change:
        """End the round for this seat: the other one resigns."""
        return self.do(Resign(PLAYERS[1 - winner], self.match.round))

    def next_round(self) -> Change:
        assert self.match.next_ms is not None, "no round is to come"
        self.now = self.match.next_ms
        return self.do(Tick())


def opened(
    game_id: str = "strangers",
    options: Mapping[str, object] | None = None,
    *,
    clock: Clock | None = BLITZ,
    rounds: int = 1,
    first: Seat = 0,
    **settings: Any,
) -> Table:
    """A room in which Ann waits."""
    values: dict[str, Any] = {"preset": "classic", "listed": False} | settings
    agreed = Settings(
        game=game_id,
        options=game(game_id).resolve(options or {}),
        clock=clock,
        rounds=rounds,
        **values,
    )
    change = machine.create(
        "0123456789abcdef", "K7Q2MX", agreed, (Sitter(ANN, "ann"), None), first, NOW
    )
    return Table(change)


def seated(
    game_id: str = "strangers", options: Mapping[str, object] | None = None, **kw: Any
) -> Table:
    """Ann and Bob, and the first round has just started."""
    table = opened(game_id, options, **kw)
    table.do(Sit(BOB, "bob"))
    return table


def small_duel(**kw: Any) -> Table:
    """Three tiles and two towers: passes are forced soon."""
    return seated("duel", {"tiles": 3, "towers": 2}, **kw)
