"""A pool's name says all that a seek wants, and nothing else."""

import pytest

from towerhall_server.games import game
from towerhall_server.lobby.pool import name_of, seek_of, settings_of, sought
from towerhall_server.match.clock import Clock
from towerhall_server.match.state import Settings


def seek(
    game_id: str = "strangers",
    preset: str = "classic",
    clock: Clock | None = None,
    rounds: int = 2,
    rated: bool = False,
    **options: int,
) -> Settings:
    rules = game(game_id)
    return sought(rules, rules.resolve(options, preset), clock, rounds, rated)


def test_a_name_leads_back_to_its_settings() -> None:
    wanted = seek(clock=Clock(60_000, 1_000), rated=True, pool=20)
    assert settings_of(name_of(wanted)) == wanted


def test_a_preset_and_its_options_are_the_same_seek() -> None:
    spelled = seek(pool=20, copies=1, one_may_open=False)
    assert name_of(spelled) == name_of(seek(preset="singles"))
    assert spelled.preset == "singles"


def test_options_that_no_preset_has_go_by_the_usual_name() -> None:
    assert seek(preset="singles", pool=21).preset == "classic"


@pytest.mark.parametrize(
    "other",
    [
        seek(pool=10),
        seek(clock=Clock(60_000, 0)),
        seek(rounds=4),
        seek(rated=True),
        seek("relatives"),
    ],
)
def test_seeks_that_differ_wait_apart(other: Settings) -> None:
    assert name_of(other) != name_of(seek())


def test_strangers_meet_where_all_may_watch() -> None:
    assert seek().listed


def test_a_seek_is_shown_as_it_was_resolved() -> None:
    shown = seek_of(seek("duel"), 7)
    assert (shown.options, shown.preset, shown.since_ms) == (
        {"tiles": 5, "towers": 3},
        "classic",
        7,
    )
