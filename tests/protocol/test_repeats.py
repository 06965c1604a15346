import json
from typing import Any

import msgpack
import pytest

from protocol.examples import REQUESTS
from protocol.frames import map_of, plain_of
from protocol.refusals import assert_bad_message

CREATE = {"type": "create", "id": 5, "game": "duel"}
MOVE = plain_of(REQUESTS[11])
TWICE = [
    (CREATE, "game", "duel"),
    (CREATE, "type", "create"),
    (MOVE, "move", "4A"),
    (MOVE, "type", "move"),
    ({"type": "ping", "id": 1}, "type", "ping"),
    ({"type": "hello", "id": 1, "name": "ada"}, "name", "bob"),
    ({"type": "say", "id": 1, "room": "r", "text": 'a"b'}, "text", "c"),
]


@pytest.mark.parametrize(("plain", "field", "value"), TWICE)
def test_a_field_given_twice_is_refused(plain: dict[str, Any], field: str, value: Any) -> None:
    text = json.dumps(plain)
    escaped = f"\\u{ord(field[0]):04x}{field[1:]}"
    more = json.dumps(value)
    for frame in (
        map_of(*plain.items(), (field, value)),
        map_of((field, value), *plain.items()),
        f'{text[:-1]}, "{field}": {more}}}',
        f'{{"{field}": {more}, {text[1:]}',
        f'{text[:-1]}, "{escaped}": {more}}}',
    ):
        refusal = assert_bad_message(frame)
        assert (refusal.field, refusal.re) == (field, plain["id"])
        assert refusal.sentence == f"`{field}` is given twice."


def test_an_id_given_twice_is_not_answered_by_either() -> None:
    for frame in (
        map_of(("type", "ping"), ("id", 1), ("id", 2)),
        '{"type": "ping", "id": 1, "id": 2}',
    ):
        refusal = assert_bad_message(frame)
        assert (refusal.field, refusal.re) == ("id", None)


def test_a_key_given_twice_inside_a_field_is_refused() -> None:
    head = b"\x84" + msgpack.packb(CREATE)[1:]
    same_name_with_a_longer_head = b"\x82\xa5tiles\x05\xd9\x05tiles\x06"
    for frame in (
        head + msgpack.packb("options") + map_of(("tiles", 5), ("tiles", 6)),
        head + msgpack.packb("options") + same_name_with_a_longer_head,
        json.dumps(CREATE)[:-1] + ', "options": {"tiles": 5, "til\\u0065s": 6}}',
    ):
        refusal = assert_bad_message(frame)
        assert refusal.sentence == "`tiles` is given twice."
    clock = map_of(("initial_ms", 1_000), ("increment_ms", 0), ("initial_ms", 2_000))
    assert_bad_message(head + msgpack.packb("clock") + clock)
    hostile = map_of(("\x1b[0m", 5), ("\x1b[0m", 6))
    refusal = assert_bad_message(head + msgpack.packb("options") + hostile)
    assert refusal.sentence == "There is a key that is given twice."
