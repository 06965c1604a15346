"""The store: the only importer of redis and hiredis. It knows bytes, and no games."""

from .commit import Answer, CodeTaken, Commit, Committed, Repeated, Stale, WrongTime
from .faults import (
    NoAnswer,
    StoreBroken,
    StoreError,
    StoreIsSpread,
    StoreTooOld,
    StoreUnreachable,
    Unavailable,
    Unknown,
)
from .halltime import HallTime
from .kept import Kept
from .keys import (
    LOBBY,
    SHARDS,
    drawn,
    is_id,
    new_code,
    new_player,
    new_room,
    shard_of,
    shard_of_code,
)
from .listed import Listed, ListedRoom
from .presence import LEASE_MS, Presence
from .publication import Publication, read_payload
from .ratings import Best, Place
from .ratings import Change as RatingChange
from .redis_store import RedisStore
from .seeks import (
    GRACE_MS,
    LOOK,
    News,
    PairedMeanwhile,
    Pairing,
    Partner,
    Seeks,
    Sought,
    read_news,
)

__all__ = [
    "GRACE_MS",
    "LEASE_MS",
    "LOBBY",
    "LOOK",
    "SHARDS",
    "Answer",
    "Best",
    "CodeTaken",
    "Commit",
    "Committed",
    "HallTime",
    "Kept",
    "Listed",
    "ListedRoom",
    "News",
    "NoAnswer",
    "PairedMeanwhile",
    "Pairing",
    "Partner",
    "Place",
    "Presence",
    "Publication",
    "RatingChange",
    "RedisStore",
    "Repeated",
    "Seeks",
    "Sought",
    "Stale",
    "StoreBroken",
    "StoreError",
    "StoreIsSpread",
    "StoreTooOld",
    "StoreUnreachable",
    "Unavailable",
    "Unknown",
    "WrongTime",
    "drawn",
    "is_id",
    "new_code",
    "new_player",
    "new_room",
    "read_news",
    "read_payload",
    "shard_of",
    "shard_of_code",
]
