"""A room as the lobby shows it."""

from typing import Any

from towerhall_protocol.lobby import LiveRoom, OpenRoom
from towerhall_server.games import game
from towerhall_server.match.state import Match


def open_room(match: Match) -> OpenRoom:
    settings, creator = match.settings, match.sitters[0]
    assert creator  # noqa: S101 - nobody opens a room without sitting down
    clock: Any = settings.clock
    rating: Any = creator.rating
    return OpenRoom(
        room=match.room,
        code=match.code,
        game=settings.game,
        title=game(settings.game).title,
        preset=settings.preset,
        options=dict(settings.options),
        clock=clock,
        rounds=settings.rounds,
        rated=settings.rated,
        by=creator.name,
        rating=rating,
        since_ms=match.created_ms,
    )


def live_room(match: Match, watchers: int, since_ms: int) -> LiveRoom:
    settings, (one, two) = match.settings, match.sitters
    assert one and two  # noqa: S101 - nobody plays alone
    clock: Any = settings.clock
    clocks: Any = match.clocks
    ratings: Any = (one.rating, two.rating)
    return LiveRoom(
        room=match.room,
        code=match.code,
        game=settings.game,
        title=game(settings.game).title,
        preset=settings.preset,
        rated=settings.rated,
        names=(one.name, two.name),
        ratings=ratings,
        rounds=settings.rounds,
        round=match.round,
        ply=len(match.position.moves),
        score=match.score,
        clock=clock,
        clocks=clocks,
        watchers=watchers,
        since_ms=since_ms,
    )
