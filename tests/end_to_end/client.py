"""An independent client: nothing but websockets, and msgpack or json. It trusts no code of ours."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

Message = dict[str, Any]

PATIENCE_S = 10.0


class ServerError(Exception):
    """The server answered `error`."""

    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.error = error
        self.code: str = error["code"]


class Client:
    """One connection. Replies go to who asked; everything pushed is kept, in order."""

    def __init__(self, socket: ClientConnection, encoding: str) -> None:
        self.socket = socket
        self.encoding = encoding
        self.welcome: Message = {}
        self.pushed: list[Message] = []
        self._asked = 0
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, url: str, encoding: str = "msgpack", **options: Any) -> Self:
        name = Subprotocol(f"towerhall.v1.{encoding}")
        socket = await connect(url, subprotocols=[name], compression=None, max_size=None, **options)
        return cls(socket, encoding)

    @classmethod
    async def hello(
        cls, url: str, name: str, encoding: str = "msgpack", token: str | None = None
    ) -> Self:
        client = await cls.open(url, encoding)
        fields = {"name": name} | ({"token": token} if token else {})
        client.welcome = await client.ask("hello", **fields)
        client.welcome["token"] = client.welcome["token"] or token
        return client

    @property
    def player(self) -> str:
        return str(self.welcome["player"]["id"])

    @property
    def token(self) -> str:
        return str(self.welcome["token"])

    async def ask(self, kind: str, **fields: Any) -> Message:
        """The reply; raises ServerError for an error."""
        answer = await self.asked(kind, **fields)
        if answer["type"] == "error":
            raise ServerError(answer)
        return answer

    async def asked(self, kind: str, **fields: Any) -> Message:
        """The reply, whatever it is."""
        self._asked += 1
        number = self._asked
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        await self.send({"type": kind, "id": number, **fields})
        async with asyncio.timeout(PATIENCE_S):
            return await reply

    async def send(self, message: Message) -> None:
        if self.encoding == "json":
            await self.socket.send(json.dumps(message))
        else:
            await self.socket.send(msgpack.packb(message))

    async def move(self, room: str, ply: int, text: str, round_: int = 1) -> Message:
        return await self.ask("move", room=room, round=round_, ply=ply, move=text)

    async def until(
        self, wanted: Callable[[Message], bool], patience: float = PATIENCE_S
    ) -> Message:
        """The first pushed message, past or to come, that is wanted."""
        async with asyncio.timeout(patience):
            while True:
                for message in self.pushed:
                    if wanted(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def event(self, kind: str, patience: float = PATIENCE_S, **fields: Any) -> Message:
        """The first event of that kind with those fields, past or to come."""

        def wanted(message: Message) -> bool:
            same = message["type"] == "event" and message["kind"] == kind
            return same and all(message.get(name) == value for name, value in fields.items())

        return await self.until(wanted, patience)

    def events(self, room: str) -> list[Message]:
        return [m for m in self.pushed if m["type"] == "event" and m["room"] == room]

    async def closed(self, patience: float = PATIENCE_S) -> int | None:
        """The close code, when the server has closed and all that it said before is read."""
        async with asyncio.timeout(patience):
            await self.socket.wait_closed()
            await asyncio.wait([self._reading])
        return self.socket.close_code

    async def close(self) -> None:
        self._reading.cancel()
        await self.socket.close()

    def drop(self) -> None:
        """As a cut cable does it: no goodbye."""
        self._reading.cancel()
        self.socket.transport.abort()

    async def _read(self) -> None:
        async for frame in self.socket:
            message = json.loads(frame) if isinstance(frame, str) else msgpack.unpackb(frame)
            if (asked := message.get("re")) is None:
                self.pushed.append(message)
                self._news.set()
            elif waiting := self._waiting.pop(asked, None):
                waiting.set_result(message)
        for waiting in self._waiting.values():
            waiting.cancel()
