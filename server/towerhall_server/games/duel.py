"""Number Tower Duel.

Each player holds tiles 1 to `tiles`, open to all, and places them on shared towers A, B, C …: a
tile goes on an empty tower or on a lower top. Placing the last tile of a hand wins at once. A
player who cannot place passes. When both pass in a row, fewer tiles left wins, then the lower sum
of the tiles left, and if that is equal too there is sudden death.

Sudden death: beginning with whoever placed last, the players in turn take the top tile off a
tower, out of the game. As soon as anybody could place a tile again, play goes on with the
opponent of the player who took one. Every action uses up a tile, so it ends.

A move is tile and tower, `3A`; in sudden death `x` and the tower, `xB`.
"""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from towerhall_server.games.base import (
    PASS,
    BadOptions,
    Game,
    IllegalMove,
    Option,
    Options,
    Played,
    Preset,
    Seat,
    State,
    UnreadableMove,
    View,
    finish,
    handed,
    mover,
    other,
    player,
    record,
)

MOVE = re.compile(r"(?:x|[0-9]{1,32})[a-z]", re.IGNORECASE | re.ASCII)
TAKE = "x"
LABELS = "ABCDEF"
Tiles = tuple[int, ...]
SEATS: tuple[Seat, Seat] = (0, 1)


@dataclass(frozen=True, kw_only=True)
class DuelState(State):
    tiles: int
    hands: tuple[Tiles, Tiles]
    towers: tuple[Tiles, ...]

    @property
    def labels(self) -> str:
        return LABELS[: len(self.towers)]

    @cached_property
    def placements(self) -> list[list[str]]:
        """Every placement that each player could make."""
        tops = [
            (label, tower[-1] if tower else 0)
            for label, tower in zip(self.labels, self.towers, strict=True)
        ]
        return [
            [f"{tile}{label}" for tile in hand for label, top in tops if tile > top]
            for hand in self.hands
        ]

    @property
    def placed_last(self) -> Seat:
        return next(m.seat for m in reversed(self.moves) if not m.forced and m.text[0] != TAKE)


class Duel(Game[DuelState]):
    id = "duel"
    title = "Number Tower Duel"
    summary = "Empty your hand of tiles onto three shared towers, each rising."
    rules = (
        "Take turns placing one of your tiles on an empty tower or on a lower tile; 3A puts tile "
        "3 on tower A. Whoever places their last tile wins. If you cannot place, you pass. When "
        "both pass in a row, fewer tiles left wins, then the lower sum of them. If that is equal "
        "too: take the top tile off any tower (xB) in turn, whoever placed last begins, until "
        "somebody can place again."
    )
    options = (
        Option("tiles", 5, (3, 9), "the highest tile of a hand"),
        Option("towers", 3, (2, 6), "how many towers there are; fewer than tiles"),
    )
    presets = (
        Preset("classic", rated=True, options={}),
        Preset("grand", rated=True, options={"tiles": 7, "towers": 4}),
    )
    state = DuelState

    def resolve(self, given: Mapping[str, object], preset: str = "classic") -> Options:
        values = super().resolve(given, preset)
        tiles, most = values["tiles"], min(6, values["tiles"] - 1)
        if values["towers"] > most:
            raise BadOptions("towers", f"towers must be from 2 to {most} with {tiles} tiles.")
        return values

    def start(self, options: Mapping[str, object], first: Seat) -> DuelState:
        values = self.resolve(options)
        hand = tuple(range(1, values["tiles"] + 1))
        towers: tuple[Tiles, ...] = ((),) * values["towers"]
        return DuelState(turn=first, tiles=values["tiles"], hands=(hand, hand), towers=towers)

    def read(self, text: str) -> str:
        text = text.strip(string.whitespace)
        if not MOVE.fullmatch(text):
            raise UnreadableMove("That is not a move: type tile and tower, such as 3A.")
        tile, tower = text[:-1].lower(), text[-1].upper()
        return (tile if tile == TAKE else tile.lstrip("0") or "0") + tower

    def legal_moves(self, state: DuelState) -> list[str]:
        return [] if state.turn is None else list(state.placements[state.turn]) or _takings(state)

    def play(self, state: DuelState, text: str) -> DuelState:
        move, seat = self.read(text), mover(state)
        if objection := _objection(state, seat, move):
            raise IllegalMove(objection)
        tile, tower = move[:-1], state.labels.index(move[-1])
        if tile == TAKE:
            towers = _with_tower(state, tower, state.towers[tower][:-1])
            state = record(state, seat, move, towers=towers)
            if not any(state.placements):
                return handed(state, other(seat))
        else:
            towers = _with_tower(state, tower, (*state.towers[tower], int(tile)))
            hands = _without_tile(state, seat, int(tile))
            state = record(state, seat, move, hands=hands, towers=towers)
            if not state.hands[seat]:
                return finish(state, seat, "hand_empty", f"{player(seat)} has placed every tile")
        for following in (other(seat), seat):
            if state.placements[following]:
                return handed(state, following)
            state = record(state, following, PASS, forced=True)
        return _compare(state)

    def describe(self, played: Played) -> str:
        who, tile, tower = player(played.seat), played.text[:-1], played.text[-1]
        if played.forced:
            return f"{who} cannot place a tile and passes."
        if tile == TAKE:
            return f"{who} takes the top tile off tower {tower}."
        return f"{who} places {tile} on tower {tower}."

    def view(self, state: DuelState) -> View:
        return {
            "stacks": [
                {"label": label, "owner": None, "items": list(tower), "note": ""}
                for label, tower in zip(state.labels, state.towers, strict=True)
            ],
            "supplies": [
                {
                    "label": f"{player(seat)}'s tiles",
                    "owner": seat,
                    "items": [{"value": tile, "count": 1} for tile in state.hands[seat]],
                }
                for seat in SEATS
            ],
            "prompt": _prompt(state),
            "notes": [],
        }


def _objection(state: DuelState, seat: Seat, move: str) -> str | None:
    """Why the move cannot be made now; None if it can."""
    label = move[-1]
    if label not in state.labels:
        return f"There is no tower {label}: the towers are A to {state.labels[-1]}."
    tower, able = state.towers[state.labels.index(label)], state.placements[seat]
    if move[:-1] == TAKE:
        if able:
            return "Tiles are taken off only when nobody can place one."
        return None if tower else f"Tower {label} is empty: there is no tile to take."
    tile = int(move[:-1])
    if not 1 <= tile <= state.tiles:
        return f"There is no tile {tile}: the tiles are 1 to {state.tiles}."
    if tile not in state.hands[seat]:
        return f"Tile {tile} is no longer in your hand."
    if tower and tile <= tower[-1]:
        rescue = "" if able else f" Nobody can place: take a top tile instead, such as x{label}."
        return f"{tile} is not higher than {tower[-1]}, the top of tower {label}.{rescue}"
    return None


def _takings(state: DuelState) -> list[str]:
    return [TAKE + label for label, tower in zip(state.labels, state.towers, strict=True) if tower]


def _with_tower(state: DuelState, index: int, tower: Tiles) -> tuple[Tiles, ...]:
    return (*state.towers[:index], tower, *state.towers[index + 1 :])


def _without_tile(state: DuelState, seat: Seat, tile: int) -> tuple[Tiles, Tiles]:
    rest = tuple(held for held in state.hands[seat] if held != tile)
    return (state.hands[0], rest) if seat else (rest, state.hands[1])


def _compare(state: DuelState) -> DuelState:
    """Both have passed in a row: the better hand wins, equal hands go to sudden death."""
    counts, sums = [len(hand) for hand in state.hands], [sum(hand) for hand in state.hands]
    if counts[0] != counts[1]:
        winner: Seat = 0 if counts[0] < counts[1] else 1
        why = f"Nobody can place, with {min(counts)} against {max(counts)} tiles left"
        return finish(state, winner, "fewer_tiles", why)
    if sums[0] != sums[1]:
        winner = 0 if sums[0] < sums[1] else 1
        why = f"Nobody can place, and tiles worth {min(sums)} are less than {max(sums)}"
        return finish(state, winner, "lower_sum", why)
    return handed(state, state.placed_last)


def _prompt(state: DuelState) -> str:
    if state.turn is None:
        return ""
    if state.placements[state.turn]:
        return "Place a tile on an empty tower or on a lower tile: tile, then tower, such as 3A."
    return "Sudden death: take the top tile off a tower, such as xA."
