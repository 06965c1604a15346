import copy
import json
from pathlib import Path

import jsonschema
import pytest

from protocol.examples import ALL, REQUESTS, SERVER_MESSAGES, name_of
from protocol.frames import plain_of
from towerhall_protocol import Request, ServerMessage
from towerhall_protocol.schema import schema, text

PAGE = Path(__file__).parents[2] / "docs" / "protocol.schema.json"
SCHEMA = schema()


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(SCHEMA | {"anyOf": [{"$ref": f"#/$defs/{name}"}]})


CLIENT_SAYS, SERVER_SAYS = validator("ClientSays"), validator("ServerSays")


def test_the_committed_schema_is_current() -> None:
    assert PAGE.read_text() == text(), (
        "run: python -m towerhall_protocol.schema > docs/protocol.schema.json"
    )


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(text()))


@pytest.mark.parametrize("message", ALL, ids=name_of)
def test_every_message_is_valid_by_its_own_schema(message: Request | ServerMessage) -> None:
    validator(name_of(message)).validate(plain_of(message))


@pytest.mark.parametrize("message", REQUESTS, ids=name_of)
def test_a_request_is_what_a_client_says(message: Request) -> None:
    CLIENT_SAYS.validate(plain_of(message))
    assert not SERVER_SAYS.is_valid(plain_of(message))
    assert not CLIENT_SAYS.is_valid(plain_of(message) | {"colour": "red"})


@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=name_of)
def test_a_server_message_is_what_the_server_says(message: ServerMessage) -> None:
    plain = plain_of(message)
    SERVER_SAYS.validate(plain)
    SERVER_SAYS.validate(plain | {"brand_new": 1})
    assert not CLIENT_SAYS.is_valid(plain)
    untyped = copy.deepcopy(plain)
    del untyped["type"]
    assert not SERVER_SAYS.is_valid(untyped)
