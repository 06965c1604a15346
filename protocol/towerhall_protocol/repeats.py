"""Finds keys that a map has twice. msgspec takes the last one and says nothing.

A field that is given twice means one thing to us and may mean another to whoever sent or logs it,
so it is refused. Both finders get a frame that has already been decoded as `message`: they need not
fear malformed bytes, depth or size.
"""

import json

from msgspec import Struct, inspect

_FIXED = {0xC0: 1, 0xC2: 1, 0xC3: 1, 0xCA: 5, 0xCB: 9} | {
    head: 1 + (1 << (head & 3)) for head in range(0xCC, 0xD4)
}
_SIZED = {0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}


class _Repeated(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


class Repeats:
    """Where a type has no optional field and no map inside, counting is enough.

    All its fields are there, so a frame with as many keys as fields has none twice.
    """

    def __init__(self, types: tuple[type[Struct], ...]) -> None:
        self._map_heads: dict[type[Struct], int] = {}
        self._quotes: dict[type[Struct], int] = {}
        for kind in types:
            self._learn(kind)

    def _learn(self, kind: type[Struct]) -> None:
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)  # noqa: S101
        scalars = (inspect.IntType, inspect.BoolType, inspect.StrType)
        if not all(field.required and isinstance(field.type, scalars) for field in info.fields):
            return
        keys = 1 + len(info.fields)
        texts = 1 + sum(isinstance(field.type, inspect.StrType) for field in info.fields)
        if keys < 16:
            self._map_heads[kind] = 0x80 | keys
        self._quotes[kind] = 2 * (keys + texts)

    def in_msgpack(self, message: Struct, frame: bytes) -> str | None:
        if frame[0] == self._map_heads.get(type(message)):
            return None
        try:
            _walk(frame, 0)
        except _Repeated as found:
            return found.key
        return None

    def in_json(self, message: Struct, frame: bytes) -> str | None:
        # Without a backslash no string has a quote inside, so the quotes tell the number of keys.
        if frame.count(b'"') == self._quotes.get(type(message)) and b"\\" not in frame:
            return None
        try:
            _JSON.decode(frame.decode())
        except _Repeated as found:
            return found.key
        return None


def _walk(frame: bytes, at: int) -> int:
    """Where the value that starts at `at` ends."""
    head = frame[at]
    if head <= 0x7F or head >= 0xE0:
        return at + 1
    if 0xA0 <= head <= 0xBF:
        return at + 1 + (head & 0x1F)
    if head <= 0x8F:
        return _walk_map(frame, at + 1, head & 0x0F)
    if head <= 0x9F:
        return _walk_array(frame, at + 1, head & 0x0F)
    if head in _FIXED:
        return at + _FIXED[head]
    start = at + 1 + _SIZED[head]
    size = int.from_bytes(frame[at + 1 : start])
    if head >= 0xDE:
        return _walk_map(frame, start, size)
    return _walk_array(frame, start, size) if head >= 0xDC else start + size


def _walk_array(frame: bytes, at: int, size: int) -> int:
    for _ in range(size):
        at = _walk(frame, at)
    return at


def _walk_map(frame: bytes, at: int, size: int) -> int:
    seen: set[bytes] = set()
    for _ in range(size):
        end = _walk(frame, at)
        key = _text(frame, at, end)
        if key in seen:
            raise _Repeated(key.decode())
        seen.add(key)
        at = _walk(frame, end)
    return at


def _text(frame: bytes, at: int, end: int) -> bytes:
    """A string without its head, which may be longer than it need be."""
    return frame[at + 1 + _SIZED.get(frame[at], 0) : end]


def _no_repeats(pairs: list[tuple[str, object]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _Repeated(key)
        seen.add(key)


_JSON = json.JSONDecoder(object_pairs_hook=_no_repeats)
