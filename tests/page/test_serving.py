"""The page over plain HTTP: what every kind of visit gets, and that none harms the hall."""

import asyncio
import gzip
import re
from types import SimpleNamespace

import msgpack
import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from end_to_end.node import Node
from gateway.hall import Hall
from gateway.peer import BINARY, Peer, frame, upgrade
from page.conftest import StartNode
from protocol.page import SECTIONS, rows
from towerhall_server.gateway.http import Door
from towerhall_server.gateway.qr_codes import _draw
from towerhall_server.listening import link
from towerhall_server.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

Answer = tuple[int, dict[str, str], bytes]


async def fetch(node: Node, target: str, *headers: str, method: str = "GET") -> Answer:
    """Status, headers and body, exactly as they come."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{node.port}", *headers, "", ""]
    return await answer_to(node, "\r\n".join(lines).encode())


async def answer_to(node: Node, request: bytes) -> Answer:
    peer = await Peer.connect(node.port)
    peer.writer.write(request)
    async with asyncio.timeout(15):
        whole = await peer.reader.read(-1)
    peer.drop()
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in rest)
    return int(first.split()[1]) if first else 0, headers, body


async def assets(node: Node) -> list[str]:
    _, _, body = await fetch(node, "/")
    return sorted(set(re.findall(r"/assets/[0-9a-f]+/[a-z.]+", body.decode())))


@pytest.mark.parametrize("path", ["/", "/r/K7Q2MX", "/r/k7q-2mx", "/watch/K7Q2MX", "/tv", "/?x=1"])
async def test_the_page_is_there_at_every_address_of_it(hall: Hall, path: str) -> None:
    status, headers, body = await fetch(hall.nodes[0], path)
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert body.startswith(b"<!doctype html>")
    assert "{{" not in body.decode()


async def test_every_page_forbids_what_it_does_not_need(hall: Hall) -> None:
    node = hall.nodes[0]
    for path in ("/", "/nowhere", *await assets(node)):
        _, headers, _ = await fetch(node, path)
        policy = headers["Content-Security-Policy"].split("; ")
        assert policy[:3] == ["default-src 'none'", "script-src 'self'", "style-src 'self'"]
        assert (
            f"connect-src 'self' ws://127.0.0.1:{node.port} wss://127.0.0.1:{node.port}" in policy
        )
        assert {"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


async def test_every_path_of_the_protocols_page_is_served(hall: Hall) -> None:
    node = hall.nodes[0]
    asset = (await assets(node))[0].removeprefix("/assets/")
    paths = [path.strip("`") for path, _ in rows(SECTIONS["HTTP"])]
    assert {"/", "/ws", "/qr/CODE.svg", "/assets/HASH/NAME"} <= set(paths)
    for path in paths:
        status, _, _ = await fetch(node, path.replace("CODE", "K7Q2MX").replace("HASH/NAME", asset))
        # A websocket is asked for in another way.
        assert status == (426 if path == "/ws" else 200), path


async def test_a_host_that_is_none_is_not_repeated(hall: Hall) -> None:
    request = b"GET / HTTP/1.1\r\nHost: a;script-src *\r\n\r\n"
    status, headers, _ = await answer_to(hall.nodes[0], request)
    assert status == 200
    assert "connect-src 'self';" in headers["Content-Security-Policy"]


async def test_assets_are_kept_for_good_and_the_page_is_asked_for_again(hall: Hall) -> None:
    node = hall.nodes[0]
    named = await assets(node)
    assert len(named) > 10
    for path in named:
        status, headers, _ = await fetch(node, path)
        assert (status, headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
    _, headers, _ = await fetch(node, "/")
    assert headers["Cache-Control"] == "no-cache"
    for tag in (headers["ETag"], f"W/{headers['ETag']}", f'"x", {headers["ETag"]}'):
        status, headers, body = await fetch(node, "/", f"If-None-Match: {tag}")
        assert (status, body) == (304, b"")
        assert "Content-Length" not in headers
    assert (await fetch(node, "/", 'If-None-Match: "x"'))[0] == 200


async def test_an_asset_of_another_version_is_the_one_of_this(hall: Hall) -> None:
    status, headers, _ = await fetch(hall.nodes[0], "/assets/0000000000000000/main.js")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"


async def test_what_is_sent_is_compressed_for_whoever_takes_it(hall: Hall) -> None:
    node = hall.nodes[0]
    _, _, plain = await fetch(node, "/")
    for offer in ("gzip, deflate, br", "GZIP", "br;q=1.0, gzip;q=0.5", "gzip;q=1"):
        _, headers, packed = await fetch(node, "/", f"Accept-Encoding: {offer}")
        assert headers["Content-Encoding"] == "gzip", offer
        assert gzip.decompress(packed) == plain
    for offer in ("br", "gzip;q=0", "gzip;q=0.0", "gzipped", ""):
        _, headers, body = await fetch(node, "/", f"Accept-Encoding: {offer}")
        assert "Content-Encoding" not in headers, offer
        assert body == plain


async def test_the_whole_page_is_under_a_hundred_kilobytes_over_the_wire(hall: Hall) -> None:
    node = hall.nodes[0]
    size = 0
    for path in ("/", *await assets(node)):
        _, headers, body = await fetch(node, path, "Accept-Encoding: gzip")
        size += len(body) + sum(len(name) + len(value) + 4 for name, value in headers.items())
    assert size < 100_000


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/r",
        "/r/",
        "/r/K7Q2M",
        "/r/K7Q2MXX",
        "/r/K7Q2MX/",
        "/watch/%4B7Q2MX",
        "/tv/",
        "//",
        "/index.html",
        "/assets/",
        "/assets/main.js/..",
        "/assets/x/index.html",
        "/assets/x/../../../../etc/passwd",
        "/assets/x/%2e%2e%2f%2e%2e%2fpyproject.toml",
        "/assets/x/__init__.py",
        "/..%5c..%5cetc%5cpasswd",
        "/r/%00",
    ],
)
async def test_a_wrong_path_is_a_friendly_404(hall: Hall, path: str) -> None:
    status, headers, body = await fetch(hall.nodes[0], path)
    assert (status, headers["Cache-Control"]) == (404, "no-store")
    assert b"To the lobby" in body


async def test_a_head_has_everything_but_the_body(hall: Hall) -> None:
    node = hall.nodes[0]
    for path in ("/", "/healthz", "/nowhere"):
        got, asked = await fetch(node, path), await fetch(node, path, method="HEAD")
        assert asked == (got[0], got[1], b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
async def test_a_page_can_only_be_read(hall: Hall, method: str) -> None:
    status, headers, _ = await fetch(hall.nodes[0], "/", method=method)
    assert (status, headers["Allow"]) == (405, "GET, HEAD")


async def test_the_icon_is_where_browsers_look_for_it(hall: Hall) -> None:
    status, headers, body = await fetch(hall.nodes[0], "/favicon.ico")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")


ODD = {
    "path": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "cookie": b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 20_000 + b"\r\n\r\n",
    "headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    "body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    "long": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + b"a" * 300_000,
    "chunks": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "version": b"GET / HTTP/2.0\r\n\r\n",
    "bytes": b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    "newlines": b"GET / HTTP/1.1\nHost: x\n\n",
    "blank": b"\r\n\r\n\r\n",
}


@pytest.mark.parametrize("request_", ODD.values(), ids=ODD.keys())
async def test_odd_requests_are_refused_and_harm_nobody(hall: Hall, request_: bytes) -> None:
    node = hall.nodes[0]
    logged = len(node.log)
    status, _, _ = await answer_to(node, request_)
    assert status in (400, 414, 431)
    assert (await fetch(node, "/"))[0] == 200
    assert node.log[logged:] == []


async def test_what_is_no_http_ends_quickly_and_harms_nobody(hall: Hall) -> None:
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    assert (await answer_to(hall.nodes[0], hello))[0] == 0
    assert (await fetch(hall.nodes[0], "/"))[0] == 200


@pytest.mark.parametrize("more", [1, 2, 20_000])
async def test_of_several_requests_at_once_the_first_is_answered(hall: Hall, more: int) -> None:
    node = hall.nodes[0]
    logged = len(node.log)
    one = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    assert (await answer_to(node, one * (1 + more)))[::2] == (200, b"alive\n")
    assert node.log[logged:] == []


async def test_who_asks_and_has_nothing_more_to_say_is_answered(hall: Hall) -> None:
    node = hall.nodes[0]
    logged = len(node.log)
    for request in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", upgrade(node)):
        peer = await Peer.connect(node.port)
        peer.writer.write(request)
        peer.writer.write_eof()
        async with asyncio.timeout(15):
            answer = await peer.reader.read(-1)
        assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 101 "))
        peer.drop()
    assert node.log[logged:] == []


async def test_a_request_may_come_in_pieces_and_frames_right_behind_it(hall: Hall) -> None:
    node = hall.nodes[0]
    peer = await Peer.connect(node.port)
    hello = frame(BINARY, msgpack.packb({"type": "hello", "id": 1}))
    whole = upgrade(node) + hello
    ends = len(upgrade(node))
    for start, end in ((0, 10), (10, ends - 3), (ends - 3, ends - 1), (ends - 1, len(whole))):
        peer.writer.write(whole[start:end])
        await peer.writer.drain()
        await asyncio.sleep(0.02)
    async with asyncio.timeout(15):
        assert b" 101 " in await peer.reader.readuntil(b"\r\n\r\n")
        assert b"welcome" in await peer.reader.read(2000)


async def test_many_visits_at_once_leave_a_game_alone(hall: Hall) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    table = await hall.table(ann, bob)
    named = await assets(hall.nodes[0])

    async def visit() -> set[int]:
        return {(await fetch(hall.nodes[0], path))[0] for path in named}

    visiting = asyncio.gather(*(visit() for _ in range(12)))
    await table.moves(10)
    assert await visiting == [{200}] * 12


async def test_whoever_reads_slowly_still_gets_all_of_it(hall: Hall) -> None:
    node = hall.nodes[0]
    [style] = [path for path in await assets(node) if path.endswith(".css")]
    _, _, whole = await fetch(node, style)
    peer = await Peer.connect(node.port)
    peer.stop_reading()
    peer.writer.write(f"GET {style} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    # Longer than the hall waits for a goodbye.
    await asyncio.sleep(3)
    peer.start_reading()
    async with asyncio.timeout(15):
        assert (await peer.reader.read(-1)).endswith(whole)


async def test_visits_do_not_count_as_connections(start_node: StartNode) -> None:
    node = await start_node("--trusted-proxy", "127.0.0.1", "--upgrades-per-minute", "3")
    client = "X-Forwarded-For: 192.0.2.1"
    assert {(await fetch(node, "/", client))[0] for _ in range(10)} == {200}
    upgrade = (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    peer = await Peer.connect(node.port)
    lines = ["GET /ws HTTP/1.1", f"Host: 127.0.0.1:{node.port}", client, *upgrade, "", ""]
    peer.writer.write("\r\n".join(lines).encode())
    assert b" 101 " in await asyncio.wait_for(peer.reader.readline(), 10)


async def test_a_rooms_link_is_drawn_as_a_qr_code(hall: Hall, start_node: StartNode) -> None:
    status, headers, body = await fetch(hall.nodes[0], "/qr/K7Q2MX.svg")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")
    assert (await fetch(hall.nodes[0], "/qr/k7q-2mx.svg"))[2] == body
    for wrong in ("/qr/K7Q2MX", "/qr/K7Q2M.svg", "/qr/.svg", "/qr/../x.svg"):
        assert (await fetch(hall.nodes[0], wrong))[0] == 404
    proxied = await start_node("--trusted-proxy", "127.0.0.1")
    secure = await fetch(proxied, "/qr/K7Q2MX.svg", "X-Forwarded-Proto: https")
    assert secure[2] != (await fetch(proxied, "/qr/K7Q2MX.svg"))[2]
    forged = await fetch(hall.nodes[0], "/qr/K7Q2MX.svg", "X-Forwarded-Proto: https")
    assert forged[2] == body


@pytest.mark.parametrize(
    ("flags", "peer", "host", "address"),
    [
        ({"host": ""}, "127.0.0.1", "localhost:7777", True),
        ({"host": "::"}, "::1", "[::1]:7777", True),
        ({"host": ""}, "127.0.0.1", "hall.example:7777", False),
        ({"host": ""}, "192.0.2.7", "localhost:7777", False),
        ({"host": "127.0.0.1"}, "127.0.0.1", "127.0.0.1:7777", False),
    ],
)
async def test_on_the_halls_own_machine_links_are_made_for_others(
    flags: dict[str, str], peer: str, host: str, address: bool
) -> None:
    door = Door(SimpleNamespace(settings=Settings(**flags)))  # type: ignore[arg-type]
    connection = SimpleNamespace(remote_address=(peer, 4000), local_address=("::", 7777))
    pictures = []
    for path in ("/", "/qr/K7Q2MX.svg"):
        request = Request(path, Headers({"Host": host}))
        answer = door(connection, request)  # type: ignore[arg-type]
        assert answer is not None
        pictures.append(bytes(answer.body))
    named = link(flags["host"], 7777) if address else ""
    assert f'<meta name="hall" content="{named}">' in pictures[0].decode()
    leads_to = f"{named or f'http://{host}'}/r/K7Q2MX"
    assert pictures[1] == _draw(leads_to)


async def test_links_begin_as_the_host_says() -> None:
    settings = Settings(public_url="https://hall.example")
    door = Door(SimpleNamespace(settings=settings))  # type: ignore[arg-type]
    connection = SimpleNamespace(remote_address=("192.0.2.7", 4000))
    answer = door(connection, Request("/tv", Headers({"Host": "x"})))  # type: ignore[arg-type]
    assert answer is not None
    assert b'<meta name="hall" content="https://hall.example">' in bytes(answer.body)


async def test_so_many_pictures_are_drawn_and_no_more(start_node: StartNode) -> None:
    node = await start_node()
    statuses = [(await fetch(node, f"/qr/AAA{n:03}.svg"))[0] for n in range(60)]
    assert statuses[0] == 200
    assert statuses[-1] in (200, 429)
    assert 429 in statuses
    assert (await fetch(node, "/qr/AAA000.svg"))[0] == 200
