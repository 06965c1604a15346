"""When each move of a round was stored, and the clocks after it.

This is the longest part of a match: so it is kept packed, and a move more is a few bytes more, not
a list made anew.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_PLY = struct.Struct("<QQqq")
_UNTIMED = -1


class Ply(NamedTuple):
    seq: int
    at_ms: int
    remaining_ms: tuple[int, int] | None


class Plies:
    __slots__ = ("packed",)

    def __init__(self, packed: bytes = b"") -> None:
        self.packed = packed

    def __len__(self) -> int:
        return len(self.packed) // _PLY.size

    def __getitem__(self, number: int) -> Ply:
        if not 0 <= number < len(self):
            raise IndexError(number)
        return _read(*_PLY.unpack_from(self.packed, number * _PLY.size))

    def __iter__(self) -> Iterator[Ply]:
        return (_read(*fields) for fields in _PLY.iter_unpack(self.packed))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plies) and self.packed == other.packed

    def __hash__(self) -> int:
        return hash(self.packed)

    def and_more(
        self, seqs: Iterable[int], at_ms: int, remaining_ms: tuple[int, int] | None
    ) -> "Plies":
        """With the moves of one commit, which are of one moment, each with its number."""
        one, two = remaining_ms or (_UNTIMED, _UNTIMED)
        return Plies(self.packed + b"".join([_PLY.pack(seq, at_ms, one, two) for seq in seqs]))


def _read(seq: int, at_ms: int, one: int, two: int) -> Ply:
    return Ply(seq, at_ms, None if one == _UNTIMED else (one, two))
