"""Records: a round as text, as frames, and back from a file."""

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.assertions import every_game
from match.assertions import assert_sayable, attempt
from match.random_matches import fresh_tables, random_action
from match.table import BOB, NOW, Table, opened, seated, small_duel
from towerhall_protocol.replies import Record as RecordReply
from towerhall_protocol.requests import Replay
from towerhall_protocol.rooms import Clocks
from towerhall_server.games import BadOptions, Game, NoSuchGame, Options
from towerhall_server.match.actions import Abort, Resign, Sit
from towerhall_server.match.clock import Clock
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Record
from towerhall_server.records import (
    WIDTH,
    record_of_file,
    record_of_match,
    record_of_round,
    text_of,
)

PLAYED = """\
[Game "duel"]
[Options "tiles=3 towers=2"]
[Player1 "ann"]
[Player2 "bob"]
[First "1"]
[Clock "180000+2000"]
[Result "1-0"]
[Reason "lower_sum"]
[Room "0123456789abcdef"]
[Round "1"]
[Date "2025-06-15"]

1. 3A {181000} 2. 1B {181000} 3. 2B {182000} 4. 3B {182000} 5. pass 6. pass 1-0
"""


def played() -> Table:
    """A duel that ends with two forced passes; every move takes a second."""
    table = small_duel()
    for text in ("3A", "1B", "2B", "3B"):
        table.wait(1_000).move(text)
    return table


def recorded(table: Table) -> Record:
    (record,) = table.records
    return record


def replay(moves: str, game: str = "duel", first: int = 0, **options: int) -> RecordReply:
    """A file's moves, with commas between them; of the small duel, unless another game is named."""
    given: Options = {"tiles": 3, "towers": 2} if game == "duel" else {**options}
    return record_of_file(
        Replay(id=7, game=game, options=given, first=first, moves=moves.split(","))
    )


def moves_in(text: str) -> list[str]:
    """The moves as another program would find them: what follows a number and a dot."""
    return re.findall(r"\d+\.\s(\S+)", text.partition("\n\n")[2])


def tags_in(text: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "([^"]*)"\]$', text, re.MULTILINE))


def shown(reply: RecordReply) -> list[tuple[Any, ...]]:
    """The frames without the clocks, which a file does not bring back."""
    return [(f.ply, f.seat, f.move, f.forced, f.text, f.view) for f in reply.frames]


def assert_not_replayed(moves: str, code: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        replay(moves)
    assert (refused.value.code, refused.value.sentence) == (code, sentence)
    assert_sayable(refused.value)


# Text


def test_a_record_is_tags_moves_with_the_mover_s_clock_and_the_result() -> None:
    assert text_of(recorded(played())) == PLAYED


@pytest.mark.parametrize(("loser", "score"), [(0, "0-1"), (1, "1-0")])
def test_the_result_is_told_in_the_tags_and_after_the_moves(loser: int, score: str) -> None:
    table = seated(first=1)
    table.win(1 if loser == 0 else 0)
    text = text_of(recorded(table))
    tags = tags_in(text)
    assert (tags["Result"], tags["Reason"], tags["First"]) == (score, "resigned", "2")
    assert text.endswith(f"\n\n{score}\n")


def test_an_aborted_round_has_a_star_for_its_result() -> None:
    table = seated()
    table.do(Abort(BOB, 1))
    assert tags_in(text_of(recorded(table)))["Result"] == "*"
    assert text_of(recorded(table)).endswith("\n\n*\n")


def test_an_untimed_record_has_no_clocks() -> None:
    table = seated("builder", clock=None).play("5 4")
    table.win(0)
    text = text_of(recorded(table))
    assert tags_in(text)["Clock"] == "-"
    assert text.endswith("\n1. 5 2. 4 1-0\n")


def test_options_that_are_yes_or_no_are_written_as_true_and_false() -> None:
    table = seated("builder", {"shared": True})
    table.win(0)
    assert tags_in(text_of(recorded(table)))["Options"] == "target=20 shared=true"


def test_lines_are_wrapped_between_moves() -> None:
    table = seated().play("2 3 " * 20)
    table.win(0)
    text = text_of(recorded(table))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert len(text.partition("\n\n")[2].splitlines()) > 5
    assert all(re.match(r"\d+\. \d|\{|[01]-", line) for line in text.splitlines()[12:])
    assert moves_in(text) == ["2", "3"] * 20


# Frames


def test_the_frames_are_the_table_before_the_first_move_and_after_each() -> None:
    reply = record_of_round(recorded(played()), 7)
    assert (reply.re, reply.room, reply.round) == (7, "0123456789abcdef", 1)
    assert [(f.ply, f.seat, f.move, f.forced) for f in reply.frames] == [
        (None, None, None, False),
        (0, 0, "3A", False),
        (1, 1, "1B", False),
        (2, 0, "2B", False),
        (3, 1, "3B", False),
        (4, 0, "pass", True),
        (5, 1, "pass", True),
    ]
    assert reply.frames[0].text == "" and reply.frames[0].clocks is None
    assert reply.frames[5].text == "Player 1 cannot place a tile and passes."


def test_a_frame_has_the_clocks_as_they_were_after_its_move() -> None:
    reply = record_of_round(recorded(played()), 7)
    assert reply.frames[1].clocks == Clocks(
        remaining_ms=(181_000, 180_000), running=None, at_ms=NOW + 1_000
    )
    assert reply.frames[4].clocks == reply.frames[5].clocks == reply.frames[6].clocks


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_record_read_back_from_its_text_shows_the_same(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table, rng = data.draw(fresh_tables(game)), Random(seed)
    table.do(Sit(BOB, "bob"))
    for _ in range(rng.randrange(40)):
        if table.match.running:
            attempt(table.wait(100), random_action(table, game, rng))
    if table.match.running:
        table.do(Resign(BOB, 1))
    record = table.records[0]
    kept, text = record_of_round(record, 1), text_of(record)
    assert moves_in(text) == [move.text for move in record.moves]
    again = record_of_file(
        Replay(
            id=1,
            game=game.id,
            options=record.settings.options,
            first=record.first,
            moves=moves_in(text),
        )
    )
    assert shown(again) == shown(kept)
    assert moves_in(again.text) == moves_in(text)
    assert tags_in(again.text)["Options"] == tags_in(text)["Options"]


# The round on the board


def test_a_round_that_is_being_played_is_recorded_as_far_as_it_is() -> None:
    reply = record_of_match(small_duel().play("3A 2B").match, 7, 0)
    assert moves_in(reply.text) == ["3A", "2B", "pass"]
    assert (tags_in(reply.text)["Result"], tags_in(reply.text)["Reason"]) == ("*", "playing")
    assert [frame.move for frame in reply.frames] == [None, "3A", "2B", "pass"]


def test_the_result_of_the_round_before_is_not_that_of_the_round_on_the_board() -> None:
    table = seated(rounds=2)
    table.win(0)
    assert tags_in(record_of_match(table.match, 7, 0).text)["Reason"] == "resigned"
    table.next_round()
    assert tags_in(record_of_match(table.match, 7, 0).text)["Reason"] == "playing"


def test_a_round_that_has_just_ended_is_recorded_as_it_will_be() -> None:
    table = played()
    assert record_of_match(table.match, 7, 0) == record_of_round(recorded(table), 7)


def test_there_is_no_record_of_a_game_that_has_not_begun() -> None:
    with pytest.raises(Refused) as refused:
        record_of_match(opened().match, 7, 0)
    assert refused.value.code == "not_allowed"
    assert_sayable(refused.value)


# A file


def test_a_game_of_a_file_is_played_through() -> None:
    reply = replay("3A,1B,2B,3B,pass,pass")
    assert (reply.re, reply.room, reply.round) == (7, None, 1)
    assert shown(reply) == shown(record_of_round(recorded(played()), 7))
    tags = tags_in(reply.text)
    assert (tags["Result"], tags["Reason"], tags["Clock"]) == ("1-0", "lower_sum", "-")
    assert "Room" not in tags and "Date" not in tags
    assert all(frame.clocks is None for frame in reply.frames)


def test_a_file_may_leave_out_the_passes_and_write_moves_in_its_own_way() -> None:
    assert shown(replay(" 03a,1b,2B,3B")) == shown(replay("3A,1B,2B,3B,Pass, PASS"))


def test_a_file_may_stop_anywhere() -> None:
    assert [frame.move for frame in replay("3A").frames] == [None, "3A"]
    assert tags_in(replay("3A").text)["Result"] == "*"


def test_the_other_seat_may_begin() -> None:
    assert [frame.seat for frame in replay("3A,2B", first=1).frames] == [None, 1, 0, 1]


def test_a_move_that_the_rules_forbid_is_named() -> None:
    assert_not_replayed(
        "3A,2A", "illegal_move", "Move 2: 2 is not higher than 3, the top of tower A."
    )


def test_moves_are_counted_as_the_file_has_them_passes_included() -> None:
    assert_not_replayed(
        "3A,2B,pass,1B", "illegal_move", "Move 4: 1 is not higher than 2, the top of tower B."
    )


def test_a_move_that_cannot_be_read_is_named() -> None:
    assert_not_replayed(
        "3A,huh", "unreadable_move", "Move 2: That is not a move: type tile and tower, such as 3A."
    )


@pytest.mark.parametrize("moves", ["pass", "pass,3A"])
def test_a_pass_that_was_not_forced_is_named(moves: str) -> None:
    assert_not_replayed(moves, "illegal_move", "Move 1: Nobody had to pass here.")


def test_one_pass_too_many_is_named() -> None:
    assert_not_replayed("3A,2B,pass,pass", "illegal_move", "Move 4: Nobody had to pass here.")


def test_a_move_after_the_end_is_named() -> None:
    with pytest.raises(Refused, match=r"^Move 2: The game is over: "):
        replay("1,2", "strangers")


def test_a_file_of_no_game_or_with_wrong_options_is_refused() -> None:
    with pytest.raises(NoSuchGame):
        replay("1", "chess")
    with pytest.raises(BadOptions):
        replay("1", "strangers", pool=3)


def test_clocks_of_any_length_are_written_in_milliseconds() -> None:
    table = seated(clock=Clock(10_800_000, 0))
    table.win(0)
    assert tags_in(text_of(recorded(table)))["Clock"] == "10800000+0"
