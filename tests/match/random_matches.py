"""Random matches: two players and a stranger do what they should and what they should not."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from games.choices import choices
from games.random_games import readable_around
from match.table import ANN, BOB, EVE, PLAYERS, Table, opened
from towerhall_server.games import BadOptions, Game
from towerhall_server.match.actions import (
    Abort,
    Action,
    Claim,
    Move,
    Rematch,
    Resign,
    Say,
    Sit,
    Tick,
)
from towerhall_server.match.clock import Clock
from towerhall_server.match.machine import deadline

clocks = st.none() | st.builds(Clock, st.integers(1_000, 200_000), st.integers(0, 5_000))


@st.composite
def fresh_tables(draw: st.DrawFn, game: Game[Any]) -> Table:
    """A room that has just been opened, with anything that can be agreed on."""
    given = {
        option.name: draw(st.integers(*option.range) if option.range else st.booleans())
        for option in game.options
    }
    try:
        game.resolve(given)
    except BadOptions:
        reject()
    return opened(
        game.id,
        given,
        clock=draw(clocks),
        rounds=draw(st.integers(1, 4)),
        first=draw(st.sampled_from((0, 1))),
    )


def random_action(table: Table, game: Game[Any], rng: Random) -> Action:
    """Mostly a good move; now and then anything at all, from anybody, for any round."""
    match = table.match
    if match.running and rng.random() < 0.8:
        return table.next_move(rng.choice(choices(game, match.position)), rng.randrange(700))
    player, round_ = rng.choice((ANN, BOB, EVE)), max(1, match.round + rng.choice((-1, 0, 0, 0, 1)))
    asked: list[Callable[[], Action]] = [
        lambda: Sit(player, player[:3]),
        lambda: Resign(player, round_),
        lambda: Abort(player, round_),
        lambda: Claim(player, round_, (_away(table, rng), _away(table, rng))),
        lambda: Rematch(player, round_),
        lambda: Rematch(rng.choice(PLAYERS), match.round),
        lambda: Say(player, player[:3], "hm"),
        lambda: Move(player, round_, rng.randrange(5), _any_text(table, game, rng)),
        Tick,
        Tick,
    ]
    return rng.choice(asked)()


def random_wait(table: Table, rng: Random) -> int:
    """A moment, or as long as it takes for something to fall due."""
    due = deadline(table.match)
    if due is not None and rng.random() < 0.1:
        return max(0, due + rng.choice((-1, 0, 499, 500)) - table.now)
    return rng.randrange(3_000)


def _away(table: Table, rng: Random) -> int | None:
    return rng.choice((None, table.now - 59_999, table.now - 60_000, table.now - 86_400_000))


def _any_text(table: Table, game: Game[Any], rng: Random) -> str:
    return rng.choice(["pass", "", "?", *readable_around(game, table.match.position)])
