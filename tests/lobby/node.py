"""What of a node pairs players and shows them to their rooms, and the guests of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from towerhall_protocol.codec import MSGPACK
from towerhall_protocol.replies import Paired, ServerMessage
from towerhall_server.games import game
from towerhall_server.hub import Hub
from towerhall_server.lobby.matchmaker import Matchmaker
from towerhall_server.lobby.pairings import Pairings
from towerhall_server.lobby.pool import sought
from towerhall_server.lobby.usher import Usher
from towerhall_server.match.state import Settings, Sitter
from towerhall_server.referee import Referee
from towerhall_server.store import RedisStore, new_player

DUEL: Settings = sought(game("duel"), game("duel").resolve({}), None, rounds=2, rated=False)


class Guest:
    """A connection that keeps what it is sent."""

    def __init__(self, name: str, rooms: int = 0) -> None:
        self.player = Sitter(new_player(f"{len(name):02x}" * 32), name)
        self.open = True
        self.codec = MSGPACK
        self.rooms = {f"room {number}" for number in range(rooms)}
        self.sent: list[ServerMessage] = []

    def send(self, message: ServerMessage) -> None:
        self.sent.append(message)

    def write(self, frame: bytes) -> None: ...

    def has_room(self, *, seated: bool, more: int = 0) -> bool:
        return True

    def cut_slow(self) -> None: ...

    @property
    def shown(self) -> list[str]:
        """The rooms that it was led to."""
        return [told.room for told in self.sent if isinstance(told, Paired)]


class Node:
    def __init__(self, store: RedisStore) -> None:
        self.store = store
        self.here: dict[str, list[Any]] = {}
        self.referee = Referee(store, lambda *_: None, lambda _: None)
        self.hub = Hub(store, self.referee.load, self.referee.moved_on)
        self.usher = Usher(self.referee, self.hub, self.here)
        self.pairings = Pairings(store, self.referee, self.usher, _no_rating)
        self.matchmaker = Matchmaker(
            store, self.referee, self.usher, self.pairings, _no_rating, self.here
        )

    def arrive(self, name: str, rooms: int = 0) -> Guest:
        """A connection that follows so many rooms."""
        guest = Guest(name, rooms)
        self.here[guest.player.player] = [guest]
        return guest


@asynccontextmanager
async def may() -> AsyncIterator[None]:
    """Nothing speaks against it."""
    yield


async def _no_rating(player: str, game_id: str) -> None:
    return None
