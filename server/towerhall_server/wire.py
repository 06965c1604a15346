"""A match and what happens in it, as messages of the wire."""

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from towerhall_protocol import replies, rooms
from towerhall_protocol.codec import MSGPACK, Codec
from towerhall_server.games import GAMES, Game, Seat, game
from towerhall_server.match.happenings import Entry
from towerhall_server.match.state import Match, Rating, Sitter
from towerhall_server.store import Presence

_encode = msgspec.msgpack.Encoder().encode
_MAP_16 = 0xDE
"""In msgpack, what begins a map of up to 65,535 fields. One of up to 15 begins with 0x80 + n."""


class _Address(Struct):
    """What an event has before its own fields."""

    type: str
    room: str
    epoch: str
    seq: int
    at_ms: int


def event(room: str, epoch: str, entry: Entry) -> bytes:
    """The event in msgpack: the fields of what happened, with the room's address before them.

    It is put together from bytes, and nothing is read or encoded again.
    """
    happening = bytes(entry.happening)
    if happening[0] == _MAP_16:
        count, fields = int.from_bytes(happening[1:3], "big"), happening[3:]
    else:
        count, fields = happening[0] & 0x0F, happening[1:]
    address = _encode(_Address("event", room, epoch, entry.seq, entry.at_ms))
    count += address[0] & 0x0F
    return b"%c%b%b%b" % (_MAP_16, count.to_bytes(2, "big"), address[1:], fields)


def event_in(event: bytes, codec: Codec) -> bytes:
    """An event, which is in msgpack, in that encoding."""
    return event if codec is MSGPACK else codec.encode(msgspec.msgpack.decode(event))


def snapshot(
    match: Match, epoch: str, presence: Presence, you: Seat | None, re: int | UnsetType = UNSET
) -> replies.Room:
    rules, settings, position = game(match.settings.game), match.settings, match.position
    view: Any = rules.view(position)
    if not match.running:
        view["prompt"] = ""
    clocks: Any = match.clocks
    clock: Any = settings.clock
    result: Any = match.result
    return replies.Room(
        re=re,
        room=match.room,
        code=match.code,
        epoch=epoch,
        seq=match.seq,
        game=settings.game,
        title=rules.title,
        preset=settings.preset,
        options=dict(settings.options),
        clock=clock,
        match=match.match,
        rounds=settings.rounds,
        rated=settings.rated,
        listed=settings.listed,
        round=match.round,
        score=match.score,
        seats=(_seat(match.sitters[0], presence, 0), _seat(match.sitters[1], presence, 1)),
        status=match.status,
        first=match.first,
        turn=position.turn if match.running else None,
        ply=len(position.moves),
        moves=[
            rooms.MoveMade(ply=ply, seat=entry.seat, move=entry.text, forced=entry.forced)
            for ply, entry in enumerate(position.moves)
        ],
        view=view,
        legal=rules.legal_moves(position) if match.running else _nothing_legal(rules),
        clocks=clocks,
        result=result,
        match_winner=match.match_winner,
        rematch=match.rematch,
        watchers=presence.watchers,
        you=you,
    )


def presence_message(room: str, presence: Presence) -> replies.Presence:
    one, two = (
        rooms.SeatPresence(online=online, away_since_ms=away)
        for online, away in zip(presence.online, presence.away_since_ms, strict=True)
    )
    return replies.Presence(room=room, seats=(one, two), watchers=presence.watchers)


def rating_info(rating: Rating) -> rooms.Rating:
    return rooms.Rating(**msgspec.structs.asdict(rating))


def game_info(rules: Game[Any]) -> rooms.GameInfo:
    return rooms.GameInfo(
        id=rules.id,
        title=rules.title,
        summary=rules.summary,
        rules=rules.rules,
        options=[
            rooms.OptionInfo(
                name=option.name,
                type=option.type,
                default=option.default,
                range=option.range,
                help=option.help,
            )
            for option in rules.options
        ],
        presets=[
            rooms.PresetInfo(
                name=preset.name,
                rated=preset.rated,
                options=dict(preset.options),
            )
            for preset in rules.presets
        ],
    )


GAME_INFOS = [game_info(rules) for rules in GAMES]


def _seat(sitter: Sitter | None, presence: Presence, seat: Seat) -> rooms.Seat | None:
    if sitter is None:
        return None
    rating: Any = sitter.rating
    return rooms.Seat(
        player=sitter.player,
        name=sitter.name,
        rating=rating,
        online=presence.online[seat],
        away_since_ms=presence.away_since_ms[seat],
    )


def _nothing_legal(rules: Game[Any]) -> list[str] | None:
    """Nobody is to move: no move is legal, unless the game lists none at all."""
    return None if rules.legal_moves(rules.start({}, 0)) is None else []
