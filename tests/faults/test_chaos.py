"""All at once, at random; the long form is chaos.py."""

import sys

import pytest

from faults.chaos import Chaos, Plan
from faults.hall import Hall


@pytest.mark.timeout(240)
async def test_ten_games_survive_a_storm_of_kills(hall: Hall) -> None:
    report = await Chaos(hall, Plan(games=10, at_once=10, kills=15, seconds=60)).run()
    sys.stdout.write(f"{report}\n")
    assert report.games >= 10 and report.kills >= 10
