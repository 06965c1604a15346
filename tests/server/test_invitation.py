"""What is printed on how to join."""

import socket

import pytest

from towerhall_client.addresses import read_address
from towerhall_server.invitation import Invitation
from towerhall_server.listening import CannotListen, link, listen

HALL = Invitation("http://192.168.1.20:7777", "/home/ada/hall")


def test_it_says_how_to_join_where_the_games_are_and_how_to_stop() -> None:
    for text in (HALL.plain(), HALL.drawn()):
        assert "in a terminal   towerhall play --server 192.168.1.20\n" in text
        assert "in a browser    http://192.168.1.20:7777\n" in text
        assert "by a program    ws://192.168.1.20:7777/ws\n" in text
        assert "pip install towerhall\n" in text
        assert "wss://hall.example/ws\n" in Invitation("https://hall.example", "").plain()
        assert "/home/ada/hall" in text
        assert "Ctrl-C" in text


@pytest.mark.parametrize(
    ("link_", "server"),
    [
        ("http://10.0.0.7:8000", "10.0.0.7:8000"),
        ("http://[::1]:7777", "[::1]"),
        ("https://hall.example", "https://hall.example"),
        ("http://hall.example", "http://hall.example"),
    ],
)
def test_the_command_names_the_hall_as_the_client_reads_it(link_: str, server: str) -> None:
    text = Invitation(link_, "x").plain()
    assert f"towerhall play --server {server}\n" in text
    assert read_address(server).link == link_


def test_a_terminal_gets_a_qr_code_and_a_file_only_ascii() -> None:
    assert "█" in HALL.drawn()
    assert Invitation(HALL.link, "/home/hélène").plain().isascii()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_hall_of_one_machine_says_so_and_draws_no_code(host: str) -> None:
    text = Invitation(f"http://{host}:7777", "x").drawn()
    assert "on this machine only" in text
    assert "█" not in text


def test_the_link_is_what_others_can_reach() -> None:
    assert link("10.0.0.7", 80) == "http://10.0.0.7:80"
    assert link("::1", 80) == "http://[::1]:80"
    for everywhere in ("", "0.0.0.0", "::"):
        assert link(everywhere, 7777).endswith(":7777")
        assert "0.0.0.0" not in link(everywhere, 7777)


def test_without_a_network_the_link_is_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert link("", 7777) == "http://localhost:7777"


def test_a_hall_on_all_addresses_takes_ipv4_and_ipv6() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with listen("", 0) as listener:
        port = listener.getsockname()[1]
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, port), timeout=2).close()


def test_a_taken_port_is_a_sentence() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port} already.*--port"):
            listen("127.0.0.1", port)


def test_a_foreign_address_is_a_sentence() -> None:
    with pytest.raises(CannotListen, match=r"192\.0\.2\.77 is no address of this machine"):
        listen("192.0.2.77", 0)
