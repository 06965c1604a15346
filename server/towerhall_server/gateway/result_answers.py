"""The answers about results: the best players of a game, and one's own matches."""

import re
import time

from msgspec import UnsetType

from towerhall_protocol.lobby import Leader, PastMatch
from towerhall_protocol.replies import History, Leaders, ServerMessage
from towerhall_protocol.requests import HistoryRequest, LeadersRequest
from towerhall_protocol.rooms import Player
from towerhall_server.games import game
from towerhall_server.gateway.session import Session
from towerhall_server.match import rating
from towerhall_server.match.past import Past
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Sitter
from towerhall_server.store import Place
from towerhall_server.wire import rating_info

_MATCH = re.compile(r"[0-9a-z]{16,40}-[0-9]{1,9}")


async def leaders(session: Session, player: Sitter, request: LeadersRequest) -> ServerMessage:
    _check_tables(session)
    rules = game(request.game)
    best = await session.hall.clerk.leaders(rules.id, player.player)
    return Leaders(
        re=request.id,
        game=rules.id,
        best=[_leader(place) for place in best.places],
        own=_leader(best.own) if best.own else None,
        players=best.players,
    )


async def history(session: Session, player: Sitter, request: HistoryRequest) -> ServerMessage:
    _check_tables(session)
    before = None if isinstance(request.before, UnsetType) else request.before
    if before is not None and not _MATCH.fullmatch(before):
        sentence = "`before` must be the `before` of another page of your history."
        raise Refused("bad_message", sentence, field="before")
    matches, following = await session.hall.clerk.history(player.player, before)
    return History(re=request.id, matches=[_past_match(one) for one in matches], before=following)


def _leader(place: Place) -> Leader:
    shown = rating_info(rating.decode(place.rating).shown)
    return Leader(rank=place.rank, player=place.player, name=place.name, rating=shown)


def _past_match(past: Past) -> PastMatch:
    opponent, name = past.opponent
    return PastMatch(
        id=past.id,
        room=past.room,
        code=past.code,
        game=past.game,
        title=game(past.game).title,
        preset=past.preset,
        rated=past.rated,
        rounds=past.rounds,
        match=past.match,
        round=past.round,
        seat=past.seat,
        opponent=Player(id=opponent, name=name),
        score=past.score,
        winner=past.winner,
        reason=past.reason,
        text=past.text,
        at_ms=past.at_ms,
        rating=rating_info(past.rating) if past.rating else None,
        change=past.change,
    )


def _check_tables(session: Session) -> None:
    """Each is a hundred looks into the store."""
    if not session.tables.take(time.monotonic()):
        raise Refused("rate_limited", "Too many tables at once; wait a second.")
