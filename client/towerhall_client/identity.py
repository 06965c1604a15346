"""Who says hello: a name, and the token that proves it."""

import contextlib
from collections.abc import Iterator

from msgspec import UNSET

from towerhall_client.tokens import Tokens
from towerhall_protocol.replies import Welcome
from towerhall_protocol.requests import Hello


class Identity:
    """`last` says whether this is who one is by default from now on."""

    def __init__(self, name: str | None, tokens: Tokens, *, last: bool = True) -> None:
        self._name = name
        self._tokens = tokens
        self._last = last
        self._token = tokens.find(name)
        self.unkept = ""
        """Why the token could not be kept: the next visit will be by somebody else."""

    def hello(self, number: int) -> Hello:
        return Hello(id=number, name=self._name or UNSET, token=self._token or UNSET)

    @property
    def has_token(self) -> bool:
        return self._token is not None

    def forget_token(self) -> None:
        """The hall does not know it, though the file had it."""
        if self._token:
            with self._noting():
                self._tokens.forget(self._token)
        self._token = None

    def welcomed(self, welcome: Welcome) -> None:
        self._token = welcome.token or self._token
        if self._token:
            with self._noting():
                self._tokens.keep(welcome.player.name, self._token, last=self._last)

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        """A place that cannot be written to is no reason not to play."""
        try:
            yield
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            self.unkept = f"{where}{error.strerror or error}"
