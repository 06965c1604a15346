"""Keeps hall time going, and has the referee do what is due."""

import asyncio

from towerhall_server.logs import Log
from towerhall_server.match.actions import Tick
from towerhall_server.match.refusal import Refused
from towerhall_server.referee import Referee
from towerhall_server.store import NoAnswer, RedisStore

log = Log(__name__)

PULSE_S = 0.5


class Timekeeper:
    def __init__(self, store: RedisStore, referee: Referee) -> None:
        self._store = store
        self._referee = referee

    async def run(self) -> None:
        while True:
            try:
                due = await self._store.pulse()
            except NoAnswer:
                # Hall time stands still meanwhile: nobody loses on time for it.
                due = []
            await asyncio.gather(*map(self._carry_out, due))
            await asyncio.sleep(PULSE_S)

    async def _carry_out(self, room: str) -> None:
        try:
            await self._referee.apply(room, Tick())
        except Refused:
            await self._store.forget(room)
        except NoAnswer as trouble:
            # Claimed for two seconds only: this node or another takes it up again.
            log.info("A deadline waits for the store.", room=room, why=str(trouble))
