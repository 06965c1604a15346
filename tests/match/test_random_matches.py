"""What holds at every step of every match, shown by random ones over all games."""

from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import every_game
from match.assertions import attempt
from match.random_matches import fresh_tables, random_action, random_wait
from match.table import Table
from towerhall_server.games import Game
from towerhall_server.match import happenings, machine, state
from towerhall_server.match.actions import Move, Tick
from towerhall_server.match.clock import GRACE_MS
from towerhall_server.match.happenings import Finished, Moved, Started
from towerhall_server.match.machine import Change, deadline
from towerhall_server.match.refusal import Refused
from towerhall_server.match.repeats import Repeat
from towerhall_server.match.state import Match

STEPS = 120
few = settings(max_examples=25, deadline=None)


def assert_sound(match: Match) -> None:
    """What is true of a match whatever has happened to it."""
    position, clocks = match.position, match.clocks
    if match.running:
        assert match.status == "live" and position.turn is not None and match.next_ms is None
    if match.status == "live":
        assert match.running or match.next_ms is not None
        assert all(match.sitters)
    else:
        assert match.next_ms is None
    assert (deadline(match) is None) == (match.status == "over")
    assert match.match_winner is None or match.status == "over"
    assert match.rematch == (False, False) or match.status == "over"
    assert sum(match.score) <= match.played <= match.settings.rounds
    assert len(match.plies) == len(position.moves)
    assert all(one.seq < two.seq for one, two in pairwise(match.plies))
    if clocks:
        assert clocks.running == (position.turn if match.running else None)
        assert min(clocks.remaining_ms) >= 0
    assert bool(clocks) == bool(
        match.settings.clock and match.status != "open" and match.started_ms
    )


def assert_comes_back(table: Table) -> None:
    blob = state.encode(table.match)
    assert state.decode(blob) == table.match
    assert state.encode(state.decode(blob)) == blob
    for record in table.records[-1:]:
        assert state.decode_record(state.encode_record(record)) == record
    for seq, at_ms, happening in table.log[-4:]:
        entry = happenings.entry(seq, at_ms, happening)
        assert happenings.decode(happenings.encode(entry)) == entry
        assert happenings.happening_of(entry) == happening


@every_game
@few
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_step_keeps_a_match_sound_and_able_to_be_stored(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    for _ in range(STEPS):
        table.wait(random_wait(table, rng))
        attempt(table, random_action(table, game, rng))
        assert_sound(table.match)
        assert_comes_back(table)
    assert [entry.seq for entry in table.log] == list(range(1, table.match.seq + 1))
    assert [record.round for record in table.records] == sorted(
        {record.round for record in table.records}
    )


@every_game
@few
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_tick_does_what_is_due_and_never_too_early(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    """So nobody who keeps time turns in circles over a deadline that nothing comes of."""
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    for _ in range(STEPS):
        table.wait(rng.randrange(3_000))
        attempt(table, random_action(table, game, rng))
        match, due = table.match, deadline(table.match)
        if due is None:
            assert machine.decide(match, Tick(), table.now + 10**12) == Repeat()
            continue
        assert machine.decide(match, Tick(), due - 1) == Repeat()
        assert isinstance(machine.decide(match, Tick(), due + GRACE_MS), Change)


@every_game
@few
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_move_that_was_accepted_gets_the_same_seq_for_ever(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    accepted: list[tuple[Move, int]] = []
    for _ in range(STEPS):
        table.wait(random_wait(table, rng))
        action, seq = random_action(table, game, rng), table.match.seq + 1
        decided = attempt(table, action)
        if isinstance(action, Move) and isinstance(decided, Change) and not decided.refusal:
            accepted.append((action, seq))
    for move, seq in accepted:
        asked = attempt(table, move)
        assert (table.ask_again(move) if isinstance(asked, Refused) else asked) == Repeat(seq)


@every_game
@few
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_who_only_follows_the_events_knows_the_match(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    for _ in range(STEPS):
        table.wait(random_wait(table, rng))
        attempt(table, random_action(table, game, rng))
        assert_known_from_events(table)


def assert_known_from_events(table: Table) -> None:
    match = table.match
    told = [entry.happening for entry in table.log]
    starts = [index for index, happened in enumerate(told) if isinstance(happened, Started)]
    finishes = [happened for happened in told if isinstance(happened, Finished)]
    if finishes:
        assert match.result is not None
        assert finishes[-1].text == match.result.text
    if not starts:
        assert not match.running and not finishes
        return
    started, since = told[starts[-1]], told[starts[-1] + 1 :]
    moves = [happened for happened in since if isinstance(happened, Moved)]
    assert isinstance(started, Started)
    assert (started.match, started.round, started.first) == (match.match, match.round, match.first)
    assert [(m.seat, m.move, m.forced) for m in moves] == list(match.position.moves)
    latest = moves[-1] if moves else started
    if match.running:
        assert (latest.turn, latest.clocks) == (match.position.turn, match.clocks)
