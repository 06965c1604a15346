"""What holds in every game at every ply, shown by random games with random options."""

import json
from itertools import pairwise
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import data_of, every_game, snapshot
from games.random_games import BOUND, RandomGame, numbers_in, random_games, readable_around
from towerhall_server.games import (
    Game,
    IllegalMove,
    Played,
    State,
    UnreadableMove,
    View,
    other,
    player,
)

EXACT = 2**53 - 1
few = settings(max_examples=40, deadline=None)


def drawn(data: st.DataObject, game: Game[Any]) -> RandomGame:
    return data.draw(random_games(game))


@every_game
@few
@given(data=st.data())
def test_every_game_ends(game: Game[Any], data: st.DataObject) -> None:
    end = drawn(data, game).end
    assert game.outcome(end) is not None
    assert len(game.moves(end)) <= BOUND


@every_game
@few
@given(data=st.data())
def test_somebody_is_to_move_until_there_is_an_outcome(
    game: Game[Any], data: st.DataObject
) -> None:
    random_game = drawn(data, game)
    assert game.to_move(random_game.states[0]) == random_game.first
    for state in random_game.states:
        outcome = game.outcome(state)
        assert (game.to_move(state) is None) == (outcome is not None)
        legal = game.legal_moves(state)
        assert legal is None or (legal == []) == (outcome is not None)
        assert bool(game.view(state)["prompt"]) == (outcome is None)
    assert all(game.outcome(state) is None for state in random_game.states[:-1])
    outcome = game.outcome(random_game.end)
    assert outcome and outcome.winner in (0, 1) and outcome.reason.islower()
    assert outcome.text.endswith(f": {player(outcome.winner)} wins.")


@every_game
@few
@given(data=st.data())
def test_exactly_the_listed_moves_can_be_played_and_a_refusal_changes_nothing(
    game: Game[Any], data: st.DataObject
) -> None:
    random_game = drawn(data, game)
    for state in Random(1).sample(random_game.states, min(6, len(random_game.states))):
        legal = game.legal_moves(state)
        texts = {*readable_around(game, state), *(legal or ())}
        before = snapshot(game, state)
        taken = {text for text in texts if taken_as_sent(game, state, text)}
        assert snapshot(game, state) == before
        if legal is not None:
            assert len(legal) == len(set(legal))
            assert taken == set(legal)


def taken_as_sent(game: Game[Any], state: State, text: str) -> bool:
    """Whether the move is played, and then recorded; a refusal is a sentence."""
    try:
        after = game.play(state, text)
    except IllegalMove as refusal:
        assert_sentence(str(refusal))
        return False
    entry = game.moves(after)[len(game.moves(state))]
    assert entry == Played(game.to_move(state) or 0, text)
    return True


def assert_sentence(text: str) -> None:
    assert text.endswith(".") and "\n" not in text
    assert text[0].isupper() or text[0].isdigit()


@every_game
@few
@given(data=st.data(), text=st.text(max_size=8))
def test_text_that_cannot_be_read_changes_nothing(
    game: Game[Any], data: st.DataObject, text: str
) -> None:
    state = data.draw(st.sampled_from(drawn(data, game).states))
    before = snapshot(game, state)
    try:
        game.play(state, text)
    except (UnreadableMove, IllegalMove) as refusal:
        assert_sentence(str(refusal))
    assert snapshot(game, state) == before


@every_game
@few
@given(data=st.data())
def test_nothing_can_be_played_after_the_end(game: Game[Any], data: st.DataObject) -> None:
    random_game = drawn(data, game)
    outcome = game.outcome(random_game.end)
    assert outcome
    for text in {*random_game.sent, *readable_around(game, random_game.end)}:
        with pytest.raises(IllegalMove) as refusal:
            game.play(random_game.end, text)
        assert str(refusal.value) == f"The game is over: {outcome.text}"


@every_game
@few
@given(data=st.data())
def test_every_state_comes_back_from_its_data(game: Game[Any], data: st.DataObject) -> None:
    for state in drawn(data, game).states:
        plain = data_of(state)
        packed = msgpack.unpackb(msgpack.packb(plain))
        for again in (plain, packed, json.loads(json.dumps(plain))):
            assert game.from_data(again) == state
            assert snapshot(game, game.from_data(again)) == snapshot(game, state)


@every_game
@few
@given(data=st.data())
def test_the_moves_that_were_sent_lead_to_the_same_state(
    game: Game[Any], data: st.DataObject
) -> None:
    random_game = drawn(data, game)
    state = game.start(random_game.options, random_game.first)
    for entry in game.moves(random_game.end):
        if not entry.forced:
            state = game.play(state, entry.text)
    assert state == random_game.end
    unforced = [entry.text for entry in game.moves(state) if not entry.forced]
    assert unforced == [game.read(text) for text in random_game.sent]


@every_game
@few
@given(data=st.data())
def test_the_record_only_grows_and_seats_alternate_ply_by_ply(
    game: Game[Any], data: st.DataObject
) -> None:
    """After two passes in a row, if the game goes on, it does so with the one who moved last."""
    random_game = drawn(data, game)
    for before, after in pairwise(random_game.states):
        assert game.moves(after)[: len(game.moves(before))] == game.moves(before)
    moves = game.moves(random_game.end)
    assert moves[0].seat == random_game.first
    assert all(move.forced == (move.text == "pass") for move in moves)
    for ply, (previous, move) in enumerate(pairwise(moves), start=1):
        both_passed = ply >= 2 and previous.forced and moves[ply - 2].forced
        assert move.seat == (previous.seat if both_passed else other(previous.seat))
        assert not (both_passed and move.forced)


@every_game
@few
@given(data=st.data())
def test_every_entry_of_the_record_has_a_line_about_its_player(
    game: Game[Any], data: st.DataObject
) -> None:
    for entry in game.moves(drawn(data, game).end):
        line = game.describe(entry)
        assert_sentence(line)
        assert line.startswith(player(entry.seat))
        assert entry.forced == ("passes" in line)


@every_game
@few
@given(data=st.data())
def test_every_view_has_the_shape_that_clients_draw(game: Game[Any], data: st.DataObject) -> None:
    for state in drawn(data, game).states:
        assert_drawable(game.view(state))


def assert_drawable(view: View) -> None:
    assert view.keys() == {"stacks", "supplies", "prompt", "notes"}
    assert view["stacks"]
    for stack in view["stacks"]:
        assert stack.keys() == {"label", "owner", "items", "note"}
        assert stack["label"] and stack["owner"] in (None, 0, 1)
        assert isinstance(stack["note"], str)
    for supply in view["supplies"]:
        assert supply.keys() == {"label", "owner", "items"}
        assert supply["label"] and supply["owner"] in (None, 0, 1)
        assert all(item.keys() == {"value", "count"} for item in supply["items"])
        assert all(item["count"] > 0 for item in supply["items"])
    assert all(type(number) is int and 0 <= number <= EXACT for number in numbers_in(view))
    assert all(isinstance(text, str) for text in (view["prompt"], *view["notes"]))
    assert json.loads(json.dumps(view)) == view
