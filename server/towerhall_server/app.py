"""One node, put together. Only what starts processes imports this."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable

from towerhall_server.background import keep_running
from towerhall_server.gateway.hall import Hall
from towerhall_server.gateway.listener import Listener
from towerhall_server.hub import Hub
from towerhall_server.logs import Log
from towerhall_server.match.happenings import Entry
from towerhall_server.referee import Referee
from towerhall_server.settings import Settings
from towerhall_server.store import RedisStore
from towerhall_server.timekeeper import Timekeeper

log = Log(__name__)


async def serve(
    settings: Settings,
    *,
    redis_url: str,
    listener: socket.socket,
    started: Callable[[], None],
) -> None:
    """Run a node until it is told to stop and has let everybody go."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stopping.set)
    node = await _Node.open(settings, redis_url)
    # What is there now stays: the collector need not look at it again and again.
    gc.freeze()
    try:
        await node.listener.open(listener)
        started()
        await stopping.wait()
        log.info("Draining.", node=settings.node, connections=len(node.hall.sessions))
        await node.listener.drain()
    finally:
        await node.close()


class _Node:
    def __init__(self, settings: Settings, store: RedisStore, referee: Referee, hub: Hub) -> None:
        self.store = store
        self.hall = Hall(settings, store, referee, hub)
        self.listener = Listener(self.hall)
        timekeeper = Timekeeper(store, referee)
        self._tasks = [
            asyncio.create_task(keep_running("timekeeper", timekeeper.run)),
            asyncio.create_task(keep_running("leases", hub.keep_leases)),
            asyncio.create_task(keep_running("connections", self.listener.look_after)),
        ]

    @classmethod
    async def open(cls, settings: Settings, redis_url: str) -> "_Node":
        """The store wakes the hub, the referee tells it: they are tied together here."""
        hub: Hub | None = None
        referee: Referee | None = None

        def wake(room: str, payload: bytes) -> None:
            if hub:
                hub.wake(room, payload)

        def gap() -> None:
            if referee and hub:
                referee.forget_all()
                hub.gap()

        def announce(room: str, entries: list[Entry]) -> None:
            if hub:
                hub.announce(room, entries)

        def doubt(room: str) -> None:
            if hub:
                hub.doubt(room)

        store = await RedisStore.open(redis_url, settings.node, wake, gap)
        referee = Referee(store, announce, doubt)
        hub = Hub(store, referee.load, referee.moved_on)
        return cls(settings, store, referee, hub)

    async def close(self) -> None:
        await self.hall.hub.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()
