"""The independent client, for connections that break: it says at once when it was cut."""

import json
from collections.abc import Callable

import msgpack
from websockets.exceptions import ConnectionClosed

from end_to_end.client import Client, Message


class Cut(Exception):
    """The connection ended before the reply came: what was asked may have been done."""


class Line(Client):
    on_message: Callable[[Message], None] | None = None
    """Gets every message, replies too, in the order in which they came."""

    @property
    def is_up(self) -> bool:
        return not self._reading.done()

    async def asked(self, kind: str, **fields: object) -> Message:
        try:
            return await super().asked(kind, **fields)
        except ConnectionClosed as error:
            raise Cut(kind) from error

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                self._hear(json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame))
        except ConnectionClosed:
            pass
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(Cut())
                    waiting.exception()  # who could not even send no longer asks for it
            self._waiting.clear()

    def _hear(self, message: Message) -> None:
        if self.on_message:
            self.on_message(message)
        if (asked := message.get("re")) is None:
            self.pushed.append(message)
            self._news.set()
        elif (waiting := self._waiting.pop(asked, None)) and not waiting.done():
            waiting.set_result(message)
