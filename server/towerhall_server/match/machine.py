"""All transitions of a match are in this file, and nowhere else.

    open ── sit ──▶ live ── move, resign, timeout ──▶ live (next round) or over
      │               └── claim, abort ─────────────▶ over
      └── abort, expiry ──▶ over (closed)             over ── rematch, twice ──▶ live

Each is a function of the match, the action, and the time. It returns a `Change` (the next match
and what happened), a `Repeat` (it was done before: nothing changes), or raises `Refused`; whatever
is refused leaves the match as it was. Time and chance are arguments.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from towerhall_server.games import (
    IllegalMove,
    Seat,
    State,
    UnreadableMove,
    game,
    other,
)
from towerhall_server.lifetimes import USUAL, Lifetimes
from towerhall_server.match import clock as clocks_of
from towerhall_server.match import refusal
from towerhall_server.match.actions import (
    Abort,
    Action,
    Claim,
    Ending,
    Move,
    Rate,
    Rematch,
    Resign,
    Say,
    Sit,
    Tick,
)
from towerhall_server.match.clock import GRACE_MS
from towerhall_server.match.endings import (
    asked_result,
    idle_result,
    is_decided,
    match_winner,
    same_result,
    timeout_result,
)
from towerhall_server.match.happenings import (
    AnyHappening,
    Closed,
    Finished,
    Moved,
    Rated,
    RematchAsked,
    Said,
    Seated,
    Started,
)
from towerhall_server.match.permission import (
    check_is_on,
    check_may_abort,
    check_may_claim,
    is_closed,
    seat_asking,
)
from towerhall_server.match.plies import Plies
from towerhall_server.match.refusal import Refused
from towerhall_server.match.repeats import Repeat, same_move
from towerhall_server.match.state import (
    FORMAT,
    Match,
    Record,
    Result,
    Settings,
    Sitter,
    record_of,
)

PAUSE_MS = 5_000
ALONE = "The game starts when a second player joins."
TIME_UP = "Your time was up."


class Change(Struct, frozen=True):
    """The next match and what happened on the way, in order.

    `record` is a round that ended with it. With a `refusal` the change is stored and the request
    refused all the same: whoever moves after their flag fell loses, and did not move.
    """

    match: Match
    happened: tuple[AnyHappening, ...]
    record: Record | None = None
    refusal: Refused | None = None


def create(
    room: str,
    code: str,
    settings: Settings,
    sitters: tuple[Sitter, Sitter | None],
    first: Seat,
    now: int,
) -> Change:
    """A room that waits for its second player, or one in which two who were paired play."""
    creator, joiner = sitters
    match = Match(
        room=room,
        code=code,
        settings=settings,
        sitters=(creator, None),
        created_ms=now,
        moved_ms=now,
        first=first,
        position=game(settings.game).start(settings.options, first),
        format=FORMAT,
    )
    if joiner is None:
        return _change(match, _seated(0, creator))
    paired = replace(match, sitters=(creator, joiner), status="live")
    started, event = _start(paired, now)
    return _change(started, _seated(0, creator), _seated(1, joiner), event)


def decide(match: Match, action: Action, now: int) -> Change | Repeat:
    decided: Change | Repeat = _DECIDERS[type(action)](match, action, now)
    return decided


def _sit(match: Match, action: Sit, now: int) -> Change | Repeat:
    if match.seat_of(action.player) is not None:
        return Repeat()
    if match.sitters[1]:
        raise refusal.room_full()
    if match.status != "open":
        raise refusal.closed()
    joiner = Sitter(action.player, action.name, action.rating)
    seated = replace(match, sitters=(match.sitters[0], joiner), status="live")
    started, event = _start(seated, now)
    return _change(started, _seated(1, joiner), event)


def _move(match: Match, action: Move, now: int) -> Change | Repeat:
    seat, position = seat_asking(match, action.player), match.position
    if (
        action.ply < len(position.moves)
        and action.round == match.round
        and (repeat := same_move(match.settings, position.moves, match.plies, seat, action))
    ):
        return repeat
    check_is_on(match, action.round)
    if action.ply != len(position.moves):
        raise refusal.stale_ply(len(position.moves))
    if match.status == "open":
        raise refusal.not_your_turn(ALONE)
    if position.turn != seat:
        raise refusal.not_your_turn()
    after = _play(match, action.text)
    clocks = match.clocks
    if clocks and match.settings.clock:
        clocks = clocks_of.press(clocks, match.settings.clock, now, action.credit_ms, after.turn)
        if clocks is None:
            return _too_late(match, now)
    seq = match.seq + len(after.moves) - action.ply
    plies = match.plies.and_more(
        range(match.seq + 1, seq + 1), now, clocks.remaining_ms if clocks else None
    )
    moved = replace(match, position=after, plies=plies, clocks=clocks, moved_ms=now, seq=seq)
    events = _moved_events(moved, action.ply)
    if after.result:
        return _finish(moved, Result(*after.result), now, events)
    return Change(moved, events)


def _end(match: Match, action: Ending, now: int) -> Change | Repeat:
    """Resign, abort and claim: each ends the round with the result that was asked for."""
    seat = seat_asking(match, action.player)
    asked = asked_result(seat, action)
    if action.round == match.round and _ended_so(match, asked):
        return Repeat()
    check_is_on(match, action.round)
    if match.status == "open":
        if isinstance(action, Abort):
            return _close(match, "aborted")
        raise refusal.not_allowed(ALONE)
    if _flag_fell(match, now):
        return _too_late(match, now)
    if isinstance(action, Abort):
        check_may_abort(match)
    if isinstance(action, Claim):
        check_may_claim(match, action.away_since_ms[other(seat)], now)
    return _finish(match, asked, now)


def _rematch(match: Match, action: Rematch, now: int) -> Change | Repeat:
    seat = seat_asking(match, action.player)
    if action.round != match.round:
        raise refusal.stale_round(match.round)
    if match.status != "over":
        raise refusal.not_allowed("A rematch can be asked for when the match is over.")
    if is_closed(match):
        raise refusal.closed()
    if match.rematch[seat]:
        return Repeat()
    asked = RematchAsked(seat=seat)
    if not match.rematch[other(seat)]:
        asking = (match.rematch[0], True) if seat else (True, match.rematch[1])
        return _change(replace(match, rematch=asking), asked)
    again = replace(
        match, status="live", match=match.match + 1, played=0, score=(0, 0), match_winner=None
    )
    started, event = _start(_next_round(again), now)
    return _change(started, asked, event)


def _say(match: Match, action: Say, now: int) -> Change:
    if is_closed(match):
        raise refusal.closed()
    seat = match.seat_of(action.player)
    return _change(match, Said(seat=seat, name=action.name, text=action.text))


def _rate(match: Match, action: Rate, now: int) -> Change | Repeat:
    if action.match <= match.rated:
        return Repeat()
    one, two = match.sitters
    assert one and two  # noqa: S101 - a match that is reckoned up was played
    one, two = replace(one, rating=action.after[0]), replace(two, rating=action.after[1])
    rated = replace(match, sitters=(one, two), rated=action.match)
    return _change(rated, Rated(match=action.match, before=action.before, after=action.after))


def _tick(match: Match, action: Tick, now: int) -> Change | Repeat:
    keep = action.keep
    if match.status == "open" and now >= match.created_ms + keep.open_ms:
        return _close(match, "expired")
    if match.next_ms is not None and now >= match.next_ms:
        started, event = _start(_next_round(match), now)
        return _change(started, event)
    if match.running and match.clocks is None and now >= match.moved_ms + keep.idle_ms:
        return _finish(match, idle_result(match, refusal.span(keep.idle_ms)), now)
    return _finish(match, timeout_result(match), now) if _flag_fell(match, now) else Repeat()


_DECIDERS: dict[type[Action], Callable[[Match, Any, int], Change | Repeat]] = {
    Sit: _sit,
    Move: _move,
    Resign: _end,
    Abort: _end,
    Claim: _end,
    Rematch: _rematch,
    Say: _say,
    Rate: _rate,
    Tick: _tick,
}


def deadline(match: Match, keep: Lifetimes = USUAL) -> int | None:
    """When a `Tick` is due, less the grace with which every deadline is carried out."""
    if match.status == "open":
        return match.created_ms + keep.open_ms
    if match.next_ms is not None:
        return match.next_ms - GRACE_MS
    if not match.running:
        return None
    return clocks_of.flag_at(match.clocks) if match.clocks else match.moved_ms + keep.idle_ms


def _seated(seat: Seat, sitter: Sitter) -> Seated:
    return Seated(seat=seat, player=sitter.player, name=sitter.name, rating=sitter.rating)


def _play(match: Match, text: str) -> State:
    try:
        after: State = game(match.settings.game).play(match.position, text)
    except UnreadableMove as error:
        raise Refused("unreadable_move", str(error)) from None
    except IllegalMove as error:
        raise Refused("illegal_move", str(error)) from None
    return after


def _ended_so(match: Match, asked: Result) -> bool:
    if is_closed(match):
        return asked.reason == "aborted"
    return not match.running and same_result(match.result, asked)


def _start(match: Match, now: int) -> tuple[Match, Started]:
    """Start the clock of the round whose first position is on the board."""
    clock = match.settings.clock
    clocks = clocks_of.start(clock, match.first, now) if clock else None
    started = replace(
        match, clocks=clocks, running=True, started_ms=now, moved_ms=now, next_ms=None
    )
    rules = game(match.settings.game)
    return started, Started(
        match=match.match,
        round=match.round,
        first=match.first,
        view=rules.view(match.position),
        legal=rules.legal_moves(match.position),
        turn=match.position.turn,
        clocks=clocks,
    )


def _next_round(match: Match) -> Match:
    first = other(match.first)
    return replace(
        match,
        round=match.round + 1,
        first=first,
        position=game(match.settings.game).start(match.settings.options, first),
        plies=Plies(),
        rematch=(False, False),
    )


def _moved_events(match: Match, ply: int) -> tuple[Moved, ...]:
    rules, position = game(match.settings.game), match.position
    view, legal = rules.view(position), rules.legal_moves(position)
    return tuple(
        [
            Moved(
                round=match.round,
                ply=number,
                seat=entry.seat,
                move=entry.text,
                forced=entry.forced,
                text=rules.describe(entry),
                view=view,
                legal=legal,
                turn=position.turn,
                clocks=match.clocks,
            )
            for number, entry in enumerate(position.moves[ply:], ply)
        ]
    )


def _flag_fell(match: Match, now: int) -> bool:
    """Whether the running clock is at zero, and the time that a slow line is given is over, too."""
    flag = clocks_of.flag_at(match.clocks) if match.running and match.clocks else None
    return flag is not None and now >= flag + GRACE_MS


def _too_late(match: Match, now: int) -> Change:
    lost = _finish(match, timeout_result(match), now)
    return replace(lost, refusal=refusal.game_over(TIME_UP))


def _finish(match: Match, result: Result, now: int, before: tuple[Moved, ...] = ()) -> Change:
    """`before` is what happened on the way, and has its numbers already."""
    winner, score = result.winner, match.score
    if winner is not None:
        score = (score[0], score[1] + 1) if winner else (score[0] + 1, score[1])
    over = is_decided(match, result, score)
    finished = replace(
        match,
        status="over" if over else "live",
        running=False,
        played=match.played + 1,
        score=score,
        clocks=clocks_of.stop(match.clocks, now) if match.clocks else None,
        result=result,
        match_winner=match_winner(result, score) if over else None,
        next_ms=None if over else now + PAUSE_MS,
        moved_ms=now,
        seq=match.seq + 1,
    )
    event = Finished(
        round=match.round,
        winner=winner,
        reason=result.reason,
        text=result.text,
        score=score,
        match_over=over,
        match_winner=finished.match_winner,
        next_ms=finished.next_ms,
    )
    return Change(finished, (*before, event), record_of(finished, result, over))


def _close(match: Match, reason: str) -> Change:
    return _change(replace(match, status="over"), Closed(reason=reason))


def _change(match: Match, *happened: AnyHappening) -> Change:
    return Change(replace(match, seq=match.seq + len(happened)), happened)
