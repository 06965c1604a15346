"""The room's log: every happening comes back from its bytes."""

from typing import get_args

import msgspec
import pytest

from match.logs import EVERY_KIND
from match.table import Line
from towerhall_server.match.happenings import (
    AnyHappening,
    decode,
    encode,
    entry,
    happening_of,
    readable,
)

every_kind = pytest.mark.parametrize(
    "line", EVERY_KIND, ids=lambda line: type(line.happening).__name__
)


def test_there_is_an_example_of_every_kind() -> None:
    assert {type(line.happening) for line in EVERY_KIND} == set(get_args(AnyHappening))


@every_kind
def test_an_entry_comes_back_from_its_bytes(line: Line) -> None:
    stored = encode(entry(*line))
    back = decode(stored)
    assert (back.seq, back.at_ms, happening_of(back)) == line
    assert encode(back) == stored


@every_kind
def test_the_bytes_are_number_time_and_a_map_with_its_kind(line: Line) -> None:
    seq, at_ms, happening = msgspec.msgpack.decode(encode(entry(*line)))
    assert (seq, at_ms) == (line.seq, line.at_ms)
    assert happening.pop("kind") == type(line.happening).__struct_config__.tag
    assert set(happening) == set(line.happening.__struct_fields__)


@pytest.mark.parametrize("blob", [b"", b"\xc0", b"\x92\x01\x02", b"\x93\x01\xa1x\x80"])
def test_bytes_that_are_no_entry_are_refused_and_passed_over(blob: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(blob)
    sound = [entry(*line) for line in EVERY_KIND]
    assert readable([*map(encode, sound), blob]) == sound


def test_an_entry_with_more_in_it_than_is_known_here_is_read() -> None:
    newer = msgspec.msgpack.encode([7, 1234, {"kind": "danced", "steps": 3}, "new"])
    (read,) = readable([newer])
    assert (read.seq, read.at_ms) == (7, 1234)
    assert msgspec.msgpack.decode(read.happening) == {"kind": "danced", "steps": 3}
