"""The example games of the five rule books, move by move, as the rulings have them."""

from games.assertions import (
    assert_refused,
    assert_to_move,
    assert_unreadable,
    assert_won,
    items,
    played,
    played_on,
    supply,
)
from towerhall_server.games import Seat, game

STRANGERS = game("strangers")
RELATIVES = game("relatives")
DUEL = game("duel")
CHAIN = game("chain")
BUILDER = game("builder")
SEATS: tuple[Seat, Seat] = (0, 1)


def test_the_strangers_example_is_followed_to_its_ninth_number() -> None:
    state = STRANGERS.start({}, 0)
    numbers = [5, 3, 4, 7, 2, 9, 5, 6, 9]
    for ply, number in enumerate(numbers):
        assert_to_move(STRANGERS, state, SEATS[ply % 2])
        state = STRANGERS.play(state, str(number))
        assert items(STRANGERS, state) == numbers[: ply + 1]
    assert_to_move(STRANGERS, state, 1, "2 4 5 6 7 8")


def test_the_strangers_example_has_its_false_attempts_refused() -> None:
    state = played(STRANGERS, "5 3 4 7 2")
    assert_refused(STRANGERS, state, "6", "6 is a multiple of 2.")
    state = played_on(STRANGERS, state, "9")
    assert_refused(STRANGERS, state, "1", "1 is a divisor of 9.")
    state = played_on(STRANGERS, state, "5")
    assert_refused(STRANGERS, state, "10", "10 is outside 1 to 9.")
    own = "5 is on top already, and is both a divisor and a multiple of itself."
    assert_refused(STRANGERS, state, "5", own)
    state = played_on(STRANGERS, state, "6")
    assert_refused(STRANGERS, state, "2", "2 is a divisor of 6.")


def test_the_tenth_number_of_the_strangers_example_is_refused() -> None:
    state = played(STRANGERS, "5 3 4 7 2 9 5 6 9")
    assert_refused(STRANGERS, state, "1", "1 is a divisor of 9.")
    assert_to_move(STRANGERS, state, 1)


def test_a_4_bars_its_relatives_among_the_strangers() -> None:
    assert_to_move(STRANGERS, played(STRANGERS, "4"), 1, "3 5 6 7 9")


def test_a_1_opens_the_strangers_and_wins_at_once() -> None:
    text = "Player 2 has no number to place on 1: Player 1 wins."
    assert_won(STRANGERS, played(STRANGERS, "1"), 0, "no_moves", text)


def test_the_relatives_example_is_followed_with_the_true_lists_of_blocks() -> None:
    state = RELATIVES.start({}, 0)
    turns = [
        (6, "1 2 3 4 5 6 7 8 9"),
        (3, "1 2 3"),
        (9, "1 9"),
        (1, "1"),
        (2, "2 4 5 7 8"),
        (4, "4 8"),
        (8, "8"),
    ]
    for ply, (block, legal) in enumerate(turns):
        assert_to_move(RELATIVES, state, SEATS[ply % 2], legal)
        state = RELATIVES.play(state, str(block))
        tower = [block for block, _ in turns[: ply + 1]]
        assert items(RELATIVES, state) == tower
        assert supply(RELATIVES, state) == {n: 1 for n in range(1, 10) if n not in tower}
    text = "Player 2 has no block to place on 8: Player 1 wins."
    assert_won(RELATIVES, state, 0, "no_moves", text)


def test_blocks_that_the_relatives_book_lists_in_error_are_refused() -> None:
    state = played(RELATIVES, "6")
    assert_refused(RELATIVES, state, "9", "9 is neither a divisor nor a multiple of 6.")
    assert_refused(RELATIVES, state, "6", "6 is already in the tower.")
    state = played(RELATIVES, "6 3 9")
    assert_refused(RELATIVES, state, "3", "3 is already in the tower.")
    assert_to_move(RELATIVES, played(RELATIVES, "4"), 1, "1 2 8")


def test_the_duel_example_is_won_by_placing_the_last_tile() -> None:
    state = DUEL.start({}, 0)
    turns = [
        ("2A", [1, 3, 4, 5]),
        ("1B", [2, 3, 4, 5]),
        ("3A", [1, 4, 5]),
        ("2B", [3, 4, 5]),
        ("4A", [1, 5]),
        ("3B", [4, 5]),
        ("5A", [1]),
        ("4B", [5]),
        ("1C", []),
    ]
    for ply, (move, hand) in enumerate(turns):
        assert_to_move(DUEL, state, SEATS[ply % 2])
        state = DUEL.play(state, move)
        assert list(supply(DUEL, state, index=ply % 2)) == hand
    assert [items(DUEL, state, stack) for stack in range(3)] == [[2, 3, 4, 5], [1, 2, 3, 4], [1]]
    assert_won(DUEL, state, 0, "hand_empty", "Player 1 has placed every tile: Player 1 wins.")


def test_the_last_tile_of_the_duel_example_fits_one_tower_only() -> None:
    state = played(DUEL, "2A 1B 3A 2B 4A 3B 5A 4B")
    assert_to_move(DUEL, state, 0, "1C")
    assert_refused(DUEL, state, "1A", "1 is not higher than 5, the top of tower A.")
    assert_refused(DUEL, state, "1B", "1 is not higher than 4, the top of tower B.")
    assert_refused(DUEL, state, "5C", "Tile 5 is no longer in your hand.")
    assert_refused(DUEL, state, "xA", "Tiles are taken off only when nobody can place one.")
    assert supply(DUEL, state, index=1) == {5: 1}


def test_the_chain_sequence_of_the_book_is_valid() -> None:
    state = CHAIN.start({}, 0)
    numbers = [2, 4, 14, 28, 42]
    for ply, number in enumerate(numbers):
        assert_to_move(CHAIN, state, SEATS[ply % 2])
        state = CHAIN.play(state, str(number))
        assert items(CHAIN, state) == [1, *numbers[: ply + 1]]
    assert_to_move(CHAIN, state, 1)


def test_the_35_of_the_chain_sample_loses_the_game() -> None:
    state = played(CHAIN, "2 4 14 28")
    assert "loses" in CHAIN.view(state)["prompt"]
    state = played_on(CHAIN, state, "35")
    assert CHAIN.moves(state)[-1] == (0, "35", False)
    assert items(CHAIN, state) == [1, 2, 4, 14, 28]
    text = "35 is not a multiple of 28 and shares no digit with it: Player 2 wins."
    assert_won(CHAIN, state, 1, "invalid_move", text)


def test_the_35_of_the_chain_sample_is_refused_where_the_game_is_not_strict() -> None:
    state = played(CHAIN, "2 4 14 28", {"strict": False})
    assert "loses" not in CHAIN.view(state)["prompt"]
    objection = "35 is not a multiple of 28 and shares no digit with it."
    assert_refused(CHAIN, state, "35", objection)
    assert_refused(CHAIN, state, "28", "28 is not greater than 28.")
    assert_to_move(CHAIN, played_on(CHAIN, state, "42"), 1)


def test_text_that_is_no_number_never_loses_a_chain() -> None:
    sentence = "That is not a whole number: type digits only, such as 14."
    assert_unreadable(CHAIN, played(CHAIN, "2 4 14 28"), "thirty", sentence)


def test_the_builder_example_is_followed_with_the_heights_of_the_book() -> None:
    state = BUILDER.start({}, 0)
    assert supply(BUILDER, state, 0) == supply(BUILDER, state, 1) == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
    sizes = [5, 4, 4, 5, 3, 3, 3, 2, 2, 3, 3]
    heights = [5, 4, 9, 9, 12, 12, 15, 14, 17, 17, 20]
    for ply, (size, height) in enumerate(zip(sizes, heights, strict=True)):
        assert_to_move(BUILDER, state, SEATS[ply % 2])
        state = BUILDER.play(state, str(size))
        assert sum(items(BUILDER, state, stack=ply % 2)) == height
    assert_won(BUILDER, state, 0, "target_height", "The tower is 20 high: Player 1 wins.")


def test_the_builder_sample_shows_what_is_left_after_a_turn_each() -> None:
    state = played(BUILDER, "5 4")
    assert supply(BUILDER, state, index=0) == {1: 5, 2: 4, 3: 3, 4: 2}
    assert supply(BUILDER, state, index=1) == {1: 5, 2: 4, 3: 3, 4: 1, 5: 1}
    assert_to_move(BUILDER, state, 0, "1 2 3 4")


def test_a_4_on_a_tower_of_9_is_legal() -> None:
    state = played(BUILDER, "5 4 4 5 3")
    assert sum(items(BUILDER, state, stack=1)) == 9
    state = played_on(BUILDER, state, "4")
    assert sum(items(BUILDER, state, stack=1)) == 13
    assert_to_move(BUILDER, state, 0)


def test_the_second_5_of_a_builder_is_refused() -> None:
    state = played(BUILDER, "5 4 4 5 3 3 3 2")
    assert_refused(BUILDER, state, "5", "No size 5 block is left in your stock.")


def test_a_block_that_would_pass_the_target_is_refused() -> None:
    state = played(BUILDER, "5 4 4 5 3 3 3 2 2 3")
    assert_refused(BUILDER, state, "4", "A size 4 block would make 21, above 20.")
    assert_refused(BUILDER, state, "6", "There is no block of size 6: the sizes are 1 to 5.")
