"""One node, put together. Only what starts processes imports this."""

import asyncio
import gc
import signal
import socket
from collections.abc import Callable, Sequence

from towerhall_server.background import keep_running
from towerhall_server.clerk import Clerk
from towerhall_server.gateway.hall import Hall
from towerhall_server.gateway.listener import Listener
from towerhall_server.gateway.session import Session
from towerhall_server.gateway.visits import keep_visitors
from towerhall_server.hub import Hub
from towerhall_server.lobby.listing import Listing
from towerhall_server.lobby.matchmaker import Matchmaker
from towerhall_server.lobby.pairings import Pairings
from towerhall_server.lobby.usher import Usher
from towerhall_server.logs import Log
from towerhall_server.match.happenings import Entry
from towerhall_server.referee import Referee
from towerhall_server.settings import Settings
from towerhall_server.store import LOBBY, RedisStore
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
    # The moves of one turn of the loop make more objects than its default, 700, and hardly any of
    # them outlives the turn: to look at them each time is to look in vain.
    gc.set_threshold(10_000, 10, 10)
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
        clerk = Clerk(store, referee, settings.lifetimes)
        here: dict[str, list[Session]] = {}
        self.usher = Usher(referee, hub, here)
        pairings = Pairings(store, referee, self.usher, clerk.rating_of)
        self.matchmaker = Matchmaker(store, referee, self.usher, pairings, clerk.rating_of, here)
        listing = Listing(store, here)
        lobby = (self.usher, self.matchmaker, listing)
        self.hall = Hall(settings, store, referee, hub, clerk, *lobby, here)
        self.listener = Listener(self.hall)
        timekeeper = Timekeeper(store, referee, clerk.settle, settings.lifetimes)
        self._tasks = [
            asyncio.create_task(keep_running("timekeeper", timekeeper.run)),
            asyncio.create_task(keep_running("leases", hub.keep_leases)),
            asyncio.create_task(keep_running("sweep", clerk.sweep)),
            asyncio.create_task(keep_running("matchmaker", pairings.run)),
            asyncio.create_task(keep_running("seeks", self.matchmaker.keep_leases)),
            asyncio.create_task(keep_running("lobby", listing.run)),
            asyncio.create_task(keep_running("lines", self.hall.lines.run)),
            asyncio.create_task(keep_running("visits", lambda: keep_visitors(self.hall))),
            asyncio.create_task(keep_running("connections", self.listener.look_after)),
        ]

    @classmethod
    async def open(cls, settings: Settings, redis_url: str) -> "_Node":
        """The store wakes the hub, the referee tells it: they are tied together here."""
        hub: Hub | None = None
        referee: Referee | None = None
        node: _Node | None = None

        def wake(room: str, payload: bytes) -> None:
            if room == LOBBY and node:
                node.matchmaker.hear(payload)
            elif hub:
                hub.wake(room, payload)

        def gap() -> None:
            if referee and hub:
                referee.forget_all()
                hub.gap()

        def announce(room: str, epoch: str, entries: Sequence[Entry]) -> None:
            if hub:
                hub.announce(room, epoch, entries)

        def doubt(room: str) -> None:
            if hub:
                hub.doubt(room)

        keep = settings.lifetimes
        store = await RedisStore.open(redis_url, settings.node, wake, gap, keep)
        referee = Referee(store, announce, doubt, keep)
        hub = Hub(store, referee.load, referee.moved_on)
        node = cls(settings, store, referee, hub)
        return node

    async def close(self) -> None:
        self.usher.close()
        self.hall.lines.close()
        await self.hall.hub.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()
