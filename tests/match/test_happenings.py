"""The room's log: every happening comes back from its bytes."""

from typing import get_args

import msgspec
import pytest

from match.logs import EVERY_KIND
from towerhall_server.match.happenings import (
    AnyHappening,
    Entry,
    decode,
    decode_publication,
    encode,
    encode_publication,
    entries_of,
)


def test_there_is_an_example_of_every_kind() -> None:
    assert {type(entry.happening) for entry in EVERY_KIND} == set(get_args(AnyHappening))


@pytest.mark.parametrize("entry", EVERY_KIND, ids=lambda entry: type(entry.happening).__name__)
def test_an_entry_comes_back_from_its_bytes(entry: Entry) -> None:
    assert decode(encode(entry)) == entry
    assert encode(decode(encode(entry))) == encode(entry)


@pytest.mark.parametrize("entry", EVERY_KIND, ids=lambda entry: type(entry.happening).__name__)
def test_the_bytes_are_number_time_and_a_map_with_its_kind(entry: Entry) -> None:
    seq, at_ms, happening = msgspec.msgpack.decode(encode(entry))
    assert (seq, at_ms) == (entry.seq, entry.at_ms)
    assert happening.pop("kind") == type(entry.happening).__struct_config__.tag
    assert set(happening) == set(entry.happening.__struct_fields__)


@pytest.mark.parametrize(
    "blob", [b"", b"\xc0", b"\x93\x01\x02\xc0", b"\x93\x01\x02\x81\xa4kind\xa3odd"]
)
def test_bytes_that_are_no_entry_are_refused(blob: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(blob)


def test_what_is_published_of_a_commit_has_its_entries_as_the_log_has_them() -> None:
    blobs = [encode(entry) for entry in EVERY_KIND]
    publication = decode_publication(encode_publication("node-1", 99, blobs))
    assert (publication.node, publication.top) == ("node-1", 99)
    assert entries_of(publication) == EVERY_KIND
