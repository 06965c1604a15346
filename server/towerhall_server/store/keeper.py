"""Keeps one connection to the store: dials again for ever when it is lost."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

from .address import Address
from .connection import Connection, dial

log = logging.getLogger(__name__)

FIRST_DELAY_S = 0.05
LAST_DELAY_S = 1.0


class Keeper:
    """`greet` prepares each new connection; `on_lost` is told when it has gone."""

    def __init__(
        self,
        address: Address,
        greet: Callable[[Connection], Awaitable[None]],
        on_lost: Callable[[], None],
    ) -> None:
        self._address = address
        self._greet = greet
        self._on_lost = on_lost
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the first connection, or raise what is in its way."""
        first = await self._connect()
        self._task = asyncio.create_task(self._keep(first))

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._connection:
            self._connection.drop()
            await self._connection.lost

    async def _keep(self, connection: Connection) -> None:
        while True:
            await asyncio.shield(connection.lost)
            log.warning("lost the connection to the store at %s", self._address.shown)
            self._on_lost()
            connection = await self._reconnect()
            log.info("connected to the store at %s again", self._address.shown)

    async def _reconnect(self) -> Connection:
        delay_s = FIRST_DELAY_S
        while True:
            # Many nodes lose one store at once; they should not all come back at once.
            await asyncio.sleep(delay_s * random.uniform(0.5, 1.0))  # noqa: S311
            delay_s = min(2 * delay_s, LAST_DELAY_S)
            try:
                return await self._connect()
            except Exception as error:
                # Whatever it was, giving up would leave this node without its store for good.
                log.debug("no connection to the store yet: %s", error)

    async def _connect(self) -> Connection:
        connection = await dial(self._address)
        self._connection = connection
        try:
            await self._greet(connection)
        except BaseException:
            connection.drop()
            raise
        return connection
