"""The three standard streams, as whoever started us left them.

A stream that is closed (`towerhall games >&-`) counts as one to nowhere. Its number must not be
free either: the next socket would get it, and be read as the input or written to as the output.
"""

import os
import sys
from typing import TextIO


def hold_streams() -> None:
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def let_go(stream: TextIO) -> None:
    """What could not be written is forgotten: Python flushes once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def flush_help() -> None:
    """The parser's own words: where they cannot be written, it goes on as if they were."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError:
        let_go(sys.stdout)
