"""How a friend gets into a room: its code, a link, a command, and a picture of the link."""

import io
from shlex import quote

from towerhall_client.addresses import Address
from towerhall_client.ink import Row, wrapped
from towerhall_client.sitting import Sitting
from towerhall_protocol.text import show_code

GAP = 3
NARROWEST = 30
LOW = 10
LOCAL = (
    "This link works on this machine only. To share it, open the room with --server and the "
    "address that the hall has in your network: it says so when it starts."
)


class Invitation:
    def __init__(self, address: Address, code: str) -> None:
        self.code = show_code(code)
        self.link = f"{address.link}/r/{self.code}"
        self.command = _command(f"--server {quote(address.server)}", self.code)
        self.local = address.host in ("localhost", "127.0.0.1", "::1")

    def lines(self) -> list[str]:
        return [
            f"Code     {self.code}",
            f"Link     {self.link}",
            f"Command  {self.command}",
        ]

    @property
    def warning(self) -> str:
        return LOCAL if self.local else ""

    def rows(self, width: int, height: int) -> list[Row]:
        """With the picture beside the words, where it is of use and there is room for it."""
        air: list[Row] = [] if height < LOW else [[]]
        rows: list[Row] = [*air, [("title", "Ask somebody to join:")], *air]
        picture = [] if self.local else qr_rows(self.link)
        beside = width - (len(picture[0]) if picture else 0) - GAP
        if not picture or len(picture) > height or beside < NARROWEST:
            rows += [[("key", part)] for line in self.lines() for part in wrapped(line, width)]
            return [*rows, [], *([("note", line)] for line in wrapped(self.warning, width))]
        for line in self.lines():
            what, text = line.split(maxsplit=1)
            rows.append([("dim", what)])
            rows += [[("key", part)] for part in wrapped(text, beside)]
        words = [*rows, *([[]] * len(picture))][: len(picture)]
        gap: Row = [("", " " * GAP)]
        return [[("qr", line), *gap, *row] for line, row in zip(picture, words, strict=True)]


def way_back(sitting: Sitting) -> str:
    """The command that brings a player back to their seat; a name is a player of its own."""
    server = ",".join(address.server for address in sitting.connection.addresses)
    name = sitting.connection.welcome.player.name
    who = "--hotseat" if sitting.seating.both else f"--name {quote(name)}"
    return _command(f"--server {quote(server)} {who}", show_code(sitting.room.code))


def not_over(sitting: Sitting) -> str:
    return f"The game is not over; come back with: {way_back(sitting)}"


def _command(options: str, code: str) -> str:
    """Quoted: it is meant to be copied into a shell, and parts of it come from the hall."""
    return f"towerhall play {options} {quote(code)}"


def qr_rows(link: str) -> list[str]:
    """In half blocks, dark on light as drawn in a dark terminal; readers take both."""
    import segno

    drawing = io.StringIO()
    code = segno.make_qr(link, error="l")
    matrix = [list(row) for row in code.matrix_iter(border=1)]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    for upper, lower in zip(matrix[::2], matrix[1::2], strict=True):
        line = "".join(_HALVES[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))
        drawing.write(line + "\n")
    return drawing.getvalue().splitlines()


_HALVES = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
