"""What was stored a while ago and the log since make the match as it is."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.assertions import every_game
from match.assertions import attempt
from match.random_matches import fresh_tables, random_action, random_wait
from match.table import ANN, BOB, Table, seated, small_duel
from towerhall_server.games import Game
from towerhall_server.match import happenings, state
from towerhall_server.match.actions import Resign, Say
from towerhall_server.match.catching_up import Unreadable, caught_up, is_whole
from towerhall_server.match.happenings import Entry
from towerhall_server.match.machine import Change
from towerhall_server.match.state import FORMAT, Match

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
        top, match = table.match.seq, table.match
        assert caught_up(kept, entries_after(table, kept.seq), top) == match
        # Whoever stored it without saying so is understood, too: what it has is not made again.
        assert caught_up(match, entries_after(table, kept.seq), top) == match


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
    table = small_duel()
    before = table.match
    table.play("3A 1B 2B 3B")
    with pytest.raises(Unreadable, match="cannot be made again"):
        caught_up(before, entries_after(table, before.seq), table.match.seq)


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_a_log_with_a_gap_is_not_guessed_at(lost: int) -> None:
    table = seated("strangers")
    before = table.match
    entries = entries_after(table.play("2 3 2"), before.seq)
    del entries[lost]
    with pytest.raises(Unreadable, match="does not lead from 3 to 6"):
        caught_up(before, entries, table.match.seq)


def test_a_move_that_the_rules_no_longer_allow_is_not_guessed_at() -> None:
    table = seated("strangers")
    before = table.match
    entries = entries_after(table.play("2 3"), before.seq)
    entries[1] = replace(entries[1], happening=entries[0].happening)
    with pytest.raises(Unreadable, match="2 is on top already"):
        caught_up(before, entries, table.match.seq)


def test_a_match_of_an_older_format_is_stored_whole_with_its_next_change() -> None:
    table = seated("strangers").play("2")
    before, change = table.match, table.ask(table.next_move("3"))
    assert isinstance(change, Change)
    assert not is_whole(before, change)
    assert is_whole(replace(before, format=FORMAT - 1), change)
