"""Structured logs on stderr: a sentence and its fields, as text or as JSON lines.

No token gets in. The first wall: a field is an explicit keyword of a call, and no caller passes
one. The second: whatever looks like a token is taken out of the finished line, whoever wrote it,
a library's traceback included. No value can forge a line or paint a terminal either: control,
bidi and invisible characters are escaped.
"""

import json
import logging
import re
import sys
import traceback
import unicodedata
from datetime import UTC, datetime
from typing import TextIO

Field = str | int | float | bool | None

_LONG_RUN = re.compile(r"[A-Za-z0-9_-]{43,}")
_HEX = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_PASSWORD = re.compile(r"(//[^/\s:@]*):[^/\s@]*@")
REMOVED = "[removed]"


class Log:
    """A logger whose calls take a sentence and the fields that go with it."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, sentence: str, **fields: Field) -> None:
        self._write(logging.DEBUG, sentence, fields)

    def info(self, sentence: str, **fields: Field) -> None:
        self._write(logging.INFO, sentence, fields)

    def warning(self, sentence: str, **fields: Field) -> None:
        self._write(logging.WARNING, sentence, fields)

    def error(self, sentence: str, **fields: Field) -> None:
        self._write(logging.ERROR, sentence, fields)

    def exception(self, sentence: str, error: BaseException, **fields: Field) -> None:
        self._write(logging.ERROR, sentence, fields, error)

    def _write(
        self,
        level: int,
        sentence: str,
        fields: dict[str, Field],
        error: BaseException | None = None,
    ) -> None:
        if self._logger.isEnabledFor(level):
            self._logger.log(level, "%s", sentence, exc_info=error, extra={"fields": fields})


def configure(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send all logs of this process to `stream` (stderr), in this form only."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # At its debug level the library writes out frames, and a hello carries a token.
    logging.getLogger("websockets").setLevel(logging.WARNING)
    logging.raiseExceptions = False


def clean(text: str) -> str:
    """The text without tokens, passwords in URLs, and characters one cannot see."""
    return "".join(map(_visible, _without_secrets(text)))


def _without_secrets(text: str) -> str:
    text = _HEX.sub(REMOVED, _LONG_RUN.sub(_unless_a_name, text))
    return _PASSWORD.sub(rf"\1:{REMOVED}@", text)


def _unless_a_name(run: re.Match[str]) -> str:
    # 256 random bits in base64 without one capital: once in 10^9 tokens. A function's name in a
    # traceback has none.
    return run[0] if run[0] == run[0].lower() else REMOVED


def _visible(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    if unicodedata.category(character) in _INVISIBLE:
        code = ord(character)
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    return character


def _when(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def _fields(record: logging.LogRecord) -> dict[str, Field]:
    fields: dict[str, Field] = getattr(record, "fields", {})
    return {name: clean(v) if isinstance(v, str) else v for name, v in fields.items()}


def _trace(record: logging.LogRecord) -> list[str]:
    if not record.exc_info or not record.exc_info[1]:
        return []
    lines = "".join(traceback.format_exception(record.exc_info[1])).rstrip("\n").split("\n")
    return [clean(line) for line in lines]


class TextLines(logging.Formatter):
    """`2026-01-31T12:00:00.000Z info    towerhall: A sentence. field=value`"""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{_when(record)} {record.levelname.lower():7} {clean(record.name)}: "
        line += clean(record.getMessage())
        for name, value in _fields(record).items():
            plain = isinstance(value, str) and re.fullmatch(r"[^\s=\"]+", value)
            line += f" {name}={value if plain else json.dumps(value, ensure_ascii=False)}"
        # Each line of a traceback is marked, so that none passes for a record of its own.
        return "\n  | ".join([line, *_trace(record)])


class JsonLines(logging.Formatter):
    """One object a line; a record's own keys win over fields of the same name."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            **_fields(record),
            "time": _when(record),
            "level": record.levelname.lower(),
            "logger": clean(record.name),
            "message": clean(record.getMessage()),
        }
        if trace := _trace(record):
            line["exception"] = trace
        return json.dumps(line, default=lambda value: clean(str(value)))
