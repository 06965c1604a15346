"""Every key and channel of the store, and the ids that say where they are.

There are 64 shards. All keys of a shard carry its hash tag and so share one slot, in a cluster too:
one script can change a room, its log, its deadline and its place in the list together. Which shard
a thing is in, its id tells: two hex digits at its head.

    {th:07}:room:<room>       hash     seq, state, stored (the seq of state), live (see
                                       commit.lua), code (its key's name)
    {th:07}:log:<room>        stream   <seq>-0 -> e (an event)
    {th:07}:records:<room>    hash     round -> record
    {th:07}:here:<room>       hash     who is there, node by node
    {th:07}:code:<CODE>       string   room
    {th:07}:once:<room>:<x>   string   seq of the commit that was made for x
    {th:07}:deadlines         zset     room -> hall ms; room/round of a match to settle -> hall ms
    {th:07}:live              zset     room that is not over -> hall ms since when
    {th:07}:live:open         zset     listed room that waits -> the store's ms since when
    {th:07}:live:games        zset     listed room where a match is on -> the store's ms since when
    {th:07}:live:watched      zset     one of these -> how many watch it
    {th:07}:pulse             hash     last (the store's ms), down
    {th:07}:token:<hash>      string   player
    {th:07}:player:<player>   hash     name, token (its hash), seated
    {th:07}:seats:<player>    hash     room -> seat
    {th:07}:taking:<player>:<room>  string   the seat there may not be taken yet
    {th:07}:answer:<player>:<x>  string   the first answer given for x
    {th:07}:past:<player>     hash     match -> entry, of matches that the player finished
    {th:07}:order:<player>    zset     match -> ms, a time of day
    {th:07}:wake:<room>       channel  events and presence, as they come

The ratings of a game have a slot of their own: both players of a match are changed together.

    {th:ratings:duel}:ratings              hash    player -> rating
    {th:ratings:duel}:best                 zset    player who has a place -> value
    {th:ratings:duel}:applied:<room>:<match>  string  what a match did

So has the lobby: a player who seeks, in whichever pool, does so once.

    {th:lobby}:pulse                 hash     last, down
    {th:lobby}:deadlines             zset     pairing -> hall ms from when any node makes its room;
                                              look -> when those who wait are looked at again
    {th:lobby}:pairings              hash     pairing -> both players, and the pool
    {th:lobby}:leases                zset     player who seeks -> hall ms until when
    {th:lobby}:pools                 zset     pool -> how many wait in it
    {th:lobby}:nodes                 hash     node -> how many players it has, hall ms until when
    {th:lobby}:seek:<player>         hash     pool, rating, since, name
    {th:lobby}:ages:<pool>           zset     player -> hall ms since when
    {th:lobby}:ratings:<pool>        zset     player -> rating
    {th:lobby}:last:<player>         string   the last opponent
    {th:lobby}:paired:<player>       string   the last pairing
    {th:lobby}:asked:<player>:<key>  string   since when, and the pool, of the seek with it
    {th:lobby}:fate:<player>:<since> string   what became of a seek: a pairing, or x (given up)
    {th:lobby}:unsought:<player>     string   hall ms of when the player last gave up seeking
    {th:lobby}:lines:<player>        zset     node and connection -> which it is of the player's
    {th:lobby}:yielding:<node>       list     its connections that yield to newer ones elsewhere
    {th:lobby}:misses:<address>      string   how many codes of late led nowhere
    {th:lobby}:wake:lobby            channel  pairings whose room is made
"""

import hashlib
import secrets
import string
import zlib
from functools import lru_cache
from typing import NamedTuple

SHARDS = 64
LOBBY = "lobby"
"""Stands for a room where the lobby's own channel is meant."""

_CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
_CODE_LENGTH = 6
_ID_LETTERS = string.digits + string.ascii_lowercase
_ID_RANDOM = 18
_ID_LENGTH = 2 + _ID_RANDOM


def new_code() -> str:
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def new_room(code: str) -> str:
    """An id for the room of this code, in the code's shard."""
    return _new_id(shard_of_code(code))


def new_player(token_hash: str) -> str:
    """An id for the player of this token, in the token's shard."""
    return _new_id(shard_of_token(token_hash))


def _new_id(shard: int) -> str:
    return f"{shard:02x}" + "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_RANDOM))


def drawn(seed: str) -> tuple[str, str]:
    """A room's id and its code, always the same for a seed."""
    number = int.from_bytes(hashlib.sha512(seed.encode()).digest())
    number, code = _letters(number, _CODE_LETTERS, _CODE_LENGTH)
    _, rest = _letters(number, _ID_LETTERS, _ID_RANDOM)
    return f"{shard_of_code(code):02x}{rest}", code


def _letters(number: int, letters: str, count: int) -> tuple[int, str]:
    drawn = ""
    for _ in range(count):
        number, place = divmod(number, len(letters))
        drawn += letters[place]
    return number, drawn


def shard_of_code(code: str) -> int:
    return zlib.crc32(code.encode()) % SHARDS


def shard_of_token(token_hash: str) -> int:
    """`token_hash` is a SHA-256 in hex."""
    return int(token_hash[:2], 16) % SHARDS


def shard_of(identity: str) -> int:
    """The shard of a room or a player, by its id."""
    return int(identity[:2], 16) % SHARDS


def is_id(text: str) -> bool:
    """Whether this could be the id of a room or a player. It says nothing about its existence."""
    return (
        len(text) == _ID_LENGTH
        and all(letter in _ID_LETTERS for letter in text)
        and all(letter in string.hexdigits for letter in text[:2])
        and int(text[:2], 16) < SHARDS
    )


class ShardKeys(NamedTuple):
    pulse: str
    deadlines: str
    live: str
    open: str
    games: str
    watched: str


class RoomKeys(NamedTuple):
    pulse: str
    room: str
    log: str
    records: str
    deadlines: str
    live: str
    here: str
    once: str
    """Its head; what is to be done once follows."""
    code: str
    """Its head; the code follows."""
    channel: str
    shard: int


class PlayerKeys(NamedTuple):
    player: str
    seats: str
    taking: str
    """Its head; the room follows."""
    answer: str
    """Its head; what is answered follows."""
    token: str
    """Its head; the token's hash follows."""
    past: str
    order: str


class LobbyKeys(NamedTuple):
    """As lua/waiting.lua wants them."""

    pulse: str
    deadlines: str
    pairings: str
    leases: str
    pools: str
    nodes: str
    head: str
    """Of all others: a kind and a name follow."""


class RatingKeys(NamedTuple):
    ratings: str
    best: str
    applied: str
    """Its head; room and match follow."""


def _tag(shard: int) -> str:
    return f"{{th:{shard:02x}}}"


def keys_of_shard(shard: int) -> ShardKeys:
    tag = _tag(shard)
    live = f"{tag}:live"
    lists = (f"{live}:open", f"{live}:games", f"{live}:watched")
    return ShardKeys(f"{tag}:pulse", f"{tag}:deadlines", live, *lists)


# A commit needs eight names; a room has many commits.
@lru_cache(maxsize=8192)
def keys_of_room(room: str) -> RoomKeys:
    number = shard_of(room)
    tag, shard = _tag(number), keys_of_shard(number)
    return RoomKeys(
        pulse=shard.pulse,
        room=f"{tag}:room:{room}",
        log=f"{tag}:log:{room}",
        records=f"{tag}:records:{room}",
        deadlines=shard.deadlines,
        live=shard.live,
        here=f"{tag}:here:{room}",
        once=f"{tag}:once:{room}:",
        code=f"{tag}:code:",
        channel=f"{tag}:wake:{room}",
        shard=number,
    )


def keys_of_player(player: str) -> PlayerKeys:
    tag = _tag(shard_of(player))
    return PlayerKeys(
        player=f"{tag}:player:{player}",
        seats=f"{tag}:seats:{player}",
        taking=f"{tag}:taking:{player}:",
        answer=f"{tag}:answer:{player}:",
        token=f"{tag}:token:",
        past=f"{tag}:past:{player}",
        order=f"{tag}:order:{player}",
    )


def keys_of_ratings(game: str) -> RatingKeys:
    tag = f"{{th:ratings:{game}}}"
    return RatingKeys(f"{tag}:ratings", f"{tag}:best", f"{tag}:applied:")


_LOBBY_TAG = "{th:lobby}"
LOBBY_KEYS = LobbyKeys(*(f"{_LOBBY_TAG}:{kind}" for kind in (*LobbyKeys._fields[:-1], "")))


def seek_key(player: str) -> str:
    return f"{LOBBY_KEYS.head}seek:{player}"


def misses_key(address: str) -> str:
    return f"{LOBBY_KEYS.head}misses:{address}"


def paired_key(player: str) -> str:
    return f"{LOBBY_KEYS.head}paired:{player}"


def lines_key(player: str) -> str:
    return f"{LOBBY_KEYS.head}lines:{player}"


def yielding_key(node: str) -> str:
    return f"{LOBBY_KEYS.head}yielding:{node}"


def asked_key(player: str, key: str) -> str:
    return f"{LOBBY_KEYS.head}asked:{player}:{key}"


def fate_key(player: str, since: str) -> str:
    return f"{LOBBY_KEYS.head}fate:{player}:{since}"


def ages_key(pool: str) -> str:
    return f"{LOBBY_KEYS.head}ages:{pool}"


def channel_of(room: str) -> str:
    return f"{LOBBY_KEYS.head}wake:{LOBBY}" if room == LOBBY else keys_of_room(room).channel


def code_key(code: str) -> str:
    return f"{_tag(shard_of_code(code))}:code:{code}"


def token_key(token_hash: str) -> str:
    return f"{_tag(shard_of_token(token_hash))}:token:{token_hash}"


def room_of_channel(channel: str) -> str:
    return channel.rpartition(":")[2]
