"""What is printed when a hall opens: how to join it. Pure: values in, text out."""

import io
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno

from towerhall_protocol.limits import DEFAULT_PORT

from .listening import is_local


@dataclass(frozen=True)
class Invitation:
    """`link` is the hall's URL, `kept_in` where its games are."""

    link: str
    kept_in: str

    def plain(self) -> str:
        """In ASCII, for a file or a pipe."""
        text = "\n".join([*self._joining(), *self._keeping(), ""])
        return text.encode("ascii", "backslashreplace").decode("ascii")

    def drawn(self) -> str:
        """With a QR code of the link, for a terminal, unless only this machine could follow it."""
        picture = [] if self._local else [_qr_code(self.link)]
        return "\n".join([*self._joining(), *picture, *self._keeping(), ""])

    @property
    def _local(self) -> bool:
        return is_local(urlsplit(self.link).hostname)

    @property
    def _server(self) -> str:
        """As short as the client understands it."""
        parts = urlsplit(self.link)
        if parts.scheme != "http" or parts.path or parts.port is None:
            return self.link
        usual = f":{DEFAULT_PORT}"
        return parts.netloc.removesuffix(usual)

    def _joining(self) -> list[str]:
        where = "on this machine only" if self._local else "from anywhere on this network"
        return [
            "",
            f"The hall is open. Join it {where}:",
            "",
            f"  in a terminal   towerhall play --server {self._server}",
            f"  in a browser    {self.link}",
            f"  by a program    ws{self.link.removeprefix('http')}/ws",
            "",
            "  A machine without the towerhall command gets it by: pip install towerhall",
            "",
        ]

    def _keeping(self) -> list[str]:
        return [
            f"  Games are kept in {self.kept_in}.",
            "  Stop with Ctrl-C: no game is lost, all go on when the hall opens again.",
        ]


def _qr_code(link: str) -> str:
    drawing = io.StringIO()
    segno.make_qr(link, error="l").terminal(out=drawing, border=2, compact=True)
    return "\n".join("  " + line for line in drawing.getvalue().splitlines()) + "\n"
