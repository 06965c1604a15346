"""The store: the only importer of redis and hiredis. It knows bytes, and no games."""

from .commit import Answer, CodeTaken, Commit, Committed, Repeated, Stale, WrongTime
from .faults import (
    NoAnswer,
    StoreBroken,
    StoreError,
    StoreTooOld,
    StoreUnreachable,
    Unavailable,
    Unknown,
)
from .halltime import HallTime
from .keys import SHARDS, is_id, new_code, new_player, new_room, shard_of, shard_of_code
from .presence import LEASE_MS, Presence, read_payload
from .redis_store import RedisStore

__all__ = [
    "LEASE_MS",
    "SHARDS",
    "Answer",
    "CodeTaken",
    "Commit",
    "Committed",
    "HallTime",
    "NoAnswer",
    "Presence",
    "RedisStore",
    "Repeated",
    "Stale",
    "StoreBroken",
    "StoreError",
    "StoreTooOld",
    "StoreUnreachable",
    "Unavailable",
    "Unknown",
    "WrongTime",
    "is_id",
    "new_code",
    "new_player",
    "new_room",
    "read_payload",
    "shard_of",
    "shard_of_code",
]
