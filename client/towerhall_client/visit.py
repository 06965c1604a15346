"""One run of the program: how it prints, which hall it goes to, as whom."""

import asyncio
from argparse import Namespace
from dataclasses import dataclass, field

from towerhall_client.addresses import Address
from towerhall_client.connection import Connection
from towerhall_client.exits import Usage
from towerhall_client.identity import Identity
from towerhall_client.output import Output
from towerhall_client.tokens import Tokens
from towerhall_protocol.rooms import GameInfo

PATIENCE_S = 60.0
"""How long a script waits for a lost line. A person decides for themselves."""

UNKEPT = "Who you are cannot be kept: next time you will be somebody else, without your seats"


@dataclass
class Visit:
    args: Namespace
    output: Output
    addresses: tuple[Address, ...]
    name: str | None
    _open: list[Connection] = field(default_factory=list)
    _told_unkept: bool = False

    async def connect(self, name: str | None = None, *, last: bool = True) -> Connection:
        identity = Identity(name or self.name, Tokens(self.addresses), last=last)
        patience = None if self.output.drawn else PATIENCE_S
        connection = Connection(self.addresses, identity, patience)
        await connection.open()
        self._open.append(connection)
        if identity.unkept and not self._told_unkept:
            self._told_unkept = True
            self.output.problem(f"{UNKEPT} ({identity.unkept}).")
        return connection

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self._open))


def find_game(games: list[GameInfo], word: str) -> GameInfo:
    """By its id, or by a part of its id or title that only one has."""
    word = word.lower()
    exact = [game for game in games if game.id == word]
    found = exact or [game for game in games if word in game.id or word in game.title.lower()]
    if len(found) == 1:
        return found[0]
    names = ", ".join(game.id for game in found or games)
    which = "several games could be meant" if found else "the hall has no such game"
    raise Usage(f"{word}: {which}. There are {names}.")
