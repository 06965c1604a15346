"""A snapshot and the events after it make what a new snapshot would be."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import msgpack, structs

from games.assertions import every_game
from match.assertions import attempt
from match.random_matches import fresh_tables, random_action, random_wait
from match.table import ANN, opened, seated
from match.table import Table as Match
from protocol.examples import SNAPSHOT
from towerhall_client.status import Seating, away_sentence, next_sentence, turn_sentence
from towerhall_client.table import Table, introduced
from towerhall_protocol import MSGPACK
from towerhall_protocol.events import UnknownEvent
from towerhall_protocol.replies import Presence, Room
from towerhall_protocol.rooms import SeatPresence
from towerhall_server import wire
from towerhall_server.games import Game
from towerhall_server.match import happenings
from towerhall_server.match.actions import Resign
from towerhall_server.store import Presence as Held

HERE = Held((True, True), (None, None), 0)
EPOCH = "e-1"


def snapshot_of(match: Match) -> Room:
    """As it comes over the wire."""
    return msgpack.decode(msgpack.encode(wire.snapshot(match.match, EPOCH, HERE, 0)), type=Room)


def event_of(match: Match, number: int) -> Any:
    entry = happenings.entry(*match.log[number])
    return MSGPACK.decode_server_message(wire.event(match.match.room, EPOCH, entry))


@every_game
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_events_lead_to_the_snapshot_that_the_hall_would_send(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    match = data.draw(fresh_tables(game))
    rng = Random(seed)
    table = Table(snapshot_of(match))
    known = len(match.log)
    for _ in range(40):
        attempt(match.wait(random_wait(match, rng)), random_action(match, game, rng))
        for number in range(known, len(match.log)):
            table = table.after(event_of(match, number))
        known = len(match.log)
        assert table.room == snapshot_of(match)
        assert table.next_ms == match.match.next_ms


def test_an_event_of_a_kind_that_came_later_counts_and_changes_nothing_else() -> None:
    table = Table(SNAPSHOT)
    later = UnknownEvent(kind="firework", room=SNAPSHOT.room, epoch="e", seq=9, at_ms=1)
    assert table.after(later).room.seq == 9
    assert table.after(later).lines == ()


def test_a_newcomer_is_told_what_was_played() -> None:
    match = seated("duel")
    match.play("2A 1B")
    assert introduced(snapshot_of(match)).lines[-1].text == "So far: 1. 2A 2. 1B"


def test_a_newcomer_to_a_game_that_just_began_is_told_who_moves_first() -> None:
    assert introduced(snapshot_of(seated("duel"))).lines[-1].text == (
        "Game 1 begins: ann moves first."
    )
    assert introduced(snapshot_of(opened("duel"))).lines == ()


def lines_between(before: Match, after: Match) -> list[str]:
    """What is told when a snapshot comes in place of the events."""
    table = Table(snapshot_of(before)).after(snapshot_of(after))
    assert table.room == snapshot_of(after)
    return [line.text for line in table.lines]


def played(moves: str) -> Match:
    match = seated("duel")
    match.play(moves)
    return match


def test_a_snapshot_tells_what_was_played_meanwhile() -> None:
    assert lines_between(played("2A"), played("2A 1B 3A")) == ["bob plays 1B.", "ann plays 3A."]
    assert lines_between(played("2A"), played("2A")) == []


def test_a_snapshot_tells_who_came_and_how_it_ended() -> None:
    match = played("2A 1B")
    match.do(Resign(ANN, 1))
    told = lines_between(opened("duel"), match)
    assert told[:4] == [
        "bob sits down as Player 2.",
        "Game 1 begins: ann moves first.",
        "ann plays 2A.",
        "bob plays 1B.",
    ]
    assert told[4].endswith("bob wins.")
    assert lines_between(match, match) == []


def test_a_snapshot_of_the_next_game_tells_how_the_last_one_ended() -> None:
    before, between, after = (seated("duel", rounds=2) for _ in range(3))
    before.play("2A")
    between.play("2A").win(0)
    after.play("2A").win(0)
    after.next_round()
    after.play("3B")
    ended = "bob resigned: ann wins."
    begun = ["Game 2 begins: bob moves first.", "bob plays 3B."]
    assert lines_between(before, after) == [ended, *begun]
    assert lines_between(between, after) == begun
    assert lines_between(before, between) == [ended]


def test_a_snapshot_of_another_history_tells_it_anew() -> None:
    assert lines_between(played("2A 1B"), played("2A 1C")) == ["So far: 1. 2A 2. 1C"]


def test_a_newcomer_between_two_games_is_told_that_there_is_a_next() -> None:
    match = seated("duel", rounds=2)
    match.do(Resign(ANN, 1))
    assert told(match, Seating(), 0)[-1] == "The next game starts in a few seconds."


def test_when_the_next_game_starts_is_forgotten_with_the_pause_it_was_said_in() -> None:
    match = seated("duel", rounds=3)
    match.win(0)
    table = Table(snapshot_of(match)).after(event_of(match, -1))
    assert table.next_ms is not None
    assert table.after(snapshot_of(match)).next_ms == table.next_ms
    match.next_round()
    assert table.after(snapshot_of(match)).next_ms is None
    match.win(0)
    later = table.after(snapshot_of(match))
    assert (later.room.turn, later.room.round, later.next_ms) == (None, 2, None)


def told(match: Match, seating: Seating, now_ms: int) -> list[str]:
    table = Table(snapshot_of(match))
    sentences = (
        turn_sentence(table, seating),
        next_sentence(table, seating, now_ms),
    )
    return [sentence for sentence in sentences if sentence]


def test_whose_turn_it_is_is_told_to_each_in_their_words() -> None:
    match = seated("duel")
    assert told(match, Seating((0,)), 0) == ["Your turn."]
    for seating in (Seating((1,)), Seating(), Seating((0, 1))):
        assert told(match, seating, 0) == ["It is ann's turn."]
    assert told(opened("duel"), Seating((0,)), 0) == ["Waiting for a second player."]


def test_the_end_says_who_won_and_what_may_be_done() -> None:
    match = seated("duel")
    match.do(Resign(ANN, 1))
    sentence, after = told(match, Seating((1,)), 0)
    assert sentence.endswith("bob wins.")
    assert after == "/rematch to play again, /quit to leave."
    assert told(match, Seating(), 0) == [sentence, "/quit to leave."]


@pytest.mark.parametrize(
    ("away_ms", "sentence"),
    [
        (23_000, "bob has been away for 23 s; you may claim the win in 37 s: /claim."),
        (61_000, "bob has been away for 61 s; you may claim the win: /claim."),
    ],
)
def test_an_opponent_who_is_away_can_be_claimed_from_after_a_minute(
    away_ms: int, sentence: str
) -> None:
    room = snapshot_of(seated("duel"))
    away = SeatPresence(online=False, away_since_ms=5_000)
    here = SeatPresence(online=True, away_since_ms=None)
    table = Table(room).after(Presence(room=room.room, seats=(here, away), watchers=2))
    assert away_sentence(table, Seating((0,)), 5_000 + away_ms) == sentence
    assert "claim" not in away_sentence(table, Seating(), 5_000 + away_ms)
    assert table.lines[-1].text == "bob is away."
    assert table.room.watchers == 2


def test_a_closed_room_says_that_it_is() -> None:
    room = structs.replace(SNAPSHOT, status="over", turn=None, result=None, rounds=1)
    assert turn_sentence(Table(room), Seating((0,))) == "This room is closed."
