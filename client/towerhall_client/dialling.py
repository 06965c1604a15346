"""One attempt to connect to one address, up to the welcome."""

import asyncio
import socket as sockets
from importlib.metadata import version

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from towerhall_client.addresses import Address
from towerhall_client.exits import Refused
from towerhall_client.identity import Identity
from towerhall_protocol import MSGPACK, Codec, CodecError
from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.replies import Error, Welcome

OPEN_WITHIN_S = 6.0
LARGEST_FRAME = 1 << 24


class CannotConnect(Exception):
    """This address did not work, now; `str` says why."""


async def dial(
    address: Address, identity: Identity, codec: Codec = MSGPACK
) -> tuple[ClientConnection, Welcome]:
    socket = await open_socket(address, codec)
    try:
        return socket, await _greet(socket, identity, codec)
    except BaseException:
        socket.transport.abort()
        raise


async def open_socket(address: Address, codec: Codec = MSGPACK) -> ClientConnection:
    try:
        socket = await connect(
            address.websocket,
            subprotocols=[Subprotocol(codec.name)],
            compression=None,
            max_size=LARGEST_FRAME,
            open_timeout=OPEN_WITHIN_S,
            close_timeout=1,
            ping_interval=None,  # the hall's beats tell whether the line lives
            user_agent_header=f"towerhall/{version('towerhall')}",
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError) as error:
        raise CannotConnect(reason_of(error)) from None
    if socket.subprotocol != codec.name:
        socket.transport.abort()
        raise CannotConnect("what answers there is not a towerhall")
    return socket


async def _greet(socket: ClientConnection, identity: Identity, codec: Codec) -> Welcome:
    answer = await _say_hello(socket, identity, codec, 1)
    if isinstance(answer, Error) and answer.code == ErrorCode.BAD_TOKEN and identity.has_token:
        identity.forget_token()
        answer = await _say_hello(socket, identity, codec, 2)
    if isinstance(answer, Welcome):
        identity.welcomed(answer)
        return answer
    if answer.temporary:
        raise CannotConnect(answer.message)
    raise Refused(answer)


async def _say_hello(
    socket: ClientConnection, identity: Identity, codec: Codec, number: int
) -> Welcome | Error:
    try:
        await socket.send(codec.encode(identity.hello(number)), text=codec.text)
        message = codec.decode_server_message(await _received(socket))
    except ConnectionClosed as closed:
        why = closed.rcvd.reason if closed.rcvd else ""
        raise CannotConnect(why or "the connection was closed at once") from None
    except CodecError:
        raise CannotConnect("what answers there cannot be understood") from None
    if isinstance(message, Welcome | Error):
        return message
    raise CannotConnect("what answers there does not say welcome")


async def _received(socket: ClientConnection) -> bytes | str:
    try:
        async with asyncio.timeout(OPEN_WITHIN_S):
            return await socket.recv()
    except TimeoutError:
        raise CannotConnect("there is no answer") from None


def reason_of(error: Exception) -> str:
    if isinstance(error, InvalidStatus):
        status = error.response.status_code
        if status == 429:
            return "too many connections from here; wait a minute"
        if status == 503:
            return "the hall is closing or has lost its store"
        return f"HTTP {status}: there is no towerhall there"
    if isinstance(error, TimeoutError):
        return "there is no answer"
    if isinstance(error, ConnectionRefusedError) or "refused" in str(error).lower():
        return "nothing listens there"
    if isinstance(error, sockets.gaierror):
        return "there is no such host"
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return "there is no towerhall there"
