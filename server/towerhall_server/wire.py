"""A match and what happens in it, as messages of the wire."""

from typing import Any

from msgspec import UNSET, UnsetType, structs

from towerhall_protocol import events, replies, rooms
from towerhall_server.games import GAMES, Game, Seat, game
from towerhall_server.match import happenings
from towerhall_server.match.happenings import Entry, Happening
from towerhall_server.match.state import Match, Sitter
from towerhall_server.store import Presence

_EVENTS: dict[type[Happening], type[events.RoomEvent]] = {
    happenings.Seated: events.Seated,
    happenings.Started: events.Started,
    happenings.Moved: events.Moved,
    happenings.Finished: events.Finished,
    happenings.RematchAsked: events.RematchAsked,
    happenings.Said: events.Said,
    happenings.Closed: events.Closed,
}


def event(room: str, epoch: str, entry: Entry) -> Any:
    """The wire's event: the same fields, with the room's address before them."""
    fields = structs.asdict(entry.happening)
    kind = _EVENTS[type(entry.happening)]
    return kind(room=room, epoch=epoch, seq=entry.seq, at_ms=entry.at_ms, **fields)


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
    return rooms.Seat(
        player=sitter.player,
        name=sitter.name,
        online=presence.online[seat],
        away_since_ms=presence.away_since_ms[seat],
    )


def _nothing_legal(rules: Game[Any]) -> list[str] | None:
    """Nobody is to move: no move is legal, unless the game lists none at all."""
    return None if rules.legal_moves(rules.start({}, 0)) is None else []
