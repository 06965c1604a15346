"""What older versions stored is read; what a newer one stored is refused, and left as it is.

The files in golden/ were written by the versions that they are named for. They are never written
anew: a change that cannot read them would strand the games of a hall that is upgraded.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from match.table import Table, small_duel
from towerhall_server.match import state
from towerhall_server.match.state import FORMAT, NewerFormat

GOLDEN = Path(__file__).with_name("golden")
EVERY_FORMAT = range(FORMAT + 1)


def finished() -> Table:
    """The match of the golden files."""
    return small_duel().play("3A 1B 2B 3B")


@pytest.mark.parametrize("number", EVERY_FORMAT)
def test_a_match_of_every_format_is_read(number: int) -> None:
    blob = (GOLDEN / f"match.{number}.msgpack").read_bytes()
    assert state.decode(blob) == replace(finished().match, format=number)


@pytest.mark.parametrize("number", EVERY_FORMAT)
def test_a_record_of_every_format_is_read(number: int) -> None:
    blob = (GOLDEN / f"record.{number}.msgpack").read_bytes()
    record = finished().records[-1]
    if number < 1:
        record = replace(record, code="", ended_ms=0, score=(0, 0), match_winner=None)
    assert state.decode_record(blob) == record


def test_what_is_stored_now_is_the_newest_golden() -> None:
    """If this fails, FORMAT is due to rise, and a pair of golden files to be added."""
    table = finished()
    match, record = state.encode(table.match), state.encode_record(table.records[-1])
    assert match == (GOLDEN / f"match.{FORMAT}.msgpack").read_bytes()
    assert record == (GOLDEN / f"record.{FORMAT}.msgpack").read_bytes()


@pytest.mark.parametrize("number", [FORMAT + 1, 127])
def test_a_newer_format_is_refused_by_its_number(number: int) -> None:
    table = finished()
    match, record = state.encode(table.match), state.encode_record(table.records[-1])
    newer = bytes([number])
    with pytest.raises(NewerFormat, match=f"format {number}, and this node knows up to {FORMAT}"):
        state.decode(newer + match[1:])
    with pytest.raises(NewerFormat):
        state.decode_record(newer + record[1:])
