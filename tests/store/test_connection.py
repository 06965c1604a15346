"""One connection to the store: what is late, and by whose fault."""

import asyncio
import time

import pytest

from store.valkey import Valkey
from towerhall_server.store.address import read_address
from towerhall_server.store.connection import LOST, dial

PATIENCE_S = 0.5


@pytest.mark.parametrize("sent", [False, True])
async def test_a_process_that_was_busy_does_not_take_the_store_for_slow(
    server: Valkey, sent: bool
) -> None:
    connection = await dial(read_address(server.url), PATIENCE_S)
    asked = connection.post(("PING",))
    if sent:
        await asyncio.sleep(0)
    time.sleep(2 * PATIENCE_S)  # noqa: ASYNC251 - the loop stands still, as when it has much to do
    assert await asked == b"PONG"
    assert not connection.lost.done()
    connection.drop()
    await connection.lost


async def test_a_reply_that_stays_out_costs_the_connection(own_server: Valkey) -> None:
    connection = await dial(read_address(own_server.url), PATIENCE_S)
    own_server.freeze()
    asked = [connection.post(("PING",)) for _ in range(3)]
    begun = time.monotonic()
    assert [await one for one in asked] == [LOST] * 3
    assert time.monotonic() - begun >= PATIENCE_S
    assert connection.lost.done()
