"""Every refusal, wherever it is made, is one that the wire has."""

import re
from pathlib import Path

import pytest

import towerhall_server
from match.assertions import assert_sayable
from towerhall_protocol.errors import ErrorCode
from towerhall_server.match import refusal
from towerhall_server.match.refusal import Refused

SOURCES = sorted(Path(towerhall_server.__file__).parent.rglob("*.py"))
MADE = re.compile(r'Refused\(\s*"(\w+)"')

REFUSALS = [
    refusal.no_such_room(),
    refusal.not_seated(),
    refusal.room_full(),
    refusal.closed(),
    refusal.game_over("Player 1 has placed every tile: Player 1 wins."),
    refusal.stale_round(3),
    refusal.stale_ply(7),
    refusal.not_your_turn(),
    refusal.not_allowed("Not now."),
    refusal.too_early_to_claim(60_000, 1),
]


def test_every_code_that_is_written_anywhere_in_the_server_is_one_of_the_wire_s() -> None:
    written = {code for path in SOURCES for code in MADE.findall(path.read_text())}
    assert written >= {"no_such_room", "game_over", "illegal_move"}
    assert written <= set(ErrorCode)


@pytest.mark.parametrize("refused", REFUSALS, ids=lambda refused: refused.code)
def test_every_refusal_of_a_match_can_be_sent(refused: Refused) -> None:
    assert_sayable(refused)
    assert str(refused) == refused.sentence


@pytest.mark.parametrize(
    ("needed", "wait", "said"),
    [
        (60_000, 60_000, "60 s."),
        (60_000, 1, "60 s: 1 s more."),
        (60_000, 12_001, "60 s: 13 s more."),
        (86_400_000, 86_399_999, "24 h: 24 h more."),
        (86_400_000, 7_200_000, "24 h: 2 h more."),
        (86_400_000, 7_199_000, "24 h: 7199 s more."),
    ],
)
def test_how_long_to_wait_is_rounded_up(needed: int, wait: int, said: str) -> None:
    sentence = refusal.too_early_to_claim(needed, wait).sentence
    assert sentence == f"You can claim the win when your opponent has been away for {said}"
