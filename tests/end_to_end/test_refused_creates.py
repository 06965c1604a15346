"""What cannot be opened leaves nothing behind.

In a file of its own, for a hall of its own where no room ever is: rooms change by themselves.
"""

from typing import Any

import pytest

from end_to_end.requests import assert_refused, kept
from gateway.hall import Hall

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "unknown game": ("no_such_game", {"game": "chess"}),
    "unknown preset": ("bad_options", {"game": "duel", "preset": "none"}),
    "unknown option": ("bad_options", {"game": "duel", "options": {"size": 3}}),
    "option too small": ("bad_options", {"game": "duel", "options": {"tiles": 2}}),
    "option too large": ("bad_options", {"game": "duel", "options": {"tiles": 10}}),
    "true for a number": ("bad_options", {"game": "duel", "options": {"tiles": True}}),
    "number for a truth": ("bad_options", {"game": "chain", "options": {"strict": 1}}),
    "text for a number": ("bad_message", {"game": "duel", "options": {"tiles": "5"}}),
    "fraction": ("bad_message", {"game": "duel", "options": {"tiles": 5.5}}),
    "no rounds": ("bad_message", {"game": "duel", "rounds": 0}),
    "many rounds": ("bad_message", {"game": "duel", "rounds": 17}),
    "short clock": (
        "bad_message",
        {"game": "duel", "clock": {"initial_ms": 999, "increment_ms": 0}},
    ),
    "half a clock": ("bad_message", {"game": "duel", "clock": {"initial_ms": 1000}}),
    "negative increment": (
        "bad_message",
        {"game": "duel", "clock": {"initial_ms": 1000, "increment_ms": -1}},
    ),
    "unknown first": ("bad_message", {"game": "duel", "first": "me"}),
    "empty key": ("bad_message", {"game": "duel", "key": ""}),
    "long key": ("bad_message", {"game": "duel", "key": "k" * 65}),
    "unknown field": ("bad_message", {"game": "duel", "colour": "red"}),
    "no game": ("bad_message", {}),
}


@pytest.mark.parametrize("reason", REFUSED)
async def test_what_cannot_be_created_creates_nothing(hall: Hall, reason: str) -> None:
    code, fields = REFUSED[reason]
    ann = await hall.connect("ann")
    error = await assert_refused(ann, code, "create", **fields)
    assert code != "bad_options" or error["option"] in (*fields.get("options", {}), "preset")
    assert kept(hall) == set()
    assert (await hall.connect("ann", token=ann.token)).welcome["seats"] == []
