"""The hot lane: every command to the store, on one pipelined connection.

Nothing that may have run is sent twice from here. What was not answered is Unknown; what was not
sent, or was refused untouched, is Unavailable.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import hiredis

from . import scripts
from .address import Address
from .connection import LOST, Argument, Command, Connection, Reply
from .faults import StoreError, Unavailable, Unknown, fault_of, refusal_in
from .keeper import Keeper
from .scripts import Script
from .telling import tell

PATIENCE_S = 1.0
"""How long after a connection was lost commands wait for the next one. Later ones do not wait."""
MOST_PENDING = 10_000
SILENT_S = 2.0


Settled = Callable[[Reply | StoreError], None]


class Server(NamedTuple):
    """What the store says of itself."""

    version: str
    run_id: str
    epoch: str
    """Of the run id, for those who need not know it."""


class Lane:
    def __init__(self, address: Address, on_run: Callable[[], None] = lambda: None) -> None:
        self._keeper = Keeper(address, self._greet, self._lose)
        self._connection: Connection | None = None
        self._connected = asyncio.Event()
        self._waiting = 0
        self._lost_at = time.monotonic()
        self._on_run = on_run
        self.server = _server("", "")

    async def start(self) -> None:
        await self._keeper.start()

    async def close(self) -> None:
        await self._keeper.close()

    @property
    def answering(self) -> bool:
        connection = self._usable()
        return connection is not None and connection.silent_s < SILENT_S

    @property
    def heard_at(self) -> float:
        """When the last reply came, by the monotonic clock."""
        return self._connection.heard_at if self._connection else float("-inf")

    async def call(self, *command: Argument) -> Reply:
        connection = self._usable() or await self._wait()
        return self._read(connection, await self._post(connection, command))

    async def call_all(self, commands: Iterable[Command]) -> list[Reply]:
        """All in one flush; raises for the first of them that failed, after all are settled."""
        connection = self._usable() or await self._wait()
        replies = await self._post_all(connection, commands)
        return [self._read(connection, reply) for reply in replies]

    async def connected(self) -> None:
        """Returns when there is a connection; raises Unavailable when that takes too long."""
        if not self._usable():
            await self._wait()

    def submit(self, script: Script, packed: bytes, heard: Settled) -> None:
        """Call the script without waiting: `heard` gets the reply, or the fault, when it comes.

        Raises Unavailable, and nothing is sent, where there is no connection now.
        """
        connection = self._usable()
        if connection is None:
            raise Unavailable("there is no connection to the store")
        self._check_pending(connection)

        connection.ask(packed, partial(self._hear, connection, script, packed, heard))

    def _hear(
        self, connection: Connection, script: Script, packed: bytes, heard: Settled, reply: Reply
    ) -> None:
        if type(reply) is list:
            heard(reply)
        elif _is_unknown_script(reply):
            # It did not run. The connection keeps the order, so the script is there by then.
            connection.post(_loading(script))
            connection.ask(packed, partial(self._settle, connection, heard))
        else:
            self._settle(connection, heard, reply)

    def _settle(self, connection: Connection, heard: Settled, reply: Reply) -> None:
        heard(self._fault_in(connection, reply) or reply)

    async def run(self, script: Script, keys: tuple[str, ...], values: Command) -> Reply:
        command = ("EVALSHA", script.sha, len(keys), *keys, *values)
        connection = self._usable() or await self._wait()
        reply = await self._post(connection, command)
        if _is_unknown_script(reply):
            # It did not run. The connection keeps the order, so the script is there by then.
            _, reply = await self._post_all(connection, (_loading(script), command))
        return self._read(connection, reply)

    async def run_all(
        self, script: Script, calls: Iterable[tuple[tuple[str, ...], Command]]
    ) -> list[Reply]:
        """The script on many keys, in one flush."""
        commands = [("EVALSHA", script.sha, len(keys), *keys, *values) for keys, values in calls]
        connection = self._usable() or await self._wait()
        replies = await self._post_all(connection, commands)
        missed = [place for place, reply in enumerate(replies) if _is_unknown_script(reply)]
        if missed:
            again = [_loading(script), *(commands[place] for place in missed)]
            _, *settled = await self._post_all(connection, again)
            for place, reply in zip(missed, settled, strict=True):
                replies[place] = reply
        return [self._read(connection, reply) for reply in replies]

    async def _post_all(self, connection: Connection, commands: Iterable[Command]) -> list[Reply]:
        futures = [self._post(connection, command) for command in commands]
        return [await future for future in futures]

    def _post(self, connection: Connection, command: Command) -> "asyncio.Future[Reply]":
        self._check_pending(connection)
        return connection.post(command)

    def _check_pending(self, connection: Connection) -> None:
        if connection.pending >= MOST_PENDING:
            raise Unavailable(f"{connection.pending} commands are waiting for the store already")

    def _read(self, connection: Connection, reply: Reply) -> Reply:
        fault = self._fault_in(connection, reply)
        if fault:
            raise fault
        return reply

    def _fault_in(self, connection: Connection, reply: Reply) -> StoreError | None:
        if reply is LOST:
            return Unknown("the store did not answer")
        if not isinstance(reply, hiredis.ReplyError):
            return None
        if refusal_in(str(reply)) == "READONLY":
            # It was demoted and will not say so again; its name may lead to the new one.
            connection.drop()
        return fault_of(str(reply))

    def _usable(self) -> Connection | None:
        if self._connection and self._connection.lost.done():
            # Its keeper hears of it a moment later.
            self._lose()
        return self._connection

    async def _wait(self) -> Connection:
        if self._waiting >= MOST_PENDING:
            raise Unavailable(f"{self._waiting} commands are waiting for the store already")
        self._waiting += 1
        try:
            left_s = self._lost_at + PATIENCE_S - time.monotonic()
            async with asyncio.timeout(max(0.0, left_s)):
                while not (connection := self._usable()):
                    await self._connected.wait()
                return connection
        except TimeoutError:
            raise Unavailable("there is no connection to the store") from None
        finally:
            self._waiting -= 1

    async def _greet(self, connection: Connection) -> None:
        told = (await connection.request(("INFO", "server"))).decode()
        facts = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
        for script in scripts.ALL:
            await connection.request(_loading(script))
        run_before = self.server.run_id
        self.server = _server(facts.get("redis_version", ""), facts.get("run_id", ""))
        self._connection = connection
        self._connected.set()
        if run_before not in ("", self.server.run_id):
            tell(self._on_run)

    def _lose(self) -> None:
        if self._connection:
            self._lost_at = time.monotonic()
        self._connection = None
        self._connected.clear()


def _server(version: str, run_id: str) -> Server:
    return Server(version, run_id, hashlib.sha256(run_id.encode()).hexdigest()[:12])


def _loading(script: Script) -> Command:
    return ("SCRIPT", "LOAD", script.body)


def _is_unknown_script(reply: Reply) -> bool:
    return isinstance(reply, hiredis.ReplyError) and str(reply).startswith("NOSCRIPT")
