"""The answers of the lobby: seeking an opponent, and seeing what is on."""

from functools import partial

from msgspec import UNSET

from towerhall_protocol.replies import Ok, Seeking, ServerMessage
from towerhall_protocol.requests import LobbyRequest, SeekRequest, Unseek
from towerhall_server.games import game
from towerhall_server.gateway.checks import check_follows, check_new_rooms, clock_of
from towerhall_server.gateway.seats import seat_of_seek
from towerhall_server.gateway.session import Session
from towerhall_server.lobby.pool import sought
from towerhall_server.match import refusal
from towerhall_server.match.rating import rated_refusal
from towerhall_server.match.state import Settings, Sitter


async def seek(session: Session, player: Sitter, request: SeekRequest) -> ServerMessage:
    settings = _settings(request)
    key = request.key or ""
    known = bool(key) and await session.hall.store.seeks.was_asked(player.player, key)
    if not known:
        check_follows(session)
        check_new_rooms(session)
    place = partial(seat_of_seek, session, player)
    found = await session.hall.matchmaker.seek(
        session, player, settings, key, place, is_known=known
    )
    return Seeking(re=request.id, seek=found)


async def unseek(session: Session, player: Sitter, request: Unseek) -> ServerMessage:
    await session.hall.matchmaker.unseek(player.player)
    return Ok(re=request.id)


async def lobby(session: Session, player: Sitter, request: LobbyRequest) -> ServerMessage:
    listing = session.hall.listing
    if not request.on:
        listing.unfollow(session)
    reply = await listing.look(request.id)
    if request.on and session.open:
        listing.follow(session)
    return reply


def _settings(request: SeekRequest) -> Settings:
    rules = game(request.game)
    options = rules.resolve(request.options, request.preset)
    why_not = rated_refusal(rules, options, request.rounds)
    if request.rated is UNSET:
        rated = why_not is None
    elif request.rated and why_not:
        raise refusal.not_allowed(why_not)
    else:
        rated = request.rated
    return sought(rules, options, clock_of(request.clock), request.rounds, rated)
