"""The one door for every change of a match: load, decide, commit; again when it has moved on.

The match held here is a cache. What makes it safe is the commit, which is refused when the room is
no longer at the number the decision was made on, or when the time assumed for it is not the hall's.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from towerhall_server import metrics
from towerhall_server.games import Seat
from towerhall_server.match import happenings, machine, refusal, state
from towerhall_server.match.actions import Action, Tick
from towerhall_server.match.happenings import Entry
from towerhall_server.match.machine import Change
from towerhall_server.match.refusal import Refused
from towerhall_server.match.repeats import Repeat, repeats
from towerhall_server.match.state import Match, Record, Settings, Sitter
from towerhall_server.store import (
    CodeTaken,
    Commit,
    Committed,
    HallTime,
    RedisStore,
    Repeated,
    Stale,
    Unavailable,
    Unknown,
    WrongTime,
    new_code,
    new_room,
)

PATIENCE_S = 3.0
"""How long a request is tried before its asker is told that the store does not answer."""
CACHED = 20_000
KEEP_OVER_MS = 30 * 86_400_000

Announce = Callable[[str, list[Entry]], None]


class Verdict(NamedTuple):
    """The match after the action, and the number of its first event (0: it had none)."""

    match: Match
    seq: int


class Referee:
    def __init__(self, store: RedisStore, announce: Announce, doubt: Callable[[str], None]) -> None:
        """Who follows a room is told through `announce` what was committed here, and through
        `doubt` that something may have been."""
        self._store = store
        self._announce = announce
        self._doubt = doubt
        self._cache: OrderedDict[str, Match] = OrderedDict()

    async def create(self, settings: Settings, creator: Sitter, first: Seat, key: str) -> Match:
        """A new room; the same player's same key leads to the room that was made for it first."""
        for attempt in range(3):
            code = new_code()
            told = f"{new_room(code)} {code}".encode()
            told = await self._store.first_answer(creator.player, f"{attempt} {key}", told)
            room, code = told.decode().split()
            await self._store.add_seat(creator.player, room, 0)
            try:
                match = await self._create(room, code, settings, creator, first)
            except _CodeIsTaken:
                continue
            # Again: until the room was there, a hello may have taken the seat for a false one.
            await self._store.add_seat(creator.player, room, 0)
            return match
        raise Unavailable("no free code was found")

    async def made_for(self, player: str, key: str) -> Match | None:
        """The room that this player's same key made before."""
        told = await self._store.answer(player, f"0 {key}")
        with suppress(Refused):
            return await self.load(told.decode().split()[0]) if told else None
        return None

    async def apply(self, room: str, action: Action, once: str | None = None) -> Verdict:
        """Carry the action out, or raise Refused. What is not known is looked up, not guessed."""
        until = time.monotonic() + PATIENCE_S
        # That something is due is the store's word: an older match would know nothing of it.
        fresh = isinstance(action, Tick)
        while True:
            match = (not fresh and self._cache.get(room)) or await self.load(room)
            now = self._store.now(room)
            # Another node may have been a little ahead: in a room, time does not go back.
            if now.now_ms < match.moved_ms:
                now = now._replace(now_ms=match.moved_ms)
            try:
                decided = machine.decide(match, action, now.now_ms)
            except Refused as refused:
                if not fresh:
                    # What is cached may be old: nobody is refused for that.
                    fresh = True
                    continue
                return await self._repeated_or(refused, match, action)
            if isinstance(decided, Repeat):
                return Verdict(match, decided.seq)
            try:
                verdict = await self._commit(match, decided, now, once)
            except Unknown:
                # It may have happened. The next look at the room will tell.
                verdict = None
            if verdict:
                if decided.refusal:
                    raise decided.refusal
                return verdict
            if time.monotonic() > until:
                raise Unavailable("the store did not settle the request in time")
            fresh = True

    async def load(self, room: str) -> Match:
        found = await self._store.load(room)
        if found is None:
            self._cache.pop(room, None)
            raise refusal.no_such_room()
        match = state.decode(found[1])
        self._remember(match)
        return match

    async def record(self, room: str, round_: int) -> Record | None:
        blob = await self._store.record(room, round_)
        return state.decode_record(blob) if blob else None

    def moved_on(self, room: str, seq: int) -> None:
        """The room is at `seq`, by another node's doing: what is held of it here may be old."""
        cached = self._cache.get(room)
        if cached and cached.seq < seq:
            del self._cache[room]

    def forget_all(self) -> None:
        self._cache.clear()

    async def _create(
        self, room: str, code: str, settings: Settings, creator: Sitter, first: Seat
    ) -> Match:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            now = self._store.now(room)
            change = machine.create(room, code, settings, creator, first, now.now_ms)
            try:
                verdict = await self._commit(None, change, now, None)
            except Unknown:
                continue
            if verdict:
                return verdict.match
            with suppress(Refused):
                return await self.load(room)
        raise Unavailable("the store did not settle the request in time")

    async def _commit(
        self, before: Match | None, change: Change, now: HallTime, once: str | None
    ) -> Verdict | None:
        """Store the change and tell of it; None when the decision must be made again."""
        match, base = change.match, before.seq if before else 0
        entries = [
            Entry(base + number, now.now_ms, happened)
            for number, happened in enumerate(change.happened, 1)
        ]
        blobs = [happenings.encode(entry) for entry in entries]
        commit = Commit(
            room=match.room,
            seq=base,
            now=now,
            state=state.encode(match),
            events=blobs,
            payload=happenings.encode_publication(self._store.node, match.seq, blobs),
            deadline_ms=machine.deadline(match),
            record=_record_of(change, now),
            code=None if before else match.code,
            live=match.status != "over",
            once=once,
            keep_ms=_keep_ms(before, match),
        )
        began = time.monotonic()
        try:
            answer = await self._store.commit(commit)
        except Unknown:
            metrics.COMMITS_UNKNOWN.inc()
            self._doubt(match.room)
            raise
        metrics.COMMIT_SECONDS.observe(time.monotonic() - began)
        match answer:
            case Committed():
                self._remember(match)
                self._announce(match.room, entries)
                return Verdict(match, base + 1)
            case Repeated(seq=seq):
                return Verdict(await self.load(match.room), seq)
            case CodeTaken():
                raise _CodeIsTaken
            case WrongTime():
                await asyncio.sleep(0.05)
            case Stale():
                metrics.COMMITS_STALE.inc()
        self._cache.pop(match.room, None)
        return None

    async def _repeated_or(self, refused: Refused, match: Match, action: Action) -> Verdict:
        """The answer that the same action got in an earlier round, or the refusal."""
        round_ = getattr(action, "round", None)
        if refused.code == "stale_round" and round_ is not None and round_ < match.round:
            record = await self.record(match.room, round_)
            if record and (repeat := repeats(record, action)):
                return Verdict(match, repeat.seq)
        raise refused

    def _remember(self, match: Match) -> None:
        self._cache[match.room] = match
        self._cache.move_to_end(match.room)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)


class _CodeIsTaken(Exception):
    """Two rooms drew the same code; the later one draws again."""


def _record_of(change: Change, now: HallTime) -> tuple[int, bytes] | None:
    if change.record is None:
        return None
    record = replace(change.record, down_ms=now.down_ms)
    return record.round, state.encode_record(record)


def _keep_ms(before: Match | None, match: Match) -> int | None:
    """How long the room is kept from now on; None where that stays as it was."""
    if before and before.status == match.status:
        return None
    return KEEP_OVER_MS if match.status == "over" else 0
