"""The one door for every change of a match: load, decide, commit; again when it has moved on.

The match held here is a cache. What makes it safe is the commit, which is refused when the room is
no longer at the number the decision was made on, or when the time assumed for it is not the hall's.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct

from towerhall_server import metrics
from towerhall_server.games import Seat
from towerhall_server.lifetimes import USUAL, Lifetimes
from towerhall_server.match import machine, refusal, state
from towerhall_server.match.actions import Action, Tick
from towerhall_server.match.happenings import Entry
from towerhall_server.match.refusal import Refused
from towerhall_server.match.repeats import Repeat, repeats
from towerhall_server.match.state import Match, NewerFormat, Record, Settings, Sitter
from towerhall_server.proposal import Proposal, match_of, propose
from towerhall_server.store import (
    Answer,
    CodeTaken,
    Committed,
    RedisStore,
    Repeated,
    Stale,
    StoreError,
    Unavailable,
    Unknown,
    WrongTime,
    drawn,
    new_code,
    new_room,
)

PATIENCE_S = 3.0
"""How long a request is tried before its asker is told that the store does not answer."""
CACHED = 20_000
DRAWS = 3
"""How many codes are drawn for a room before it is given up."""

Announce = Callable[[str, str, Sequence[Entry]], None]
"""Of a room, in an epoch, what happened."""
Pair = tuple[Sitter, Sitter]


class Verdict(Struct, frozen=True):
    """The match after the action, and the number of its first event (0: it had none)."""

    match: Match
    seq: int


Done = Callable[[Verdict | None], None]


class KeptByNewer(Unavailable):
    """The room is kept in a format that only newer nodes know; this one leaves it untouched."""


class Referee:
    def __init__(
        self,
        store: RedisStore,
        announce: Announce,
        doubt: Callable[[str], None],
        keep: Lifetimes = USUAL,
    ) -> None:
        """Who follows a room is told through `announce` what was committed here, and through
        `doubt` that something may have been."""
        self._store = store
        self._announce = announce
        self._doubt = doubt
        self._keep = keep
        self._cache: OrderedDict[str, Match] = OrderedDict()

    async def create(self, settings: Settings, creator: Sitter, first: Seat, key: str) -> Match:
        """A new room; the same player's same key leads to the room that was made for it first. The
        seat in the one that is drawn first is to be held before."""
        for attempt in range(DRAWS):
            room, code = await self.room_for(creator.player, key, attempt)
            if attempt:
                await self._store.add_seat(creator.player, room, 0)
            try:
                match = await self._create(room, code, settings, (creator, None), first)
            except _CodeIsTaken:
                continue
            # Until the room was there, a hello may have taken the seat for a false one.
            await self._store.add_seat(creator.player, room, 0)
            return match
        raise Unavailable("no free code was found")

    async def room_for(self, player: str, key: str, attempt: int = 0) -> tuple[str, str]:
        """The id and the code that are drawn for this player's key, the same ones each time."""
        code = new_code()
        told = f"{new_room(code)} {code}".encode()
        told = await self._store.first_answer(player, f"{attempt} {key}", told)
        room, code = told.decode().split()
        return room, code

    async def pair(self, pairing: str, settings: Settings, sitters: Pair, first: Seat) -> Match:
        """The room of a pairing, in which both sit and play: it is made once, whoever tries."""
        for room, code in _rooms_of(pairing):
            try:
                match = await self._create(room, code, settings, sitters, first)
            except _CodeIsTaken:
                continue
            await asyncio.gather(
                *(self._store.add_seat(one.player, room, seat) for seat, one in enumerate(sitters))
            )
            return match
        raise Unavailable("no free code was found")

    async def paired(self, pairing: str) -> Match | None:
        """The room of a pairing, if it is made."""
        for room, _ in _rooms_of(pairing):
            with suppress(Refused):
                return await self.load(room)
        return None

    async def made_for(self, player: str, key: str) -> Match | None:
        """The room that this player's same key made before."""
        room, _ = await self.room_for(player, key)
        with suppress(Refused):
            return await self.load(room)
        return None

    async def apply(self, room: str, action: Action, once: str | None = None) -> Verdict:
        """Carry the action out, or raise Refused. What is not known is looked up, not guessed."""
        until = time.monotonic() + PATIENCE_S
        # That something is due is the store's word: an older match would know nothing of it.
        fresh = isinstance(action, Tick)
        while True:
            match = (not fresh and self._cache.get(room)) or await self.load(room)
            try:
                decided = self._decide(match, action, once)
            except Refused as refused:
                if not fresh:
                    # What is cached may be old: nobody is refused for that.
                    fresh = True
                    continue
                return await self._repeated_or(refused, match, action)
            if isinstance(decided, Verdict):
                return decided
            verdict = await self._commit(decided)
            if verdict:
                if decided.change.refusal:
                    raise decided.change.refusal
                return verdict
            if time.monotonic() > until:
                raise Unavailable("the store did not settle the request in time")
            fresh = True

    def hurry(self, room: str, action: Action, done: Done) -> None:
        """`apply` without waiting, for what almost always happens: the match is at hand, the rules
        allow the action, and the store takes it. `done` gets the verdict, at once or later; None
        where it is not as simple as that, and `apply` will tell."""
        match, verdict = self._cache.get(room), None
        try:
            decided = self._decide(match, action, None) if match else None
            if isinstance(decided, Verdict):
                verdict = decided
            elif decided and not decided.change.refusal:
                self._submit(decided, done)
                return
        except Exception:  # noqa: S110 - whatever it is, `apply` meets it again, and answers for it
            pass
        done(verdict)

    async def load(self, room: str) -> Match:
        found = await self._store.load(room)
        if found is None:
            self._cache.pop(room, None)
            raise refusal.no_such_room()
        try:
            match = match_of(found)
        except NewerFormat as newer:
            raise KeptByNewer(f"room {room}: {newer}") from None
        self._remember(match)
        return match

    async def record(self, room: str, round_: int) -> Record | None:
        blob = await self._store.record(room, round_)
        try:
            return state.decode_record(blob) if blob else None
        except NewerFormat as newer:
            raise KeptByNewer(f"round {round_} of room {room}: {newer}") from None

    def moved_on(self, room: str, seq: int) -> None:
        """The room is at `seq`, by another node's doing: what is held of it here may be old."""
        cached = self._cache.get(room)
        if cached and cached.seq < seq:
            del self._cache[room]

    def forget_all(self) -> None:
        self._cache.clear()

    async def _create(
        self,
        room: str,
        code: str,
        settings: Settings,
        sitters: Pair | tuple[Sitter, None],
        first: Seat,
    ) -> Match:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            now = self._store.now(room)
            change = machine.create(room, code, settings, sitters, first, now.now_ms)
            verdict = await self._commit(propose(None, change, now, None, self._keep))
            if verdict:
                return verdict.match
            with suppress(Refused):
                return await self.load(room)
        raise Unavailable("the store did not settle the request in time")

    def _decide(self, match: Match, action: Action, once: str | None) -> Proposal | Verdict:
        """What is to be stored; a verdict where the same was done before. Raises Refused."""
        now = self._store.now(match.room)
        # Another node may have been a little ahead: in a room, time does not go back.
        if now.now_ms < match.moved_ms:
            now = now._replace(now_ms=match.moved_ms)
        decided = machine.decide(match, action, now.now_ms)
        if isinstance(decided, Repeat):
            return Verdict(match, decided.seq)
        return propose(match, decided, now, once, self._keep)

    def _submit(self, proposal: Proposal, done: Done) -> None:
        heard = partial(self._hear, proposal, time.monotonic(), done)
        self._store.submit(proposal.commit, heard)

    def _hear(
        self, proposal: Proposal, began: float, done: Done, answer: Answer | StoreError
    ) -> None:
        verdict = None
        try:
            verdict = self._settle(proposal, answer, began)
        finally:
            done(verdict)

    async def _commit(self, proposal: Proposal) -> Verdict | None:
        """Store the change and tell of it; None when the decision must be made again."""
        began, answer = time.monotonic(), None
        try:
            answer = await self._store.commit(proposal.commit)
        except Unknown as unknown:
            # It may have happened. The next look at the room will tell.
            return self._settle(proposal, unknown, began)
        match answer:
            case Repeated(seq=seq):
                return Verdict(await self.load(proposal.commit.room), seq)
            case CodeTaken():
                raise _CodeIsTaken
            case WrongTime():
                await asyncio.sleep(0.05)
        return self._settle(proposal, answer, began)

    def _settle(
        self, proposal: Proposal, answer: Answer | StoreError, began: float
    ) -> Verdict | None:
        match, room = proposal.change.match, proposal.commit.room
        if isinstance(answer, Unknown):
            metrics.COMMITS_UNKNOWN.inc()
            self._doubt(room)
        else:
            metrics.COMMIT_SECONDS.observe(time.monotonic() - began)
        if isinstance(answer, Committed):
            self._remember(match)
            self._announce(room, self._store.epoch, proposal.entries)
            return Verdict(match, proposal.seq)
        if isinstance(answer, Stale):
            metrics.COMMITS_STALE.inc()
        self._cache.pop(room, None)
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


def _rooms_of(pairing: str) -> list[tuple[str, str]]:
    """What every node draws for this pairing: a room and its code, and what comes after them."""
    return [drawn(f"{pairing} {attempt}") for attempt in range(DRAWS)]
