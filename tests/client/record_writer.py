"""A record as text again: what was read without loss can be written as it was."""

from towerhall_client.record import Record

WIDTH = 80


def write(record: Record) -> str:
    tags = [f'[{name} "{_quoted(value)}"]' for name, value in record.tags.items()]
    return "\n".join([*tags, "", *_wrapped(record), ""])


def _wrapped(record: Record) -> list[str]:
    words = []
    for ply, move in enumerate(record.moves, 1):
        words.append(f"{ply}. {move.text}")
        if move.clock_ms is not None:
            words.append(f"{{{move.clock_ms}}}")
    lines = [""]
    for word in [*words, record.result]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
