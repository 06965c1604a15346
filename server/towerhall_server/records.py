"""A round as a record: text for people and files, and frames to step through without the rules."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from towerhall_protocol.replies import Record as RecordReply
from towerhall_protocol.requests import Replay
from towerhall_protocol.rooms import Clocks, Frame
from towerhall_server.games import Game, IllegalMove, Played, Seat, UnreadableMove, game
from towerhall_server.games.base import PASS
from towerhall_server.match.plies import Plies, Ply
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Match, Record, Result, Settings, record_of

WIDTH = 80


def record_of_match(match: Match, re: int, down_ms: int) -> RecordReply:
    """The current round as far as it is played."""
    result = match.result if not match.running else None
    if not all(match.sitters):
        raise Refused("not_allowed", "The game starts when a second player joins.")
    record = record_of(match, result or Result(None, "playing", ""), False)
    return _reply(replace(record, down_ms=down_ms), re)


def record_of_round(record: Record, re: int) -> RecordReply:
    return _reply(record, re)


def record_of_file(request: Replay) -> RecordReply:
    """A game that somebody brings along. It is played through here, so it must be a legal one."""
    rules = game(request.game)
    options = rules.resolve(request.options)
    first: Seat = 1 if request.first else 0
    state = _played(rules, rules.start(options, first), request.moves)
    result = Result(*state.result) if state.result else Result(None, "playing", "")
    settings = Settings(
        game=request.game, preset="", options=options, clock=None, rounds=1, listed=False
    )
    record = Record(
        room="",
        match=1,
        round=1,
        settings=settings,
        players=("", ""),
        names=("Player 1", "Player 2"),
        first=first,
        moves=state.moves,
        plies=Plies(),
        started_ms=0,
        result=result,
        match_over=False,
    )
    return _reply(record, request.id)


def _played(rules: Game[Any], state: Any, texts: Sequence[str]) -> Any:
    """The position after the moves. The rules play the passes: a file has them where they do."""
    ply = 0
    for number, text in enumerate(texts, 1):
        if text.strip().lower() == PASS:
            if ply == len(state.moves):
                raise Refused("illegal_move", f"Move {number}: Nobody had to pass here.")
        else:
            ply = len(state.moves)
            try:
                state = rules.play(state, text)
            except UnreadableMove as error:
                raise Refused("unreadable_move", f"Move {number}: {error}") from None
            except IllegalMove as error:
                raise Refused("illegal_move", f"Move {number}: {error}") from None
        ply += 1
    return state


def _reply(record: Record, re: int) -> RecordReply:
    return RecordReply(
        re=re,
        room=record.room or None,
        round=record.round,
        text=text_of(record),
        frames=_frames(record),
    )


def _frames(record: Record) -> list[Frame]:
    rules: Game[Any] = game(record.settings.game)
    state = rules.start(record.settings.options, record.first)
    frames = [_frame(None, "", rules.view(state), None)]
    for ply, entry in enumerate(record.moves):
        if entry.forced:
            continue
        state = rules.play(state, entry.text)
        view = rules.view(state)
        for number in range(ply, len(state.moves)):
            played = state.moves[number]
            stored = record.plies[number] if record.plies else None
            frames.append(_frame((number, played), rules.describe(played), view, stored))
    return frames


def _frame(move: tuple[int, Played] | None, text: str, view: Any, stored: Ply | None) -> Frame:
    clocks = None
    if stored and stored.remaining_ms:
        clocks = Clocks(remaining_ms=stored.remaining_ms, running=None, at_ms=stored.at_ms)
    ply, played = move or (None, None)
    return Frame(
        ply=ply,
        seat=played.seat if played else None,
        move=played.text if played else None,
        forced=bool(played and played.forced),
        text=text,
        view=view,
        clocks=clocks,
    )


def text_of(record: Record) -> str:
    """Tags, then the numbered moves with the mover's clock, then the result."""
    return "\n".join([*_tags(record), "", *_wrapped(_movetext(record)), ""])


def _tags(record: Record) -> list[str]:
    settings = record.settings
    options = " ".join(f"{name}={_value(value)}" for name, value in settings.options.items())
    clock = settings.clock
    tags = {
        "Game": settings.game,
        "Options": options,
        "Player1": record.names[0],
        "Player2": record.names[1],
        "First": str(record.first + 1),
        "Clock": f"{clock.initial_ms}+{clock.increment_ms}" if clock else "-",
        "Result": _score(record.result),
        "Reason": record.result.reason,
    }
    if record.room:
        day = datetime.fromtimestamp((record.started_ms + record.down_ms) / 1000, UTC)
        tags |= {"Room": record.room, "Round": str(record.round), "Date": f"{day:%Y-%m-%d}"}
    return [f'[{name} "{value}"]' for name, value in tags.items()]


def _movetext(record: Record) -> list[str]:
    words = []
    for ply, entry in enumerate(record.moves):
        words.append(f"{ply + 1}. {entry.text}")
        remaining = record.plies[ply].remaining_ms if record.plies else None
        if remaining and not entry.forced:
            words.append(f"{{{remaining[entry.seat]}}}")
    return [*words, _score(record.result)]


def _wrapped(words: Sequence[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _value(value: int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _score(result: Result) -> str:
    if result.winner is None:
        return "*"
    return "0-1" if result.winner else "1-0"
