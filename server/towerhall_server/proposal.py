"""A decision on its way to the store: what the store is to write, and what is told after it; and
the way back, from what the store kept to the match."""

from collections.abc import Sequence
from typing import Literal

from msgspec import DecodeError, Struct
from msgspec.structs import replace

from towerhall_server.lifetimes import Lifetimes
from towerhall_server.match import happenings, machine, state
from towerhall_server.match.catching_up import Unreadable, caught_up, is_whole
from towerhall_server.match.happenings import Entry
from towerhall_server.match.machine import Change
from towerhall_server.match.state import Match, NewerFormat
from towerhall_server.store import Commit, HallTime, Kept


class Proposal(Struct, frozen=True):
    change: Change
    seq: int
    """Of its first event."""
    entries: Sequence[Entry]
    commit: Commit


def propose(
    before: Match | None, change: Change, now: HallTime, once: str | None, keep: Lifetimes
) -> Proposal:
    match, base = change.match, before.seq if before else 0
    entries = [
        happenings.entry(seq, now.now_ms, happened)
        for seq, happened in enumerate(change.happened, base + 1)
    ]
    commit = Commit(
        room=match.room,
        seq=base,
        now=now,
        state=state.encode(match) if is_whole(before, change) else b"",
        events=[happenings.encode(entry) for entry in entries],
        deadline_ms=machine.deadline(match, keep),
        record=_record_of(change, now),
        code=None if before else match.code,
        live=match.status != "over",
        shown=_shown(match),
        once=once,
        keep_ms=_keep_ms(before, match, keep),
    )
    return Proposal(change, base + 1, entries, commit)


def match_of(kept: Kept) -> Match:
    """Raises NewerFormat for what only newer nodes can read."""
    try:
        entries = [happenings.decode(event) for event in kept.events]
        return caught_up(state.decode(kept.state), entries, kept.seq)
    except (DecodeError, Unreadable) as error:
        raise NewerFormat(str(error)) from None


def _record_of(change: Change, now: HallTime) -> tuple[int, bytes] | None:
    if change.record is None:
        return None
    record = replace(change.record, down_ms=now.down_ms)
    return record.round, state.encode_record(record)


def _shown(match: Match) -> Literal["open", "games"] | None:
    """The lobby's list that the room is in."""
    if not match.settings.listed or match.status == "over":
        return None
    return "open" if match.status == "open" else "games"


def _keep_ms(before: Match | None, match: Match, keep: Lifetimes) -> int | None:
    """How long the room is kept from now on; None where that stays as it was."""
    if before and before.status == match.status:
        return None
    if match.status != "over":
        return 0
    # In a room that was closed nothing was played: there is only the link to it.
    return keep.record_ms if match.result else keep.open_ms
