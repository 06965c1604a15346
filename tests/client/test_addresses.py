"""What a person may type for a server or a room."""

import pytest

from towerhall_client.addresses import Address, is_room, read_address, read_room, read_servers
from towerhall_client.exits import Usage


@pytest.mark.parametrize(
    ("text", "websocket", "server"),
    [
        ("hall.example", "ws://hall.example:7777/ws", "hall.example"),
        ("hall.example:80", "ws://hall.example/ws", "http://hall.example"),
        ("192.168.1.20:8000", "ws://192.168.1.20:8000/ws", "192.168.1.20:8000"),
        ("[::1]:7777", "ws://[::1]:7777/ws", "[::1]"),
        ("http://hall.example:7777/", "ws://hall.example:7777/ws", "hall.example"),
        ("https://hall.example", "wss://hall.example/ws", "https://hall.example"),
        ("wss://hall.example/ws", "wss://hall.example/ws", "https://hall.example"),
        ("https://a.example/hall/ws", "wss://a.example/hall/ws", "https://a.example/hall"),
    ],
)
def test_a_server_is_read_in_every_form(text: str, websocket: str, server: str) -> None:
    address = read_address(text)
    assert address.websocket == websocket
    assert address.server == server
    assert read_address(address.server) == address


@pytest.mark.parametrize("text", ["ftp://hall", "host:port", "http://", "ws://me:pw@hall", "::1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Usage, match="is not an address"):
        read_address(text)


def test_several_servers_with_commas_or_one_by_one() -> None:
    one, two = Address("a", 7777), Address("b", 8000)
    assert read_servers(["a, b:8000", "a"]) == (one, two)


def test_a_link_names_the_server_and_the_room() -> None:
    hall = Address("hall.example", 7777)
    for path in ("r/K7Q-2MX", "watch/K7Q-2MX", "r/K7Q-2MX/"):
        assert read_room(f"http://hall.example:7777/{path}") == (hall, "K7Q-2MX")
    assert read_room("k7q2mx") == (None, "k7q2mx")
    with pytest.raises(Usage, match="not a link to a room"):
        read_room("http://hall.example/")


def test_a_word_is_a_room_or_a_game() -> None:
    assert all(is_room(word) for word in ("k7q-2mx", "K7Q2MX", "http://a/r/K7Q2MX", "a" * 16))
    assert not any(is_room(word) for word in ("duel", "builder", "strangers", "relatives"))
