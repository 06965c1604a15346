"""What the embedded store's own log says of its start. Pure: text in, findings out."""

import re
from collections.abc import Mapping

_STAMP = re.compile(r"^\d+:\w+ \d+ \w+ \d+ [\d:.]+ [.\-*#] ")
_CUT = re.compile(r"Truncating the AOF (?:(\S+) )?at offset (\d+)")
_CORRUPT = re.compile(
    r"Bad file format reading the append only file"
    r"|Unrecoverable error reading the append only file"
    r"|Short read or OOM loading DB"
    r"|Internal error in RDB reading"
    r"|Wrong signature trying to load DB"
    r"|RDB CRC error|Wrong RDB checksum"
    r"|Invalid AOF manifest|reading the manifest file|Unable to obtain the AOF file"
    r"|AOF loading (?:aborted|failed)|Failed trying to load .* from disk"
)


def lines(log: str) -> list[str]:
    """Its lines without pid and time."""
    return [_STAMP.sub("", line).strip() for line in log.splitlines() if line.strip()]


def lost(log: str, sizes: Mapping[str, int]) -> str | None:
    """What a log torn at its end has lost, given the sizes of the files before the start."""
    cut = _CUT.search(log)
    if not cut:
        return None
    file, offset = cut[1] or "appendonly.aof", int(cut[2])
    size = sizes.get(file)
    amount = f"{size - offset} bytes" if size is not None else "some bytes"
    return (
        f"The store's log was torn at its end: {amount} of an unfinished write were dropped from "
        f"{file}, which is whole up to byte {offset}. A move is accepted only once its write is "
        "finished; so unless the disk itself lost data, no accepted move is among them."
    )


def corrupt(log: str) -> str | None:
    """The store's own words for damage inside its data."""
    for line in lines(log):
        if _CORRUPT.search(line):
            return line.rstrip(".") + "."
    return None
