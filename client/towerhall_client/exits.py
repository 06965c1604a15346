"""How the program ends: exit codes, and what is raised to end it with one.

Stop
├── Unwritable     1  the output cannot be written, such as on a full disk
├── Usage          2  what was asked for makes no sense
├── NoConnection   3  no address of the hall could be reached
├── Refused        4  the hall said no; carries its error
└── Dropped        6  the line broke, and stayed so

0 is done, 5 a script whose input ended on a refused line, 130 interrupted.
"""

from enum import IntEnum

from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.replies import Error


class ExitCode(IntEnum):
    DONE = 0
    UNWRITABLE = 1
    USAGE = 2
    NO_CONNECTION = 3
    REFUSED = 4
    ILLEGAL = 5
    DROPPED = 6
    INTERRUPTED = 130


class Stop(Exception):
    """`sentence` is for the person at the keyboard."""

    code: ExitCode

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Unwritable(Stop):
    code = ExitCode.UNWRITABLE


class Usage(Stop):
    code = ExitCode.USAGE


class NoConnection(Stop):
    code = ExitCode.NO_CONNECTION


class Refused(Stop):
    code = ExitCode.REFUSED

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error

    @classmethod
    def here(cls, code: ErrorCode, sentence: str) -> "Refused":
        """What the hall need not be asked about."""
        return cls(Error(code=code, message=sentence, temporary=False))


class Dropped(Stop):
    code = ExitCode.DROPPED
