"""The answer to each request; those of the lobby and of results have files of their own.

A request names its room by id. `join`, `watch` and `record` take a code, too: whoever knows the
code of a private room may see it. To everybody else unknown and private rooms look the same.
"""

import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from towerhall_protocol.replies import Accepted, Ok, Pong, ServerMessage
from towerhall_protocol.requests import (
    Abort,
    Claim,
    Create,
    Hello,
    HistoryRequest,
    Join,
    LeadersRequest,
    LobbyRequest,
    Move,
    Ping,
    RecordRequest,
    RematchRequest,
    Replay,
    Request,
    Resign,
    Say,
    SeekRequest,
    Unseek,
    Unwatch,
    Watch,
)
from towerhall_protocol.text import read_code
from towerhall_server import metrics
from towerhall_server.games import Seat, game
from towerhall_server.gateway.checks import check_follows, check_new_rooms, clock_of
from towerhall_server.gateway.greeting import greet
from towerhall_server.gateway.lobby_answers import lobby, seek, unseek
from towerhall_server.gateway.result_answers import history, leaders
from towerhall_server.gateway.seats import take_new_seat, take_seat
from towerhall_server.gateway.session import Session
from towerhall_server.match import actions, refusal
from towerhall_server.match.rating import rated_refusal
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Match, Settings, Sitter
from towerhall_server.records import record_of_file, record_of_match, record_of_round
from towerhall_server.referee import Verdict

MISSES_PER_MINUTE = 10


async def answer(session: Session, request: Request) -> ServerMessage:
    metrics.REQUESTS.inc(str(type(request).__struct_config__.tag))
    if isinstance(request, Hello):
        return await greet(session, request)
    if session.player is None:
        raise Refused("hello_first", "Say hello first.")
    reply: ServerMessage = await _ANSWERS[type(request)](session, session.player, request)
    return reply


def hurry(session: Session, move: Move) -> None:
    """The answer to a move where nothing is in its way, without a task: the session gets it when
    the move is stored. It gets None for all that `answer` must see to."""
    assert session.player  # noqa: S101 - nobody moves before hello
    action = _action(session, session.player, move)
    session.hall.referee.hurry(move.room, action, partial(_hurried, session, move))


def _hurried(session: Session, move: Move, verdict: Verdict | None) -> None:
    if verdict is None:
        session.hurried(move, None)
        return
    metrics.REQUESTS.inc("move")
    session.hurried(move, _accepted(move, verdict.seq))


async def _create(session: Session, player: Sitter, request: Create) -> ServerMessage:
    hall = session.hall
    rules = game(request.game)
    options = rules.resolve(request.options, request.preset)
    if request.rated and (why := rated_refusal(rules, options, request.rounds)):
        raise refusal.not_allowed(why)
    key = request.key or secrets.token_hex(16)
    if request.key and (made := await hall.referee.made_for(player.player, key)):
        check_follows(session, made.room)
        return await _follow(session, made.room, 0, request.id)
    check_follows(session)
    check_new_rooms(session)
    await take_new_seat(session, player, key)
    settings = Settings(
        game=request.game,
        preset=request.preset,
        options=options,
        clock=clock_of(request.clock),
        rounds=request.rounds,
        listed=request.listed,
        rated=request.rated,
    )
    creator = replace(player, rating=await hall.clerk.rating_of(player.player, request.game))
    match = await hall.referee.create(settings, creator, _first(request), key)
    return await _follow(session, match.room, 0, request.id)


async def _join(session: Session, player: Sitter, request: Join) -> ServerMessage:
    hall = session.hall
    match = await _find(session, player, request.room)
    room = match.room
    check_follows(session, room)
    seat = match.seat_of(player.player)
    if seat is None:
        await take_seat(session, player, room, 1)
        rating = await hall.clerk.rating_of(player.player, match.settings.game)
        try:
            await hall.referee.apply(room, actions.Sit(player.player, player.name, rating))
        except Refused:
            await hall.store.drop_seat(player.player, room)
            raise
        # Again: until now somebody who looked may have taken the seat for a false one.
        await hall.store.add_seat(player.player, room, 1)
        seat = 1
    return await _follow(session, room, seat, request.id)


async def _watch(session: Session, player: Sitter, request: Watch) -> ServerMessage:
    match = await _find(session, player, request.room)
    check_follows(session, match.room)
    seat = match.seat_of(player.player)
    since = None if isinstance(request.since, UnsetType) else request.since
    hub, room = session.hall.hub, match.room
    reply = await hub.follow(session, room, seat, since, request.id)
    _follows(session, room)
    return reply


async def _unwatch(session: Session, player: Sitter, request: Unwatch) -> ServerMessage:
    session.rooms.discard(request.room)
    session.hall.hub.unfollow(session, request.room)
    return Ok(re=request.id)


async def _move(session: Session, player: Sitter, request: Move) -> ServerMessage:
    action = _action(session, player, request)
    return _accepted(request, (await _apply(session, player, request.room, action)).seq)


def _action(session: Session, player: Sitter, move: Move) -> actions.Move:
    credit_ms = session.socket.round_trip_ms
    return actions.Move(player.player, move.round, move.ply, move.move, credit_ms)


def _accepted(move: Move, seq: int) -> Accepted:
    metrics.MOVES_ACCEPTED.inc()
    return Accepted(re=move.id, room=move.room, round=move.round, ply=move.ply, seq=seq)


async def _resign(session: Session, player: Sitter, request: Resign) -> ServerMessage:
    await _apply(session, player, request.room, actions.Resign(player.player, request.round))
    return Ok(re=request.id)


async def _abort(session: Session, player: Sitter, request: Abort) -> ServerMessage:
    await _apply(session, player, request.room, actions.Abort(player.player, request.round))
    return Ok(re=request.id)


async def _claim(session: Session, player: Sitter, request: Claim) -> ServerMessage:
    match = await _by_id(session, player, request.room)
    seen = await session.hall.store.read_presence(request.room)
    since = tuple(
        None if online else away or match.started_ms
        for online, away in zip(seen.online, seen.away_since_ms, strict=True)
    )
    action = actions.Claim(player.player, request.round, (since[0], since[1]))
    await _apply(session, player, request.room, action)
    return Ok(re=request.id)


async def _rematch(session: Session, player: Sitter, request: RematchRequest) -> ServerMessage:
    hall = session.hall
    action = actions.Rematch(player.player, request.round)
    match = (await _apply(session, player, request.room, action)).match
    if match.status == "live":
        # A finished room leaves the lists of its players' seats; a rematch brings it back.
        for seat, sitter in enumerate(match.sitters):
            if sitter:
                await hall.store.add_seat(sitter.player, request.room, seat)
    return Ok(re=request.id)


async def _say(session: Session, player: Sitter, request: Say) -> ServerMessage:
    if not session.chat.take(time.monotonic()):
        rate = session.hall.settings.chat_per_second
        raise Refused("rate_limited", f"Too many lines: at most {rate:g} a second, please.")
    await _by_id(session, player, request.room)
    once = f"{player.player} {request.key or secrets.token_hex(16)}"
    action = actions.Say(player.player, player.name, request.text)
    await session.hall.referee.apply(request.room, action, once)
    return Ok(re=request.id)


async def _record(session: Session, player: Sitter, request: RecordRequest) -> ServerMessage:
    _check_records(session)
    match = await _find(session, player, request.room)
    if isinstance(request.round, UnsetType) or request.round == match.round:
        down_ms = session.hall.store.now(match.room).down_ms
        return record_of_match(match, request.id, down_ms)
    found = await session.hall.referee.record(match.room, request.round)
    if found is None:
        raise refusal.stale_round(match.round)
    return record_of_round(found, request.id)


async def _replay(session: Session, player: Sitter, request: Replay) -> ServerMessage:
    _check_records(session)
    return record_of_file(request)


async def _ping(session: Session, player: Sitter, request: Ping) -> ServerMessage:
    return Pong(re=request.id, now_ms=session.hall.store.hall_now())


_ANSWERS: dict[type[Request], Callable[[Session, Sitter, Any], Awaitable[ServerMessage]]] = {
    Create: _create,
    Join: _join,
    Watch: _watch,
    Unwatch: _unwatch,
    Move: _move,
    Resign: _resign,
    Abort: _abort,
    Claim: _claim,
    RematchRequest: _rematch,
    Say: _say,
    RecordRequest: _record,
    Replay: _replay,
    Ping: _ping,
    SeekRequest: seek,
    Unseek: unseek,
    LobbyRequest: lobby,
    LeadersRequest: leaders,
    HistoryRequest: history,
}


async def _find(session: Session, player: Sitter, name: str) -> Match:
    """The room of that code or id. After too many misses on any node not even a right code opens
    a private room; who sits there, and who asks for a listed one, is not held up by others."""
    hall = session.hall
    code = read_code(name)
    if code is None:
        return await _by_id(session, player, name)
    room, misses = await hall.store.find_code(code, str(session.address))
    match = await hall.referee.load(room) if room else None
    if misses >= MISSES_PER_MINUTE and not (match and _is_known(session, player, match)):
        raise Refused("rate_limited", "Too many codes that lead nowhere; wait a minute.")
    if match is None:
        await hall.store.missed(str(session.address))
        raise refusal.no_such_room()
    return match


async def _by_id(session: Session, player: Sitter, room: str) -> Match:
    # Read afresh: who sat down since this node last saw the room must not be taken for a stranger.
    match = await session.hall.referee.load(room)
    _check_visible(session, player, match)
    return match


def _check_visible(session: Session, player: Sitter, match: Match) -> None:
    if not _is_known(session, player, match):
        raise refusal.no_such_room()


def _is_known(session: Session, player: Sitter, match: Match) -> bool:
    """Whether the player may see the room without its code."""
    seated = match.seat_of(player.player) is not None
    return match.settings.listed or seated or match.room in session.rooms


async def _apply(session: Session, player: Sitter, room: str, action: actions.Action) -> Verdict:
    referee = session.hall.referee
    try:
        return await referee.apply(room, action)
    except Refused as refused:
        if refused.code == "not_seated":
            _check_visible(session, player, await referee.load(room))
        raise


async def _follow(session: Session, room: str, seat: Seat, re: int) -> ServerMessage:
    reply = await session.hall.hub.follow(session, room, seat, None, re)
    _follows(session, room)
    return reply


def _follows(session: Session, room: str) -> None:
    session.rooms.add(room)
    if not session.open:
        session.hall.hub.unfollow(session, room)


def _check_records(session: Session) -> None:
    """A record is a whole game played through: some cost as much as a hundred moves."""
    if not session.records.take(time.monotonic()):
        raise Refused("rate_limited", "Too many records at once; wait a second.")


def _first(request: Create) -> Seat:
    if request.first == "random":
        return 1 if secrets.randbelow(2) else 0
    return 0 if request.first == "creator" else 1
