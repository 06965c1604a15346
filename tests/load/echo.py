"""What `websockets` alone does: it sends back what it gets. The yardstick of the benchmark."""

import asyncio
import logging
import sys

from websockets.asyncio.server import ServerConnection, serve


async def _echo(connection: ServerConnection) -> None:
    async for message in connection:
        await connection.send(message)


async def _main() -> None:
    # The generator leaves without a goodbye, and that is no news here.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    async with serve(_echo, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        sys.stdout.write(f"http://127.0.0.1:{port}\n")
        sys.stdout.flush()
        await server.wait_closed()


if __name__ == "__main__":
    asyncio.run(_main())
