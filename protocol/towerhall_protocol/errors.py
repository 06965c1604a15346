"""Error codes, close codes, and what the codec raises.

CodecError
├── BadFrame      the frame is no message at all; three of them close a connection
└── BadMessage    a message, but not one this side can take: names the field

An error builds its sentence where it is raised; both sentences are meant for people.
"""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    BAD_FRAME = "bad_frame"
    BAD_MESSAGE = "bad_message"
    HELLO_FIRST = "hello_first"
    BAD_TOKEN = "bad_token"  # noqa: S105  (the name of an error)
    BAD_NAME = "bad_name"
    BAD_OPTIONS = "bad_options"
    NO_SUCH_GAME = "no_such_game"
    NO_SUCH_ROOM = "no_such_room"
    ROOM_FULL = "room_full"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    UNREADABLE_MOVE = "unreadable_move"
    ILLEGAL_MOVE = "illegal_move"
    STALE_PLY = "stale_ply"
    STALE_ROUND = "stale_round"
    GAME_OVER = "game_over"
    NOT_ALLOWED = "not_allowed"
    TOO_MANY = "too_many"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    DRAINING = "draining"

    @property
    def temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self in _TEMPORARY


_TEMPORARY = frozenset(
    {ErrorCode.TOO_MANY, ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE, ErrorCode.DRAINING}
)


class CloseCode(IntEnum):
    """The close codes that are towerhall's own."""

    SLOW = 4000
    DRAINING = 4001
    UNAVAILABLE = 4002
    HELLO_TIMEOUT = 4003
    ABUSE = 4100
    REPLACED = 4102

    @property
    def reconnect(self) -> bool:
        """Whether a client should connect again by itself."""
        return should_reconnect(self)


# Of the standard ones, those that blame neither the client nor what it sent.
_RECONNECT_STANDARD = frozenset({1001, 1005, 1006, 1011, 1012, 1013, 1014})


def should_reconnect(code: int) -> bool:
    """Whether a client should connect again by itself, for any close code there is."""
    return 4000 <= code <= 4099 or code in _RECONNECT_STANDARD


class CodecError(Exception):
    """A frame that was refused. `sentence` says why, and never repeats hostile text."""

    code: ErrorCode

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class BadFrame(CodecError):
    code = ErrorCode.BAD_FRAME


class BadMessage(CodecError):
    code = ErrorCode.BAD_MESSAGE

    def __init__(self, field: str | None, sentence: str, re: int | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.re = re
