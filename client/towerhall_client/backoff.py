"""How long to wait before the next attempt to connect."""

import random

FIRST_S = 0.5
LONGEST_S = 15.0


class BackOff:
    """Twice as long each time, up to a limit, and never at the same moment as everybody else."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self._chance = chance or random.Random()  # noqa: S311 - no secret is made of it
        self.attempt = 0

    def pause(self) -> float:
        self.attempt += 1
        longest = min(FIRST_S * 2.0 ** (self.attempt - 1), LONGEST_S)
        return longest * self._chance.uniform(0.5, 1.0)
