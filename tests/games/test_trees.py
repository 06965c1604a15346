"""Whole trees of the small games: how many positions there are, and who wins with best play."""

from collections import Counter
from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import pytest

from games.solver import Key, layers, positions, winning_openings
from towerhall_server.games import Options, game


def top(state: Any) -> int | None:
    return state.tower[-1] if state.tower else None


def strangers_key(state: Any) -> Hashable:
    return len(state.tower), top(state)


def relatives_key(state: Any) -> Hashable:
    return state.turn, top(state), frozenset(state.tower)


def duel_key(state: Any) -> Hashable:
    """The names of the towers do not matter, so neither does their order."""
    return state.turn, state.hands, tuple(sorted(state.towers))


def builder_key(state: Any) -> Hashable:
    stock = tuple(state.stocks[0].values())
    return state.turn, tuple(state.heights), tuple(map(len, state.towers)), stock


KEYS: dict[str, Key] = {
    "strangers": strangers_key,
    "relatives": relatives_key,
    "duel": duel_key,
    "builder": builder_key,
}


@pytest.mark.parametrize(
    ("game_id", "options", "counts"),
    [
        ("strangers", {"pool": 5, "copies": 1}, [1, 5, 10, 16, 12]),
        (
            "strangers",
            {"pool": 6, "copies": 1, "one_may_open": False},
            [1, 5, 14, 28, 34, 20],
        ),
        ("relatives", {}, [1, 9, 28, 94, 182, 232, 196, 104, 16]),
        ("relatives", {"even_opening": True}, [1, 4, 13, 49, 103, 133, 104, 50, 4]),
        ("duel", {"tiles": 3, "towers": 2}, [1, 6, 24, 50, 64, 54, 24, 24, 16]),
        (
            "duel",
            {"tiles": 4, "towers": 2},
            [1, 8, 44, 134, 274, 354, 292, 206, 140, 156, 180, 180, 120],
        ),
        ("builder", {"target": 6}, [1, 5, 25, 75, 150, 200, 200, 150, 75, 30, 6]),
        ("builder", {"target": 6, "shared": True}, [1, 5, 24, 73, 150, 199, 196, 141, 27]),
        (
            "builder",
            {"target": 8, "shared": True},
            [1, 5, 24, 103, 387, 964, 1793, 2332, 2109, 1109],
        ),
    ],
)
def test_the_tree_has_this_many_nodes_at_each_depth(
    game_id: str, options: Options, counts: list[int]
) -> None:
    assert layers(game(game_id), options) == counts


@pytest.mark.parametrize(
    ("game_id", "options", "openings"),
    [
        pytest.param("relatives", {}, "5 7", id="relatives-classic"),
        pytest.param("relatives", {"even_opening": True}, "", id="relatives-even-opening"),
        pytest.param("duel", {}, "1A 1B 1C 2A 2B 2C", id="duel-classic"),
        pytest.param("builder", {"shared": True}, "4 5", id="builder-quarry"),
    ],
)
def test_whoever_begins_wins_with_exactly_these_openings(
    game_id: str, options: Options, openings: str
) -> None:
    assert winning_openings(game(game_id), options, KEYS[game_id]) == openings.split()


@pytest.mark.parametrize(
    ("game_id", "options", "going_on", "over"),
    [
        pytest.param(
            "strangers", {}, 785, {"no_moves": 1, "tower_full": 8}, id="strangers-classic"
        ),
        pytest.param("relatives", {}, 275, {"no_moves": 130}, id="relatives-classic"),
        pytest.param(
            "duel",
            {},
            6429,
            {"hand_empty": 691, "fewer_tiles": 714, "lower_sum": 559},
            id="duel-classic",
        ),
        pytest.param(
            "builder",
            {"shared": True},
            5111,
            {"target_height": 47, "taller": 15},
            id="builder-quarry",
        ),
    ],
)
def test_there_are_this_many_different_positions(
    game_id: str, options: Options, going_on: int, over: dict[str, int]
) -> None:
    found = positions(game(game_id), options, KEYS[game_id])
    reasons = Counter(state.result.reason for state in found if state.result)
    assert len(found) == going_on + reasons.total()
    assert dict(reasons) == over


def test_the_second_player_never_wins_the_strangers_of_the_book() -> None:
    """A 1 can only open; after it, or at the 99th number, the player who began has moved last."""
    found = positions(game("strangers"), {}, strangers_key)
    assert {state.result.winner for state in found if state.result} == {0}
    assert {len(state.moves) for state in found if state.result} == {1, 99}


@pytest.mark.parametrize("pool", range(4, 100))
def test_every_stranger_from_2_up_can_be_followed(pool: int) -> None:
    strangers = game("strangers")
    start = strangers.start({"pool": pool}, 0)
    stuck = [n for n in range(1, pool + 1) if strangers.outcome(strangers.play(start, str(n)))]
    assert stuck == [1]


def test_a_duel_has_sudden_death_at_most_once() -> None:
    """All placements after it rise on one tower by turns, so the hands cannot be equal again."""
    duel = game("duel")

    def key(state: Any) -> Hashable:
        return duel_key(state), sudden_deaths(state)

    def sudden_deaths(state: Any) -> int:
        passes = [entry.forced for entry in state.moves]
        return sum(both == (True, True) for both in pairwise(passes)) - bool(state.result)

    reached = [state for state in positions(duel, {}, key) if not state.result]
    assert {sudden_deaths(state) for state in reached} == {0, 1}
