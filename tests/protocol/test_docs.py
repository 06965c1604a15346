"""The page for client authors has all that the code has, and nothing else."""

import re
from typing import Any

import pytest
from msgspec import Struct, inspect

from protocol import page
from protocol.shapes import fields_of, parts_of
from towerhall_protocol import JSON, MSGPACK, limits
from towerhall_protocol.codec import ANSWERS, EVENTS, PUSHES, REQUESTS, wire_name
from towerhall_protocol.errors import CloseCode, ErrorCode
from towerhall_protocol.events import RoomEvent
from towerhall_protocol.replies import Error

GROUPS = [
    ("Requests", "Every request", REQUESTS),
    ("Replies and pushes", "Every reply", ANSWERS + PUSHES),
    ("Events", "Every event", EVENTS),
]


@pytest.mark.parametrize(("section", "common", "kinds"), GROUPS)
def test_the_page_has_every_message_with_its_fields(
    section: str, common: str, kinds: tuple[type[Struct], ...]
) -> None:
    on_page = page.messages(section)
    shared = {field.rstrip("?") for field in on_page.pop(common)}
    in_code = {
        wire_name(kind): {
            field: type_
            for field, type_ in fields_of(kind).items()
            if field.rstrip("?") not in shared
        }
        for kind in kinds
    }
    assert on_page == in_code


def test_the_page_has_the_fields_that_all_messages_share() -> None:
    assert page.messages("Requests")["Every request"] == {"type": "text", "id": "number"}
    assert page.messages("Replies and pushes")["Every reply"] == {"type": "text", "re?": "number"}
    event = page.messages("Events")["Every event"]
    assert set(event) == {*RoomEvent.__struct_fields__, "kind"}


def test_the_page_has_every_part_with_its_fields() -> None:
    parts = parts_of(REQUESTS + ANSWERS + PUSHES + EVENTS)
    in_code = {part.__name__: fields_of(part) for part in parts}
    assert page.messages("Parts of messages") == in_code


def test_the_page_has_every_error_code() -> None:
    on_page = {code.strip("`"): temporary for code, temporary, _ in page.rows(_section("Errors"))}
    assert on_page == {code.value: "yes" if code.temporary else "no" for code in ErrorCode}


def test_the_page_has_every_close_code() -> None:
    on_page = [row[:3] for row in page.rows(_section("Close codes"))]
    assert on_page == [
        [str(code.value), f"`{code.name.lower()}`", "yes" if code.reconnect else "no"]
        for code in CloseCode
    ]


def test_the_page_has_the_limits() -> None:
    on_page = dict(page.rows(_section("Limits")))
    in_code = {
        "bytes in a client's frame": limits.FRAME_LIMIT,
        "largest number": limits.MAX_WHOLE,
        "milliseconds to say hello": limits.HELLO_WITHIN_MS,
        "connections of a player": limits.CONNECTIONS_PER_PLAYER,
        "characters of a key": _most(limits.Key),
        "milliseconds a key is remembered": limits.KEY_KEPT_MS,
        "characters of a chat line": _most(limits.ChatText),
        "rounds of a match": _most(limits.Rounds),
        "events kept of a room": limits.EVENTS_KEPT,
        "bits of a token": limits.TOKEN_BITS,
        "options in a request": _most(limits.OptionsAsked),
        "moves in a replay": _most(limits.MovesRead),
    }
    assert on_page == {name: f"{number:,}" for name, number in in_code.items()}


def test_the_page_names_the_numbers_in_its_prose() -> None:
    initial, increment = limits.DEFAULT_INITIAL_MS, limits.DEFAULT_INCREMENT_MS
    for said in (
        f"port {limits.DEFAULT_PORT}",
        f"at most {limits.FRAME_LIMIT:,} bytes",
        f"{initial:,} + {increment:,} ms if left out",
        f"1 to 16; {limits.DEFAULT_ROUNDS} if left out",
        f"{limits.DEFAULT_SEEK_ROUNDS} if left out, so that",
        f"`{limits.DEFAULT_PRESET}` if left out",
        f"hold {limits.CONNECTIONS_PER_PLAYER} connections",
        f"keeps the last {limits.EVENTS_KEPT:,} of a room",
        f"within {limits.HELLO_WITHIN_MS // 1_000} seconds",
        f"within {limits.KEY_KEPT_MS // 60_000} minutes",
        MSGPACK.name,
        JSON.name,
    ):
        assert said in " ".join(page.TEXT.split()), said


def test_a_request_on_the_page_names_its_reply() -> None:
    answers = {wire_name(kind) for kind in ANSWERS}
    for title, text in page.split(page.SECTIONS["Requests"], "###").items():
        if title != "Every request":
            named = re.findall(r"nswered by `(\w+)`", text)
            assert named, title
            assert set(named) <= answers


def test_what_is_said_on_the_page_can_be_read() -> None:
    requests = [JSON.decode_request(line) for line in page.spoken("C")]
    answers = [JSON.decode_server_message(line) for line in page.spoken("S")]
    assert len(requests) >= 4
    assert len(answers) >= 7
    assert None not in answers
    codes = {answer.code for answer in answers if isinstance(answer, Error)}
    assert codes <= set(ErrorCode)


def test_the_events_on_the_page_are_numbered_without_a_gap() -> None:
    told = [JSON.decode_server_message(line) for line in page.spoken("S")]
    assert [message.seq for message in told if isinstance(message, RoomEvent)] == [2, 3, 4]


def _section(title: str) -> str:
    return page.SECTIONS[title]


def _most(limited: Any) -> int:
    """The upper bound that is in a type."""
    info: Any = inspect.type_info(limited)
    most = info.le if isinstance(info, inspect.IntType) else info.max_length
    assert isinstance(most, int)
    return most
