"""Records: what the hall writes is read back without loss, as text and as JSON lines."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.record_writer import write
from games.assertions import every_game
from match.assertions import attempt
from match.random_matches import fresh_tables, random_action
from towerhall_client.record import (
    BadRecord,
    Record,
    RecordedMove,
    from_json_lines,
    read,
    read_any,
    to_json_lines,
)
from towerhall_server.games import Game
from towerhall_server.match.actions import Sit
from towerhall_server.records import text_of

SHORT = """\
[Game "duel"]
[Options "tiles=3 towers=2"]
[Player1 "ann"]
[First "2"]
[Result "0-1"]
[Reason "lower_sum"]

1. 3A {181000} 2. 1B {181000} 3. pass 4. pass 0-1
"""


@every_game
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_what_the_hall_writes_is_read_back_without_loss(
    game: Game[Any], data: st.DataObject, seed: int
) -> None:
    table = data.draw(fresh_tables(game))
    table.do(Sit("bob", "bob"))
    rng = Random(seed)
    for _ in range(60):
        attempt(table.wait(rng.randrange(3_000)), random_action(table, game, rng))
    for kept in table.records:
        text = text_of(kept)
        record = read(text)
        assert write(record) == text
        assert from_json_lines(to_json_lines(record)) == record
        assert (record.game, record.first) == (game.id, kept.first)
        assert [move.text for move in record.moves] == [move.text for move in kept.moves]
        assert [move.forced for move in record.moves] == [move.forced for move in kept.moves]
        assert record.options == kept.settings.options


def test_a_record_is_tags_moves_clocks_and_a_result() -> None:
    record = read(SHORT)
    assert record.moves[0] == RecordedMove("3A", 181_000)
    assert record.moves[2] == RecordedMove("pass")
    assert record.options == {"tiles": 3, "towers": 2}
    assert record.players == ("ann", "Player 2")
    assert record.result == "0-1"
    assert read_any(to_json_lines(record)) == read_any(SHORT) == record


tags = st.dictionaries(
    st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True).filter(
        lambda name: name not in ("Game", "First", "Options", "Result")
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30),
    max_size=4,
)


@given(more=tags, moves=st.lists(st.from_regex(r"[0-9]{1,4}[A-F]?", fullmatch=True), max_size=90))
def test_anybodys_record_is_written_and_read(more: dict[str, str], moves: list[str]) -> None:
    own = {"Game": "duel", "First": "1", **more}
    record = Record(own, tuple(RecordedMove(move) for move in moves), "*")
    assert read(write(record)) == record
    assert all(len(line) <= 80 for line in write(record).partition("\n\n")[2].splitlines())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 0: the result is missing"),
        ("1. 2A *", "the tag Game is missing"),
        ('[Game "duel"]\n\n1. 2A *', "the tag First must say 1 or 2"),
        ("[Game duel]\n\n*", r'line 1: a tag looks like \[Name "value"\]'),
        ('[Game "a"]\n[Game "b"]\n\n*', "line 2: the tag Game is there twice"),
        (SHORT.replace("2. 1B", "3. 1B"), "line 8: move 2 is due, not 3"),
        (SHORT.replace(" 0-1\n", "\n"), "the result is missing: 1-0, 0-1"),
        (SHORT.replace("pass 0-1", "pass 1-0"), "the tag Result says 0-1"),
        (SHORT + "5. 2A\n", "line 9: nothing may follow the result 0-1"),
        (SHORT.replace("3. pass", "{1} 3. pass"), "a clock follows a move"),
        (SHORT.replace("tiles=3", "tiles"), "the option tiles is not of the form name=value"),
        ("{}", "line 1: this is not a line of a record"),
        ('{"tags": {}}\nno', "line 2: this is not JSON"),
        ('{"ply": 0, "move": "1"}', "the tags are missing"),
        (
            SHORT.replace("tiles=3", f"tiles={'9' * 23}"),
            "line 1: the number 9{15}… has more than 15",
        ),
        (SHORT.replace("2. 1B", f"{'2' * 5000}. 1B"), "line 8: the number 2{15}… has more"),
        (SHORT.replace("{181000}", f"{{{'1' * 5000}}}", 1), "line 8: the number 1{15}… has more"),
        (f'{{"tags": {"[" * 100_000}', "line 1: this is nested too deeply"),
        (f'{{"ply": {"1" * 5000}}}', "line 1: this is not JSON"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        read_any(text)
