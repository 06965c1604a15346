"""A person at a terminal: a real client in a real pseudo-terminal, read by a terminal emulator."""

import copy
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pyte

from client.hall import environment

PATIENCE_S = 60.0
ALTERNATE = 1049 << 5  # pyte's way to mark a private mode


class Glass(pyte.Screen):
    """A screen that keeps what was there before a full-screen program, and counts bells."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__(columns, lines)
        self.bells = 0
        self._before: Any = None

    def bell(self, *args: Any) -> None:
        self.bells += 1

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        super().set_mode(*modes, **kwargs)
        if 1049 in modes:
            self._before = copy.deepcopy((self.buffer, self.cursor))
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if 1049 in modes and self._before:
            self.buffer, self.cursor = self._before


class Person:
    """`home` holds who they are; two people need two."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        inside: tuple[str, ...] = (),
        **variables: str,
    ) -> None:
        columns, rows = size
        command = [*inside, sys.executable, "-m", "towerhall_client", *arguments]
        env = environment(home, **variables)
        env.pop("COLUMNS")
        self._child: pexpect.spawn[bytes] = pexpect.spawn(
            command[0], command[1:], dimensions=(rows, columns), env=env, echo=False
        )
        self.glass = Glass(columns, rows)
        self._stream = pyte.ByteStream(self.glass)
        self.heard = b""
        """Every byte that reached the terminal."""

    @property
    def screen(self) -> list[str]:
        return [line.rstrip() for line in self.glass.display]

    @property
    def picture(self) -> str:
        return "\n".join(self.screen)

    @property
    def line(self) -> str:
        """The line they type in."""
        return self.screen[-1]

    def signals(self, number: int) -> None:
        self._child.kill(number)

    def resizes(self, columns: int, rows: int) -> None:
        self.glass.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def types(self, text: str) -> None:
        self._child.send(text)

    def enters(self, text: str) -> None:
        self._child.send(text + "\r")

    def sees(self, text: str, within: float = PATIENCE_S) -> None:
        self.until(lambda: text in self.picture, f"to see {text!r}", within)

    def sees_no(self, text: str, within: float = PATIENCE_S) -> None:
        self.until(lambda: text not in self.picture, f"not to see {text!r}", within)

    def moves(self, text: str) -> None:
        """When it is their turn; until it is not, or the game is over."""
        self.sees("Your move>")
        before = self.picture
        self.enters(text)
        # What they typed shows before anything comes of it.
        on_its_way = ("sending", f"> {text}")
        self.until(
            lambda: self.picture != before and not any(one in self.line for one in on_its_way),
            "a reaction",
        )

    def code(self) -> str:
        """Of the room in which they wait for somebody."""
        self.sees("Waiting for a second player.")
        found = re.search(r"\b[0-9A-Z]{3}-[0-9A-Z]{3}\b", self.screen[0])
        assert found, self.picture
        return found[0]

    def until(
        self, true: Callable[[], bool], what: str = "something", within: float = PATIENCE_S
    ) -> None:
        until = time.monotonic() + within
        while not true():
            alive = self._pump()
            if true():
                return
            assert time.monotonic() < until, f"waited in vain {what}:\n{self.picture}"
            assert alive or true(), f"ended, {what} was waited for:\n{self.picture}"

    def look(self, quiet_s: float = 0.3) -> str:
        """The screen when nothing has changed for a moment: half a picture is none."""
        until = time.monotonic() + PATIENCE_S
        quiet_since, seen = time.monotonic(), self.picture
        while time.monotonic() - quiet_since < quiet_s:
            assert time.monotonic() < until, f"the screen does not come to rest:\n{self.picture}"
            alive = self._pump()
            if self.picture != seen:
                quiet_since, seen = time.monotonic(), self.picture
            if not alive:
                break
        return self.picture

    def ends(self, within: float = PATIENCE_S) -> int:
        """The exit code, or the signal that ended it, below 0."""
        until = time.monotonic() + within
        while self._pump():
            assert time.monotonic() < until, f"did not end:\n{self.picture}"
        self._child.wait()
        if self._child.signalstatus is not None:
            return -int(self._child.signalstatus)
        assert self._child.exitstatus is not None, self.picture
        return int(self._child.exitstatus)

    def leave(self) -> None:
        if self._child.isalive():
            self._child.kill(signal.SIGKILL)
            self._child.wait()
        self._child.close()

    def _pump(self) -> bool:
        try:
            data = self._child.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.heard += data
        self._stream.feed(data)
        return True
