"""What the server says: replies, which carry the request's id as `re`, and messages it pushes."""

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.events import Event, UnknownEvent
from towerhall_protocol.limits import RequestId, SeatNumber, Whole
from towerhall_protocol.lobby import Leader, LiveRoom, OpenRoom, PastMatch, Seek, SeekCount
from towerhall_protocol.rooms import (
    Clock,
    Clocks,
    Frame,
    GameInfo,
    HeldSeat,
    MoveMade,
    Options,
    Player,
    Rating,
    Result,
    Score,
    Seat,
    SeatPresence,
    Server,
    Status,
    View,
)

# A client may find kinds in here that came after it. The server never sends an UnknownEvent, so
# the decoders and the schema, which are made from this at run time, must not know it.
if TYPE_CHECKING:
    SentEvent = Event | UnknownEvent
else:
    SentEvent = Event


class PushedMessage(Struct, tag_field="type", frozen=True, kw_only=True):
    """What is never a reply."""


class Reply(Struct, tag_field="type", frozen=True, kw_only=True):
    """What may be pushed as well, and has no `re` then."""

    re: RequestId | UnsetType = UNSET


class Welcome(Reply, tag="welcome", frozen=True, kw_only=True):
    player: Player
    token: str | None
    ratings: dict[str, Rating]
    games: list[GameInfo]
    seats: list[HeldSeat]
    seeking: Seek | None
    now_ms: Whole
    beat_ms: Whole
    server: Server


class Room(Reply, tag="room", frozen=True, kw_only=True):
    """A snapshot: all there is to know of a room, for one receiver."""

    room: str
    code: str
    epoch: str
    seq: Whole
    game: str
    title: str
    preset: str
    options: Options
    clock: Clock | None
    match: Whole
    rounds: Whole
    rated: bool
    listed: bool
    round: Whole
    score: Score
    seats: tuple[Seat | None, Seat | None]
    status: Status
    first: SeatNumber
    turn: SeatNumber | None
    ply: Whole
    moves: list[MoveMade]
    view: View
    legal: list[str] | None
    clocks: Clocks | None
    result: Result | None
    match_winner: SeatNumber | None
    rematch: tuple[bool, bool]
    watchers: Whole
    you: SeatNumber | None


class Events(Reply, tag="events", frozen=True, kw_only=True):
    room: str
    epoch: str
    events: list[SentEvent]


class Ok(Reply, tag="ok", frozen=True, kw_only=True):
    pass


class Seeking(Reply, tag="seeking", frozen=True, kw_only=True):
    seek: Seek


class Accepted(Reply, tag="accepted", frozen=True, kw_only=True):
    room: str
    round: Whole
    ply: Whole
    seq: Whole


class LobbyState(Reply, tag="lobby", frozen=True, kw_only=True):
    seeks: list[SeekCount]
    open: list[OpenRoom]
    live: list[LiveRoom]
    featured: str | None
    online: Whole


class Leaders(Reply, tag="leaders", frozen=True, kw_only=True):
    game: str
    best: list[Leader]
    own: Leader | None
    players: Whole


class History(Reply, tag="history", frozen=True, kw_only=True):
    matches: list[PastMatch]
    before: str | None


class Record(Reply, tag="record", frozen=True, kw_only=True):
    room: str | None
    round: Whole
    text: str
    frames: list[Frame]


class Pong(Reply, tag="pong", frozen=True, kw_only=True):
    now_ms: Whole


class Error(Reply, tag="error", frozen=True, kw_only=True):
    # Text and not ErrorCode: a client must be able to read a code that came after it.
    code: Annotated[str, Meta(examples=list(ErrorCode))]
    message: str
    temporary: bool
    field: str | UnsetType = UNSET
    option: str | UnsetType = UNSET
    ply: Whole | UnsetType = UNSET
    round: Whole | UnsetType = UNSET
    wait_ms: Whole | UnsetType = UNSET
    limit: Whole | UnsetType = UNSET


class Paired(PushedMessage, tag="paired", frozen=True, kw_only=True):
    room: str
    snapshot: Room


class Presence(PushedMessage, tag="presence", frozen=True, kw_only=True):
    room: str
    seats: tuple[SeatPresence | None, SeatPresence | None]
    watchers: Whole


class Beat(PushedMessage, tag="beat", frozen=True, kw_only=True):
    now_ms: Whole
    rooms: dict[str, Whole]


Answer = (
    Welcome
    | Room
    | Events
    | Ok
    | Seeking
    | Accepted
    | LobbyState
    | Leaders
    | History
    | Record
    | Pong
    | Error
)
Push = Paired | Presence | Beat
ServerMessage = Answer | Push | Event | UnknownEvent
