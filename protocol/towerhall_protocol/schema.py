"""The JSON Schema of every message, made from the types.

`python -m towerhall_protocol.schema > docs/protocol.schema.json`
"""

import json
import sys
from typing import Any

import msgspec

from towerhall_protocol.codec import ANSWERS, EVENTS, PUSHES, REQUESTS

_GROUPS = {"ClientSays": REQUESTS, "ServerSays": ANSWERS + PUSHES + EVENTS}
_REF = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """One document; `$defs/ClientSays` and `$defs/ServerSays` are its two halves."""
    kinds = [kind for group in _GROUPS.values() for kind in group]
    _, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    for kind in EVENTS:
        _require_type(components[kind.__name__])
    halves = {
        name: {"anyOf": [{"$ref": _REF.format(name=kind.__name__)} for kind in group]}
        for name, group in _GROUPS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "towerhall, the wire, version 1",
        "anyOf": [{"$ref": _REF.format(name=name)} for name in _GROUPS],
        "$defs": halves | components,
    }


def _require_type(event: dict[str, Any]) -> None:
    """An event's `type` is a default in Python only; on the wire it is never left out."""
    del event["properties"]["type"]["default"]
    event["required"].append("type")


def text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
