"""Which matches may be rated, and what they do to the players' ratings."""

import pytest
from glicko2.math.algorithm import update_rating
from glicko2.math.conversions import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from towerhall_server.games import GAMES, Seat, game
from towerhall_server.match import rating
from towerhall_server.match.rating import (
    IDLE_PERIOD_MS,
    PLACED_AFTER,
    Reckoning,
    Standing,
    rated_refusal,
    reckon,
)

NEWCOMER = Standing()
KNOWN = Standing(1600, 60, 0.06, 40, 0)

standings = st.builds(
    Standing,
    value=st.floats(rating.LOWEST, rating.HIGHEST),
    deviation=st.floats(rating.SUREST, rating.LEAST_SURE),
    volatility=st.floats(0.01, rating.MOST_VOLATILE),
    matches=st.integers(0, 10_000),
    at_ms=st.integers(0, 10**14),
)
winners = st.sampled_from((0, 1, None))
times = st.integers(0, 10**14)


@given(one=standings, two=standings, winner=winners, at_ms=times)
def test_no_result_carries_anybody_out_of_bounds(
    one: Standing, two: Standing, winner: Seat | None, at_ms: int
) -> None:
    for before, after in zip((one, two), reckon(one, two, winner, at_ms), strict=True):
        assert rating.LOWEST <= after.value <= rating.HIGHEST
        assert rating.SUREST <= after.deviation <= rating.LEAST_SURE
        assert 0 < after.volatility <= rating.MOST_VOLATILE
        assert (after.matches, after.at_ms) == (before.matches + 1, at_ms)
        assert rating.decode(rating.encode(after)) == after


@given(one=standings, two=standings, at_ms=times)
def test_who_wins_does_not_lose_points_nor_gain_them_by_losing(
    one: Standing, two: Standing, at_ms: int
) -> None:
    for winner in (0, 1):
        after = reckon(one, two, winner, at_ms)
        gains = after[0].value - one.value, after[1].value - two.value
        assert gains[winner] >= 0 >= gains[1 - winner]


@given(one=standings, two=standings, winner=winners, at_ms=times)
def test_the_seats_do_not_matter(
    one: Standing, two: Standing, winner: Seat | None, at_ms: int
) -> None:
    swapped: dict[Seat | None, Seat | None] = {0: 1, 1: 0, None: None}
    straight = reckon(one, two, winner, at_ms)
    assert reckon(two, one, swapped[winner], at_ms) == straight[::-1]


def test_the_library_gives_the_numbers_of_the_papers_example() -> None:
    """Three games in one period, against 1400, 1550 and 1700: the first is won."""
    opponents = ((1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0))
    results = [(rating_to_mu(value), rd_to_phi(rd), score) for value, rd, score in opponents]
    mu, phi, sigma = update_rating(rating_to_mu(1500), rd_to_phi(200), 0.06, results)
    assert mu_to_rating(mu) == pytest.approx(1464.06, abs=0.02)
    assert phi_to_rd(phi) == pytest.approx(151.52, abs=0.01)
    assert sigma == pytest.approx(0.05999, abs=0.00001)


def test_a_win_over_a_stranger_moves_a_newcomer_far_and_an_old_hand_little() -> None:
    one, two = reckon(NEWCOMER, NEWCOMER, 0, 0)
    assert (one.shown.value, two.shown.value) == (1662, 1338)
    one, two = reckon(KNOWN, NEWCOMER, 1, 0)
    assert (one.shown.value, two.shown.value) == (1592, 1732)


def test_a_draw_of_equals_changes_only_how_sure_one_is() -> None:
    one, two = reckon(NEWCOMER, NEWCOMER, None, 0)
    assert one.value == two.value == NEWCOMER.value
    assert one.deviation < NEWCOMER.deviation


def test_who_stayed_away_is_less_well_known() -> None:
    soon, _ = reckon(KNOWN, KNOWN, 0, IDLE_PERIOD_MS - 1)
    late, _ = reckon(KNOWN, KNOWN, 0, IDLE_PERIOD_MS * 73)
    assert soon == replace(reckon(KNOWN, KNOWN, 0, 0)[0], at_ms=soon.at_ms)
    assert late.deviation > soon.deviation
    never, _ = reckon(KNOWN, KNOWN, 0, IDLE_PERIOD_MS * 100_000)
    assert never.deviation < rating.LEAST_SURE


def test_a_rating_is_provisional_until_its_deviation_is_110() -> None:
    standing, matches = NEWCOMER, 0
    while standing.shown.provisional:
        standing, _ = reckon(standing, replace(KNOWN, value=standing.value), None, 0)
        matches += 1
    assert standing.deviation <= 110 and 8 <= matches <= 15


def test_five_matches_give_a_place() -> None:
    assert not replace(NEWCOMER, matches=PLACED_AFTER - 1).has_place
    assert replace(NEWCOMER, matches=5).has_place


def test_what_a_match_did_is_kept() -> None:
    one, two = reckon(NEWCOMER, KNOWN, 0, 0)
    did = Reckoning((NEWCOMER.shown, KNOWN.shown), (one.shown, two.shown))
    assert rating.decode_reckoning(rating.encode(did)) == did


RATED = {
    "strangers": {"singles"},
    "relatives": {"juniper"},
    "duel": {"classic", "grand"},
    "chain": {"classic", "marathon"},
    "builder": {"quarry"},
}


def test_every_preset_that_is_marked_may_be_rated_and_no_other() -> None:
    for rules in GAMES:
        for preset in rules.presets:
            why = rated_refusal(rules, rules.resolve({}, preset.name), 2)
            assert (why is None) == (preset.name in RATED[rules.id])


@pytest.mark.parametrize("rounds", range(1, 17))
def test_an_odd_number_of_rounds_cannot_be_rated(rounds: int) -> None:
    duel = game("duel")
    why = rated_refusal(duel, duel.resolve({}), rounds)
    even = f"A rated match has an even number of rounds, not {rounds}."
    assert why == (even if rounds % 2 else None)


def test_options_count_and_not_the_name_they_came_by() -> None:
    duel = game("duel")
    assert rated_refusal(duel, duel.resolve({"tiles": 7, "towers": 4}), 2) is None
    assert rated_refusal(duel, duel.resolve({"tiles": 6}, "grand"), 2) == (
        "A rated match of Number Tower Duel has the options of the preset classic or grand."
    )
