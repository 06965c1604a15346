"""Which pages may connect, and how often an address may."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from end_to_end.client import Client
from end_to_end.node import Node
from gateway.conftest import StartNode
from gateway.hall import Hall, get
from gateway.peer import Peer, upgrade

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def status(node: Node, *headers: str) -> int:
    """Of an upgrade with these headers besides."""
    peer = await Peer.connect(node.port)
    peer.writer.write(upgrade(node, *headers))
    line = await asyncio.wait_for(peer.reader.readline(), 10)
    return int(line.split()[1])


async def test_row_21_a_page_of_a_foreign_origin_is_refused_before_the_upgrade(hall: Hall) -> None:
    node = hall.nodes[0]
    host = f"127.0.0.1:{node.port}"
    foreign = [
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        f"http://127.0.0.1:{node.port + 1}",
        f"http://{host}.evil.example",
        f"http://{host}@evil.example",
        f"http://evil.example/{host}",
        f"http://evil.example#{host}",
        host,
        "http://[",
        f"http://[{host}",
    ]
    for origin in foreign:
        assert await status(node, f"Origin: {origin}") == 403, origin
    both = [f"Origin: http://{host}", "Origin: http://evil.example"]
    assert await status(node, *both) == 403
    assert await status(node, *reversed(both)) == 403


async def test_row_21_our_own_page_and_a_program_may_connect(hall: Hall) -> None:
    node = hall.nodes[0]
    assert await status(node, f"Origin: http://127.0.0.1:{node.port}") == 101
    assert await status(node, f"Origin: https://127.0.0.1:{node.port}") == 101
    assert await status(node) == 101


async def test_row_21_a_page_that_is_named_may_connect(start_node: StartNode) -> None:
    node = await start_node("--origin", "https://play.example")
    assert await status(node, "Origin: https://play.example") == 101
    assert await status(node, "Origin: https://PLAY.example") == 101
    assert await status(node, "Origin: http://play.example") == 403
    assert await status(node, "Origin: https://play.example.evil.example") == 403


async def test_an_address_may_connect_so_often_a_minute(hall: Hall, start_node: StartNode) -> None:
    node = await start_node("--trusted-proxy", "127.0.0.1", "--upgrades-per-minute", "5")
    one, other = "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"
    forged = "X-Forwarded-For: 192.0.2.9, 192.0.2.1"
    assert [await status(node, one) for _ in range(5)] == [101] * 5
    assert await status(node, one) == 429
    assert await status(node, forged) == 429
    assert await status(node, other) == 101
    assert (await get(node, "/healthz", **{"X-Forwarded-For": "192.0.2.1"}))[0] == 200
    assert await status(node) == 101


async def test_who_returns_with_a_token_uses_nothing_up(hall: Hall, start_node: StartNode) -> None:
    node = await start_node("--trusted-proxy", "127.0.0.1", "--upgrades-per-minute", "5")
    ann = await hall.connect("ann", node)
    address = {"X-Forwarded-For": "192.0.2.3"}
    for _ in range(12):
        client = await Client.open(node.url, additional_headers=address)
        await client.ask("hello", token=ann.token)
        await client.close()
    for _ in range(5):
        stranger = await Client.open(node.url, additional_headers=address)
        await stranger.ask("hello")
        await stranger.close()
    with pytest.raises(InvalidStatus) as refused:
        await Client.open(node.url, additional_headers=address)
    assert refused.value.response.status_code == 429


async def test_a_forwarded_address_counts_for_nothing_without_a_proxy(
    start_node: StartNode,
) -> None:
    node = await start_node("--upgrades-per-minute", "2")
    assert {await status(node, "X-Forwarded-For: 192.0.2.1") for _ in range(8)} == {101}


async def test_metrics_are_for_this_machine_alone(hall: Hall, start_node: StartNode) -> None:
    node = hall.nodes[0]
    assert (await get(node, "/metrics"))[0] == 200
    for header in ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"):
        assert (await get(node, "/metrics", **{header: "127.0.0.1"}))[0] == 403, header
    open_to_all = await start_node("--metrics-open", "yes")
    assert (await get(open_to_all, "/metrics", Via="1.1 proxy"))[0] == 200


async def test_an_address_may_open_so_many_rooms_a_minute(
    hall: Hall, start_node: StartNode
) -> None:
    node = await start_node("--trusted-proxy", "127.0.0.1", "--rooms-per-minute", "5")

    async def guest(address: str) -> Client:
        headers = {"X-Forwarded-For": address}
        client = hall.closing(await Client.open(node.url, additional_headers=headers))
        await client.ask("hello")
        return client

    ann, bob, eve = [await guest(f"192.0.2.{last}") for last in (1, 1, 2)]
    for client in (ann, bob, ann, bob):
        await client.ask("create", game="duel")
    await ann.ask("seek", game="duel")
    for kind in ("create", "seek"):
        error = await bob.asked(kind, game="duel")
        assert (error["code"], error["temporary"]) == ("rate_limited", True)
        assert "at most 5 a minute" in error["message"]
    await eve.ask("create", game="duel")
