"""What was stored a while ago and the log since make the match as it is."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import every_game
from match.assertions import attempt
from match.random_matches import fresh_tables, random_action, random_wait
from match.table import ANN, BOB, Table, seated, small_duel
from towerhall_server.games import Game
from towerhall_server.match import happenings, state
from towerhall_server.match.actions import Resign, Say
from towerhall_server.match.catching_up import caught_up, is_whole
from towerhall_server.match.happenings import Entry
from towerhall_server.match.machine import Change
from towerhall_server.match.state import Match

STEPS = 120


def entries_after(table: Table, seq: int) -> list[Entry]:
    return [happenings.entry(*line) for line in table.log[seq:]]


def is_stored(table: Table, before: Match) -> bool:
    """Whether the last step of the table stores the whole match."""
    happened = tuple(happening for _, _, happening in table.log[before.seq :])
    return is_whole(before, Change(table.match, happened))


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_at_every_step_a_match_is_made_of_what_is_stored(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    stored = state.encode(table.match)
    for _ in range(STEPS):
        table.wait(random_wait(table, rng))
        before = table.match
        attempt(table, random_action(table, game, rng))
        if table.match.seq > before.seq and is_stored(table, before):
            stored = state.encode(table.match)
        kept = state.decode(stored)
        assert caught_up(kept, entries_after(table, kept.seq)) == table.match


def test_of_plain_moves_every_eighth_event_stores_the_whole_match() -> None:
    table = seated("strangers")
    stored = []
    for number in range(24):
        before = table.match
        table.play("23"[number % 2])
        if is_stored(table, before):
            stored.append(table.match.seq)
    assert stored == [8, 16, 24]


def test_whatever_is_more_than_moves_stores_the_whole_match() -> None:
    table = seated("strangers").play("2")
    for action in (Say(ANN, "ann", "hello"), Resign(BOB, 1)):
        before = table.match
        table.do(action)
        assert is_stored(table, before)


def test_an_event_that_is_no_move_is_not_guessed_at() -> None:
    table = small_duel().play("3A 1B 2B 3B")
    [finished] = entries_after(table, table.match.seq - 1)
    with pytest.raises(msgspec.DecodeError):
        caught_up(table.match, [finished])
