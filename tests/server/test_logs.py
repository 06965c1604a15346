"""Logs: structured, in one line each, and without a token in them (row 19)."""

import hashlib
import io
import json
import logging
import secrets
from collections.abc import Iterator

import pytest

from towerhall_server import logs
from towerhall_server.logs import Log, clean

log = Log("towerhall_server.test")


@pytest.fixture(autouse=True)
def unchanged_logging() -> Iterator[None]:
    root = logging.getLogger()
    kept = root.handlers[:], root.level, logging.raiseExceptions
    yield
    root.handlers[:], logging.raiseExceptions = kept[0], kept[2]
    root.setLevel(kept[1])


def written(form: str) -> io.StringIO:
    stream = io.StringIO()
    logs.configure("info", form, stream)
    return stream


def test_a_text_line_has_time_level_sentence_and_fields() -> None:
    stream = written("text")
    log.info("A store starts.", pid=12, where="a b", ready=True)
    time, line = stream.getvalue().split(" ", 1)
    assert time.endswith("Z")
    assert line == 'info    towerhall_server.test: A store starts. pid=12 where="a b" ready=true\n'


def test_a_json_line_has_the_same() -> None:
    stream = written("json")
    log.warning("A store starts.", pid=12, message="not the sentence")
    line = json.loads(stream.getvalue())
    assert (line["level"], line["message"], line["pid"]) == ("warning", "A store starts.", 12)


def test_what_is_below_the_level_is_not_written() -> None:
    stream = written("text")
    log.debug("Nothing.")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("attempt", range(20))
def test_row_19_no_token_gets_in_by_any_way(form: str, attempt: int) -> None:
    token = secrets.token_urlsafe(32)
    stored = hashlib.sha256(token.encode()).hexdigest()
    stream = written(form)
    for secret in (token, stored, stored.upper()):
        log.error(f"Said {secret}.", field=secret, within=f"t={secret}&x", joined=f"x-{secret}")
        logging.getLogger("library").error("Said %r and %s.", {"token": secret}, [secret])
        log.exception("It failed.", ValueError(f"bad {secret}"))
    assert token not in stream.getvalue()
    assert stored not in stream.getvalue().lower()
    assert logs.REMOVED in stream.getvalue()


def test_row_19_the_websocket_library_never_writes_out_frames() -> None:
    stream = written("text")
    logs.configure("debug", "text", stream)
    logging.getLogger("websockets.server").debug("< TEXT a frame")
    assert stream.getvalue() == ""


def test_the_password_of_a_url_is_taken_out() -> None:
    assert clean("no store at redis://user:hunter2@host:6379/0") == (
        "no store at redis://user:[removed]@host:6379/0"
    )


def test_a_long_name_of_a_function_stays() -> None:
    name = "test_a_very_long_name_of_a_function_that_has_more_than_43_letters"
    assert clean(name) == name


@pytest.mark.parametrize(
    "hostile",
    ["\n2026 info forged", "\x1b[2J", "\r", "\x00", "\x7f", "\x9b", "\u202e", "\u200b", "\u2028"],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_value_forges_a_line_or_paints_the_terminal(form: str, hostile: str) -> None:
    stream = written(form)
    log.info(f"Sentence {hostile}", field=hostile)
    assert len(stream.getvalue().splitlines()) == 1
    assert hostile[0] not in stream.getvalue().rstrip("\n")


def test_every_line_of_a_traceback_is_marked() -> None:
    stream = written("text")
    log.exception("It failed.", ValueError("first\n2026-01-01 info    forged: line"))
    first, *rest = stream.getvalue().splitlines()
    assert first.endswith("It failed.")
    assert rest and all(line.startswith("  | ") for line in rest)
