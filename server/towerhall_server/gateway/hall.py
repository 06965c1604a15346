"""What every session of a node shares."""

from collections import defaultdict
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from towerhall_server.gateway.limits import Buckets
from towerhall_server.hub import Hub
from towerhall_server.referee import Referee
from towerhall_server.settings import Settings
from towerhall_server.store import RedisStore

if TYPE_CHECKING:
    from towerhall_server.gateway.session import Session

MISSES_PER_MINUTE = 10
BEAT_MS = 5_000
VERSION = version("towerhall")


@dataclass
class Hall:
    settings: Settings
    store: RedisStore
    referee: Referee
    hub: Hub
    sessions: "set[Session]" = field(default_factory=set)
    by_player: "defaultdict[str, list[Session]]" = field(default_factory=lambda: defaultdict(list))
    """Each player's sessions on this node, the oldest first."""
    draining: bool = False

    def __post_init__(self) -> None:
        self.upgrades = Buckets(self.settings.upgrades_per_minute)
        self.misses = Buckets(MISSES_PER_MINUTE)
