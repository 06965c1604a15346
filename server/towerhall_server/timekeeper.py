"""Keeps hall time going, and has the referee and the clerk do what is due."""

import asyncio
from collections.abc import Awaitable, Callable

from towerhall_server import metrics
from towerhall_server.lifetimes import USUAL, Lifetimes
from towerhall_server.logs import Log
from towerhall_server.match.actions import Tick
from towerhall_server.match.refusal import Refused
from towerhall_server.referee import Referee
from towerhall_server.store import NoAnswer, RedisStore

log = Log(__name__)

PULSE_S = 0.5


Settle = Callable[[str, int], Awaitable[None]]


class Timekeeper:
    def __init__(
        self, store: RedisStore, referee: Referee, settle: Settle, keep: Lifetimes = USUAL
    ) -> None:
        """`settle` writes down what came of the match that ended with this round of the room."""
        self._store = store
        self._referee = referee
        self._settle_match = settle
        self._keep = keep
        self._at_work: dict[str, asyncio.Task[None]] = {}
        """By room. The pulse does not wait for them: the hall would fall asleep."""

    async def run(self) -> None:
        while True:
            try:
                due = await self._store.pulse()
            except NoAnswer:
                # Hall time stands still meanwhile: nobody loses on time for it.
                due = []
            for one in due:
                room, slash, round_ = one.partition("/")
                # The matches of a room are settled one by one, in the order they were played.
                work = room + slash
                if work not in self._at_work:
                    self._at_work[work] = asyncio.create_task(self._carry_out(work, room, round_))
            await asyncio.sleep(PULSE_S)

    async def _carry_out(self, work: str, room: str, round_: str) -> None:
        try:
            if round_:
                await self._settle_match(room, int(round_))
            else:
                await self._tick(room)
        except NoAnswer as trouble:
            # Claimed for a while only: this node or another takes it up again.
            log.info("A deadline waits for the store.", room=room, why=str(trouble))
        except Exception as error:
            # One room that cannot be read must not stop the clocks of all others.
            metrics.BACKGROUND_FAILURES.inc("deadline")
            log.exception("A deadline could not be carried out.", error, room=room)
        finally:
            del self._at_work[work]

    async def _tick(self, room: str) -> None:
        try:
            await self._referee.apply(room, Tick(self._keep))
        except Refused:
            await self._store.forget(room)
