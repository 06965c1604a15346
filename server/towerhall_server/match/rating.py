"""How strong players are, by Glicko-2, and which matches count for it. Pure: time is an argument.

A match is one result: won, lost or drawn. Each match is a rating period of its own, as it is on
most servers for play at any hour; five days without a match are one, too, in which the player's
deviation grows. The mathematics are the library's; what is out of bounds is brought back in, so
that no strange series of results can carry anybody away.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from glicko2.math.algorithm import update_rating
from glicko2.math.conversions import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi
from msgspec import Struct

from towerhall_server.games import Game, Seat
from towerhall_server.match.state import Rating, Record

PROVISIONAL_ABOVE = 110
"""A deviation: above it the value is a first guess."""
PLACED_AFTER = 5
"""Rated matches of a game after which a player has a place among its best."""
IDLE_PERIOD_MS = 5 * 86_400_000
MOST_IDLE_PERIODS = 1_000
LOWEST, HIGHEST = 100.0, 4000.0
SUREST, LEAST_SURE = 45.0, 350.0
MOST_VOLATILE = 0.1


class Standing(Struct, frozen=True, array_like=True):
    """What is known of a player's strength at one game, unrounded. The default is a newcomer's."""

    value: float = 1500.0
    deviation: float = LEAST_SURE
    volatility: float = 0.06
    matches: int = 0
    at_ms: int = 0
    """When the last match ended, as a time of day."""

    @property
    def shown(self) -> Rating:
        return Rating(
            value=round(self.value),
            deviation=round(self.deviation),
            provisional=self.deviation > PROVISIONAL_ABOVE,
            matches=self.matches,
        )

    @property
    def has_place(self) -> bool:
        return self.matches >= PLACED_AFTER


class Reckoning(Struct, frozen=True, array_like=True):
    """What a rated match did, by seat."""

    before: tuple[Rating, Rating]
    after: tuple[Rating, Rating]


def rated_refusal(rules: Game[Any], options: Mapping[str, int], rounds: int) -> str | None:
    """Why a match like this cannot be rated; None if it can. The options are resolved ones."""
    if rounds % 2:
        return f"A rated match has an even number of rounds, not {rounds}."
    rated = [preset.name for preset in rules.presets if preset.rated]
    if any(rules.resolve({}, name) == options for name in rated):
        return None
    presets = " or ".join(rated)
    return f"A rated match of {rules.title} has the options of the preset {presets}."


def is_rated(record: Record) -> bool:
    """Whether the match that ended with this round counts: nobody won or drew an aborted one."""
    return record.match_over and record.settings.rated and record.result.reason != "aborted"


def reckon(
    one: Standing, two: Standing, winner: Seat | None, at_ms: int
) -> tuple[Standing, Standing]:
    """Both players' standings after a match that ended then; no winner is a draw."""
    score = 0.5 if winner is None else float(winner == 0)
    one, two = _rested(one, at_ms), _rested(two, at_ms)
    return _played(one, two, score, at_ms), _played(two, one, 1 - score, at_ms)


def _rested(standing: Standing, at_ms: int) -> Standing:
    if not standing.matches:
        return standing
    periods = min((at_ms - standing.at_ms) // IDLE_PERIOD_MS, MOST_IDLE_PERIODS)
    for _ in range(periods):
        standing = _updated(standing, [])
    return standing


def _played(standing: Standing, opponent: Standing, score: float, at_ms: int) -> Standing:
    result = (rating_to_mu(opponent.value), rd_to_phi(opponent.deviation), score)
    after = _updated(standing, [result])
    return msgspec.structs.replace(after, matches=standing.matches + 1, at_ms=at_ms)


def _updated(standing: Standing, results: list[tuple[float, float, float]]) -> Standing:
    mu, phi = rating_to_mu(standing.value), rd_to_phi(standing.deviation)
    new = update_rating(mu, phi, standing.volatility, results)
    return msgspec.structs.replace(
        standing,
        value=min(max(mu_to_rating(new.mu), LOWEST), HIGHEST),
        deviation=min(max(phi_to_rd(new.phi), SUREST), LEAST_SURE),
        volatility=min(new.sigma, MOST_VOLATILE),
    )


_encoder = msgspec.msgpack.Encoder()
_standings = msgspec.msgpack.Decoder(Standing)
_reckonings = msgspec.msgpack.Decoder(Reckoning)


def encode(value: Standing | Reckoning) -> bytes:
    return _encoder.encode(value)


def decode(blob: bytes | None) -> Standing:
    """Of somebody who is not known: a newcomer's."""
    return _standings.decode(blob) if blob else Standing()


def decode_reckoning(blob: bytes) -> Reckoning:
    return _reckonings.decode(blob)
