"""Hello: who is it? A token is shown once and kept only as its hash."""

import hashlib
import re
import secrets
import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UnsetType

from towerhall_protocol.limits import TOKEN_BITS
from towerhall_protocol.replies import Welcome
from towerhall_protocol.requests import Hello
from towerhall_protocol.rooms import Player, Server
from towerhall_protocol.text import is_name
from towerhall_server.gateway.hall import BEAT_MS, VERSION
from towerhall_server.gateway.seats import held_seats, seat_of_seek
from towerhall_server.match.refusal import Refused, not_allowed
from towerhall_server.match.state import Sitter
from towerhall_server.wire import GAME_INFOS, rating_info

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


async def greet(session: "Session", request: Hello) -> Welcome:
    hall = session.hall
    if session.player:
        raise not_allowed("You have said hello already.")
    name = None if isinstance(request.name, UnsetType) else request.name
    if name is not None and not is_name(name):
        raise Refused("bad_name", "A name has 2 to 20 of the characters A-Z a-z 0-9 _ and -.")
    token = None
    if isinstance(request.token, UnsetType):
        token = secrets.token_urlsafe(TOKEN_BITS // 8)
        name = name or f"guest-{secrets.token_hex(2)}"
        sitter = Sitter(await hall.store.create_player(_hash(token), name), name)
    else:
        sitter = await _known(session, request.token, name)
    with hall.usher.answering(session):
        # Here first, then the look: a pairing is either seen in the seats or heard of.
        session.player = sitter
        hall.enter(session, sitter.player)
        try:
            place = partial(seat_of_seek, session, sitter)
            seeking = await hall.matchmaker.resume(session, sitter, place)
            seats = await held_seats(session, sitter)
            ratings = await hall.clerk.ratings_of(sitter.player)
            await hall.lines.enter(session, sitter.player)
        except BaseException:
            hall.leave(session, sitter.player)
            session.player = None
            raise
    return Welcome(
        re=request.id,
        player=Player(id=sitter.player, name=sitter.name),
        token=token,
        ratings={game: rating_info(own) for game, own in ratings.items()},
        games=GAME_INFOS,
        seats=seats,
        seeking=seeking,
        now_ms=hall.store.hall_now(),
        beat_ms=BEAT_MS,
        server=Server(version=VERSION, node=hall.store.node),
    )


async def _known(session: "Session", token: str, name: str | None) -> Sitter:
    found = None
    if _TOKEN.fullmatch(token):
        found = await session.hall.store.find_player(_hash(token), name)
    if found is None:
        raise Refused("bad_token", "This token is not known here; say hello without one.")
    session.hall.upgrades.of(session.address, time.monotonic()).give_back()
    return Sitter(*found)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
