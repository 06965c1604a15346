"""What a client says. Every request has exactly one reply, which carries its `id` as `re`.

An optional field is `UNSET` when it was left out and leaving it out means something of its own:
a `clock` of null is an untimed game, no `clock` is the usual one.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from towerhall_protocol.limits import (
    DEFAULT_PRESET,
    DEFAULT_ROUNDS,
    DEFAULT_SEEK_ROUNDS,
    ChatText,
    Count,
    Epoch,
    IncrementMs,
    InitialMs,
    Key,
    Label,
    MovesRead,
    OptionsAsked,
    Ordinal,
    RequestId,
    Rounds,
    SeatNumber,
)
from towerhall_protocol.text import is_blank, is_printable

FirstMover = Literal["random", "creator", "joiner"]


class ClockAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    initial_ms: InitialMs
    increment_ms: IncrementMs


class Since(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The last event that a client has seen of a room."""

    epoch: Epoch
    seq: Count


class ClientMessage(Struct, tag_field="type", frozen=True, forbid_unknown_fields=True):
    id: RequestId


class Hello(ClientMessage, tag="hello", frozen=True, kw_only=True):
    # Not limited here: a bad name or token has an error of its own, which only the server can give.
    name: str | UnsetType = UNSET
    token: str | UnsetType = UNSET


class Create(ClientMessage, tag="create", frozen=True, kw_only=True):
    game: Label
    preset: Label = DEFAULT_PRESET
    options: OptionsAsked = {}
    clock: ClockAsked | UnsetType | None = UNSET
    rounds: Rounds = DEFAULT_ROUNDS
    first: FirstMover = "random"
    listed: bool = False
    rated: bool = False
    key: Key | UnsetType = UNSET


class Join(ClientMessage, tag="join", frozen=True, kw_only=True):
    room: Label


class Watch(ClientMessage, tag="watch", frozen=True, kw_only=True):
    room: Label
    since: Since | UnsetType = UNSET


class Unwatch(ClientMessage, tag="unwatch", frozen=True, kw_only=True):
    room: Label


class SeekRequest(ClientMessage, tag="seek", frozen=True, kw_only=True):
    game: Label
    preset: Label = DEFAULT_PRESET
    options: OptionsAsked = {}
    clock: ClockAsked | UnsetType | None = UNSET
    rounds: Rounds = DEFAULT_SEEK_ROUNDS
    rated: bool | UnsetType = UNSET
    key: Key | UnsetType = UNSET


class Unseek(ClientMessage, tag="unseek", frozen=True, kw_only=True):
    pass


class Move(ClientMessage, tag="move", frozen=True, kw_only=True):
    room: Label
    round: Ordinal
    ply: Count
    move: str  # whether it can be read is for the game to say


class Resign(ClientMessage, tag="resign", frozen=True, kw_only=True):
    room: Label
    round: Ordinal


class Abort(ClientMessage, tag="abort", frozen=True, kw_only=True):
    room: Label
    round: Ordinal


class Claim(ClientMessage, tag="claim", frozen=True, kw_only=True):
    room: Label
    round: Ordinal


class RematchRequest(ClientMessage, tag="rematch", frozen=True, kw_only=True):
    room: Label
    round: Ordinal


class Say(ClientMessage, tag="say", frozen=True, kw_only=True):
    room: Label
    text: ChatText
    key: Key | UnsetType = UNSET

    def __post_init__(self) -> None:
        if not is_printable(self.text):
            raise ValueError("`text` has characters that cannot be shown.")
        if is_blank(self.text):
            raise ValueError("`text` has nothing in it that can be seen.")


class LobbyRequest(ClientMessage, tag="lobby", frozen=True, kw_only=True):
    on: bool


class LeadersRequest(ClientMessage, tag="leaders", frozen=True, kw_only=True):
    game: Label


class HistoryRequest(ClientMessage, tag="history", frozen=True, kw_only=True):
    before: Label | UnsetType = UNSET


class RecordRequest(ClientMessage, tag="record", frozen=True, kw_only=True):
    room: Label
    round: Ordinal | UnsetType = UNSET


class Replay(ClientMessage, tag="replay", frozen=True, kw_only=True):
    game: Label
    options: OptionsAsked
    first: SeatNumber
    moves: MovesRead


class Ping(ClientMessage, tag="ping", frozen=True, kw_only=True):
    pass


Request = (
    Hello
    | Create
    | Join
    | Watch
    | Unwatch
    | SeekRequest
    | Unseek
    | Move
    | Resign
    | Abort
    | Claim
    | RematchRequest
    | Say
    | LobbyRequest
    | LeadersRequest
    | HistoryRequest
    | RecordRequest
    | Replay
    | Ping
)
