"""A game as a file: the text that the hall writes, read back without loss, and JSON lines.

    [Game "duel"]                          tags, as many as there are, in their order
    [First "1"]

    1. 3A {178000} 2. 4B {177500} 3. pass 1-0

Numbered moves in their text form, the mover's time left in milliseconds where there is a clock,
then the result: 1-0, 0-1, or * for a game without a winner.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

RESULTS = ("1-0", "0-1", "*")
PASS = "pass"  # noqa: S105 - a move, not a secret

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(r"(\d+)\.|\{(\d+)\}|([^\s{}]+)")
_OPTION = re.compile(r"([a-z_]+)=(true|false|-?\d+)")
DIGITS = 15
"""No number of a record has more: they fit into a message, and into anybody's numbers."""


class BadRecord(Exception):
    """Why a text is no record; names the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


@dataclass(frozen=True)
class RecordedMove:
    text: str
    clock_ms: int | None = None

    @property
    def forced(self) -> bool:
        return self.text == PASS


@dataclass(frozen=True)
class Record:
    tags: Mapping[str, str]
    moves: tuple[RecordedMove, ...] = ()
    result: str = "*"
    options: Mapping[str, int | bool] = field(default_factory=dict)

    @property
    def game(self) -> str:
        return self.tags["Game"]

    @property
    def first(self) -> int:
        return int(self.tags["First"]) - 1

    @property
    def players(self) -> tuple[str, str]:
        return self.tags.get("Player1", "Player 1"), self.tags.get("Player2", "Player 2")


def read(text: str) -> Record:
    """Raises BadRecord."""
    tags: dict[str, str] = {}
    lines = text.splitlines()
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not line.startswith("["):
            break
        found = _TAG.fullmatch(line.strip())
        if not found:
            raise BadRecord(number, 'a tag looks like [Name "value"].')
        if found[1] in tags:
            raise BadRecord(number, f"the tag {found[1]} is there twice.")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
    moves, result = _read_moves(lines, number)
    _check_tags(tags, result)
    return Record(tags, moves, result, _read_options(tags.get("Options", "")))


def to_json_lines(record: Record) -> str:
    """The tags, then each move, then the result: one object a line."""
    lines: list[dict[str, Any]] = [{"tags": dict(record.tags)}]
    for ply, move in enumerate(record.moves):
        clock = {} if move.clock_ms is None else {"clock_ms": move.clock_ms}
        lines.append({"ply": ply, "move": move.text, "forced": move.forced, **clock})
    lines.append({"result": record.result, "reason": record.tags.get("Reason", "")})
    return "".join(json.dumps(line) + "\n" for line in lines)


def from_json_lines(text: str) -> Record:
    """Raises BadRecord."""
    tags: dict[str, str] | None = None
    moves: list[RecordedMove] = []
    result = "*"
    for number, line in enumerate(text.splitlines(), 1):
        try:
            match json.loads(line):
                case {"tags": dict(given)} if all(isinstance(v, str) for v in given.values()):
                    tags = given
                case {"ply": int(ply), "move": str(move), **rest} if ply == len(moves):
                    clock = rest.get("clock_ms")
                    moves.append(RecordedMove(move, clock if isinstance(clock, int) else None))
                case {"result": str(given_result)} if given_result in RESULTS:
                    result = given_result
                case _:
                    raise BadRecord(number, "this is not a line of a record.")
        except ValueError:
            raise BadRecord(number, "this is not JSON.") from None
        except RecursionError:
            raise BadRecord(number, "this is nested too deeply for a record.") from None
    if tags is None:
        raise BadRecord(1, "the tags are missing.")
    _check_tags(tags, result)
    return Record(tags, tuple(moves), result, _read_options(tags.get("Options", "")))


def read_any(text: str) -> Record:
    """Either form."""
    return from_json_lines(text) if text.lstrip().startswith("{") else read(text)


def _read_moves(lines: list[str], start: int) -> tuple[tuple[RecordedMove, ...], str]:
    moves: list[RecordedMove] = []
    result = None
    for line, (number, clock, word) in _tokens(lines, start):
        if result is not None:
            raise BadRecord(line, f"nothing may follow the result {result}.")
        if number:
            if _number(line, number) != len(moves) + 1:
                raise BadRecord(line, f"move {len(moves) + 1} is due, not {number}.")
        elif clock:
            if not moves or moves[-1].clock_ms is not None:
                raise BadRecord(line, "a clock follows a move.")
            moves[-1] = RecordedMove(moves[-1].text, _number(line, clock))
        elif word in RESULTS:
            result = word
        else:
            moves.append(RecordedMove(word))
    if result is None:
        raise BadRecord(len(lines), f"the result is missing: {', '.join(RESULTS)}.")
    return tuple(moves), result


def _tokens(lines: list[str], start: int) -> Iterator[tuple[int, tuple[str, str, str]]]:
    for number, line in enumerate(lines[max(0, start - 1) :], max(1, start)):
        if line.startswith("[") and number == start:
            continue  # there were only tags
        for token in _TOKEN.findall(line):
            yield number, token


def _check_tags(tags: Mapping[str, str], result: str) -> None:
    if "Game" not in tags:
        raise BadRecord(1, "the tag Game is missing.")
    if tags.get("First") not in ("1", "2"):
        raise BadRecord(1, "the tag First must say 1 or 2: who began.")
    if tags.get("Result", result) != result:
        raise BadRecord(1, f"the tag Result says {tags['Result']}, the moves end with {result}.")


def _read_options(text: str) -> dict[str, int | bool]:
    options: dict[str, int | bool] = {}
    for word in text.split():
        found = _OPTION.fullmatch(word)
        if not found:
            raise BadRecord(1, f"the option {word} is not of the form name=value.")
        value = found[2]
        options[found[1]] = value == "true" if value in ("true", "false") else _number(1, value)
    return options


def _number(line: int, digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        short = f"{digits[:DIGITS]}…"
        raise BadRecord(line, f"the number {short} has more than {DIGITS} digits.")
    return int(digits)
