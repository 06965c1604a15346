"""A room is opened, joined, closed."""

import pytest

from match.assertions import assert_refused, assert_repeated, assert_started, only
from match.table import ANN, BOB, EVE, NOW, Table, opened, seated
from towerhall_server.games import GAMES, Seat
from towerhall_server.match.actions import (
    Abort,
    Action,
    Claim,
    Move,
    Rematch,
    Resign,
    Say,
    Sit,
    Tick,
)
from towerhall_server.match.clock import Clock
from towerhall_server.match.happenings import Closed, Seated

HOUR_MS = 3_600_000


def closed() -> Table:
    table = opened()
    table.do(Abort(ANN, 1))
    return table


def test_a_new_room_is_open_and_its_creator_has_seat_0() -> None:
    table = opened(first=1)
    (entry,) = table.log
    assert (entry.seq, entry.happening) == (1, Seated(seat=0, player=ANN, name="ann"))
    match = table.match
    assert (match.status, match.running, match.seq) == ("open", False, 1)
    assert (match.match, match.round, match.score) == (1, 1, (0, 0))
    assert match.clocks is None and match.result is None
    assert match.seat_of(ANN) == 0 and match.seat_of(BOB) is None


@pytest.mark.parametrize("clock", [Clock(60_000, 0), None])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_when_a_second_player_sits_down_the_first_round_starts(
    game: str, first: Seat, clock: Clock | None
) -> None:
    table = opened(game, first=first, clock=clock).wait(5_000)
    change = table.do(Sit(BOB, "bob"))
    assert change.happened[0] == Seated(seat=1, player=BOB, name="bob")
    assert_started(change, round_=1, first=first)
    assert change.match.started_ms == NOW + 5_000
    assert change.match.seq == 3


def test_sitting_down_again_changes_nothing() -> None:
    table = opened()
    assert_repeated(table, Sit(ANN, "ann"))
    table.do(Sit(BOB, "bob"))
    assert_repeated(table, Sit(ANN, "ann"))
    assert_repeated(table, Sit(BOB, "bob"))
    table.win(0)
    assert_repeated(table, Sit(BOB, "bob"))


def test_there_is_no_third_seat() -> None:
    table = seated()
    assert_refused(table, Sit(EVE, "eve"), "room_full")
    table.win(0)
    assert_refused(table, Sit(EVE, "eve"), "room_full")


def test_nobody_joins_a_closed_room() -> None:
    assert_refused(closed(), Sit(BOB, "bob"), "game_over")


def test_its_creator_may_close_an_open_room() -> None:
    change = opened().do(Abort(ANN, 1))
    assert change.happened == (Closed(reason="aborted"),)
    assert (change.match.status, change.match.result) == ("over", None)
    assert change.record is None


def test_closing_a_room_again_changes_nothing() -> None:
    assert_repeated(closed(), Abort(ANN, 1))


def test_an_open_room_is_closed_for_its_only_round() -> None:
    assert_refused(opened(), Abort(ANN, 2), "stale_round", round=1)
    assert_refused(closed(), Abort(ANN, 2), "stale_round", round=1)


def test_only_its_creator_closes_an_open_room() -> None:
    assert_refused(opened(), Abort(EVE, 1), "not_seated")


def test_an_open_room_expires_after_an_hour() -> None:
    table = opened().wait(HOUR_MS - 1)
    assert_repeated(table, Tick())
    change = table.wait(1).do(Tick())
    assert only(change, Closed).reason == "expired"
    assert change.match.status == "over"


def test_a_room_that_expired_may_be_aborted_all_the_same() -> None:
    table = opened().wait(HOUR_MS)
    table.do(Tick())
    assert_repeated(table, Abort(ANN, 1))


@pytest.mark.parametrize("action", [Resign(ANN, 1), Claim(ANN, 1, (None, NOW)), Rematch(ANN, 1)])
def test_while_one_waits_alone_there_is_nothing_to_end(action: Action) -> None:
    assert_refused(opened(), action, "not_allowed")


def test_whoever_waits_alone_is_not_to_move() -> None:
    sentence = assert_refused(opened(), Move(ANN, 1, 0, "2"), "not_your_turn")
    assert sentence == "The game starts when a second player joins."


@pytest.mark.parametrize(
    "action",
    [
        Move(ANN, 1, 0, "2"),
        Resign(ANN, 1),
        Claim(ANN, 1, (None, NOW)),
        Rematch(ANN, 1),
        Say(ANN, "ann", "hello?"),
        Say(EVE, "eve", "hello?"),
    ],
)
def test_nothing_happens_in_a_closed_room(action: Action) -> None:
    assert assert_refused(closed(), action, "game_over") == "This room is closed."


def test_nothing_is_due_in_a_closed_room() -> None:
    assert_repeated(closed().wait(10 * HOUR_MS), Tick())
