"""What every session of a node shares."""

from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from towerhall_server.clerk import Clerk
from towerhall_server.gateway.limits import Buckets
from towerhall_server.gateway.lines import Lines
from towerhall_server.hub import Hub
from towerhall_server.lobby.listing import Listing
from towerhall_server.lobby.matchmaker import Matchmaker
from towerhall_server.lobby.usher import Usher
from towerhall_server.referee import Referee
from towerhall_server.settings import Settings
from towerhall_server.store import RedisStore

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

BEAT_MS = 5_000
VERSION = version("towerhall")


@dataclass
class Hall:
    settings: Settings
    store: RedisStore
    referee: Referee
    hub: Hub
    clerk: Clerk
    usher: Usher
    matchmaker: Matchmaker
    listing: Listing
    by_player: "dict[str, list[Session]]"
    """Each player's sessions on this node, the oldest first."""
    sessions: "set[Session]" = field(default_factory=set)
    draining: bool = False

    def __post_init__(self) -> None:
        self.lines = Lines(self.store, self.settings.connections_per_player)
        self.upgrades = Buckets(self.settings.upgrades_per_minute)
        self.new_rooms = Buckets(self.settings.rooms_per_minute)

    def enter(self, session: "Session", player: str) -> None:
        if session.open:
            self.by_player.setdefault(player, []).append(session)

    def leave(self, session: "Session", player: str) -> None:
        self.matchmaker.lost(session, player)
        self.lines.leave(session, player)
        mine = self.by_player.get(player, [])
        if session in mine:
            mine.remove(session)
        if not mine:
            self.by_player.pop(player, None)
