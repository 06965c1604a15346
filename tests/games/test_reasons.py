"""Every way in which each game can end, and the sudden death of the duel."""

import pytest

from games.assertions import (
    assert_refused,
    assert_to_move,
    assert_won,
    items,
    played,
    played_on,
    recorded,
)
from towerhall_server.games import Seat, game

DUEL = game("duel")
FULL = " ".join(["2 3"] * 49 + ["2"])

ENDINGS: list[tuple[str, dict[str, object], str, Seat, str, str]] = [
    ("strangers", {}, "1", 0, "no_moves", "Player 2 has no number to place on 1"),
    ("strangers", {}, FULL, 0, "tower_full", "The tower is full at 99 numbers"),
    (
        "strangers",
        {"pool": 5, "copies": 1},
        "2 5 3 4",
        1,
        "no_moves",
        "Player 1 has no number to place on 4",
    ),
    ("relatives", {}, "7 1 5", 0, "no_moves", "Player 2 has no block to place on 5"),
    ("relatives", {}, "1 5", 1, "no_moves", "Player 1 has no block to place on 5"),
    (
        "duel",
        {},
        "2A 1B 3A 2B 4A 3B 5A 4B 1C",
        0,
        "hand_empty",
        "Player 1 has placed every tile",
    ),
    (
        "duel",
        {},
        "4B 5A 5C",
        0,
        "fewer_tiles",
        "Nobody can place, with 3 against 4 tiles left",
    ),
    (
        "duel",
        {},
        "4C 3B 5A 5B",
        0,
        "lower_sum",
        "Nobody can place, and tiles worth 6 are less than 7",
    ),
    ("chain", {"target": 3}, "2 4", 1, "target_length", "The chain is 3 numbers long"),
    ("chain", {}, "2 2", 0, "invalid_move", "2 is not greater than 2"),
    ("chain", {}, "0", 1, "invalid_move", "0 is not greater than 1"),
    ("builder", {"target": 8}, "3 1 5", 0, "target_height", "The tower is 8 high"),
    (
        "builder",
        {"shared": True},
        "4 2 4 1 2 5 2 3 1 2 1 1 3 3 1",
        0,
        "taller",
        "Nobody can place a block, and 18 is taller than 17",
    ),
    (
        "builder",
        {"shared": True, "target": 8},
        "1 1 1 1 1 5 4",
        1,
        "fewer_blocks",
        "Both towers are 7 high, and 3 blocks are fewer than 4",
    ),
    (
        "builder",
        {},
        "5 1 3 3 1 4 3 1 1 5 3 2 1 1 1 1 1 1",
        1,
        "last_block",
        "Both towers are 19 high with 9 blocks, and Player 2 placed the last",
    ),
]


@pytest.mark.parametrize(
    ("game_id", "options", "moves", "winner", "reason", "why"),
    ENDINGS,
    ids=[f"{ending[0]}-{ending[4]}-{ending[3]}" for ending in ENDINGS],
)
def test_a_game_ends_for_this_reason(
    game_id: str, options: dict[str, object], moves: str, winner: Seat, reason: str, why: str
) -> None:
    one = game(game_id)
    text = f"{why}: Player {winner + 1} wins."
    assert_won(one, played(one, moves, options), winner, reason, text)


def test_the_winner_goes_with_the_seat_that_began() -> None:
    for game_id, options, moves, winner, reason, _ in ENDINGS:
        one = game(game_id)
        outcome = one.outcome(played(one, moves, options, first=1))
        assert outcome and (outcome.winner, outcome.reason) == (1 - winner, reason)


def test_the_strangers_tower_takes_its_99th_number_and_no_more() -> None:
    strangers = game("strangers")
    state = played(strangers, FULL.removesuffix(" 2"))
    assert_to_move(strangers, state, 0)
    state = played_on(strangers, state, "2")
    over = "The game is over: The tower is full at 99 numbers: Player 1 wins."
    assert_refused(strangers, state, "3", over)


def test_the_last_copy_of_a_stranger_is_told_from_its_relatives() -> None:
    strangers = game("strangers")
    state = played(strangers, "2 3 2 3", {"copies": 2})
    assert_refused(strangers, state, "9", "9 is a multiple of 3.")
    state = played_on(strangers, state, "5")
    assert_refused(strangers, state, "3", "3 is already in the tower twice.")
    state = played(strangers, "2 3", {"copies": 1})
    assert_refused(strangers, state, "2", "2 is already in the tower.")
    state = strangers.start({"one_may_open": False}, 0)
    assert_refused(strangers, state, "1", "1 may not open the tower in this game.")


def test_an_even_opening_of_the_relatives_bars_odd_blocks_once() -> None:
    relatives = game("relatives")
    state = relatives.start({"even_opening": True}, 0)
    assert_to_move(relatives, state, 0, "2 4 6 8")
    assert_refused(relatives, state, "5", "5 is odd, and the first block must be even.")
    assert_to_move(relatives, played_on(relatives, state, "6"), 1, "1 2 3")


def test_a_builder_without_a_fitting_block_passes_while_the_other_goes_on() -> None:
    builder = game("builder")
    state = played(builder, "1 1 1 1 5 1", {"shared": True, "target": 8})
    assert recorded(builder, state) == "1 1 1 1 5 1 pass"
    assert builder.moves(state)[-1] == (0, "pass", True)
    assert_to_move(builder, state, 1, "2 3 4")
    assert_refused(builder, state, "1", "No size 1 block is left.")


def test_sudden_death_begins_with_the_player_who_placed_last() -> None:
    state = played(DUEL, "1C 3C 4A 2B 5B 5C")
    assert recorded(DUEL, state).endswith("5C pass pass")
    assert [move.seat for move in DUEL.moves(state)[-3:]] == [1, 0, 1]
    assert_to_move(DUEL, state, 1, "xA xB xC")
    higher = "4 is not higher than 5, the top of tower B."
    advice = "Nobody can place: take a top tile instead, such as xB."
    assert_refused(DUEL, state, "4B", f"{higher} {advice}")
    assert_refused(DUEL, state, "xD", "There is no tower D: the towers are A to C.")


def test_sudden_death_ends_with_a_forced_pass_if_only_the_taker_can_place() -> None:
    state = played(DUEL, "1C 3C 4A 2B 5B 5C xC")
    assert recorded(DUEL, state).endswith("xC pass")
    assert items(DUEL, state, stack=2) == [1, 3]
    assert_to_move(DUEL, state, 1, "4C")
    assert_refused(DUEL, state, "xC", "Tiles are taken off only when nobody can place one.")


def test_sudden_death_ends_without_a_pass_if_the_opponent_can_place() -> None:
    state = played(DUEL, "5C 4B 4A 5A xB")
    assert recorded(DUEL, state).endswith("pass pass xB")
    assert_to_move(DUEL, state, 0, "1B 2B 3B")


def test_both_players_take_tiles_in_turn_until_one_can_be_placed() -> None:
    state = played(DUEL, "5A 4B 4C 5B")
    assert_to_move(DUEL, state, 1, "xA xB xC")
    state = played_on(DUEL, state, "xB")
    assert_to_move(DUEL, state, 0, "xA xB xC")
    state = played_on(DUEL, state, "xC")
    assert recorded(DUEL, state).endswith("pass pass xB xC")
    assert_to_move(DUEL, state, 1, "1C 2C 3C")


def test_the_hands_are_compared_again_after_sudden_death() -> None:
    text = "Nobody can place, with 2 against 3 tiles left: Player 1 wins."
    assert_won(DUEL, played(DUEL, "5C 4B 4A 5A xB 3B"), 0, "fewer_tiles", text)
    text = "Nobody can place, and tiles worth 3 are less than 4: Player 2 wins."
    assert_won(DUEL, played(DUEL, "5C 4A 4B 5A xC 2C 3C"), 1, "lower_sum", text)


def test_the_last_tile_wins_after_sudden_death_too() -> None:
    text = "Player 1 has placed every tile: Player 1 wins."
    state = played(DUEL, "1A 2C 5A 1B 4C 5C 2B 4B xA 3A")
    assert_won(DUEL, state, 0, "hand_empty", text)


def test_a_tower_emptied_in_sudden_death_takes_any_tile() -> None:
    state = played(DUEL, "3A 3B xA", {"tiles": 3, "towers": 2})
    assert_to_move(DUEL, state, 0, "1A 2A")


def test_tiles_that_a_player_does_not_hold_are_refused_in_sudden_death_too() -> None:
    state = played(DUEL, "3A 3B", {"tiles": 3, "towers": 2})
    assert_refused(DUEL, state, "4A", "There is no tile 4: the tiles are 1 to 3.")
    assert_refused(DUEL, state, "3A", "Tile 3 is no longer in your hand.")
