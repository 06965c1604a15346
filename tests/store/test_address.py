"""URLs of stores."""

import ssl

import pytest

from towerhall_server.store.address import read_address


def test_a_password_is_used_and_never_shown() -> None:
    address = read_address("redis://ada:p%40ss@example.org:7000/3")
    assert (address.host, address.port, address.path) == ("example.org", 7000, None)
    assert address.greeting == (("AUTH", "ada", "p@ss"), ("SELECT", "3"))
    assert address.shown == "redis://ada@example.org:7000/3"


def test_a_unix_socket() -> None:
    address = read_address("unix://:secret@/run/s.sock?db=2")
    assert address.path == "/run/s.sock"
    assert address.greeting == (("AUTH", "secret"), ("SELECT", "2"))
    assert "secret" not in address.shown


@pytest.mark.parametrize("url", ["redis://h?password=secret", "redis://h?db=1&password=secret"])
def test_a_password_among_the_options_is_not_shown_either(url: str) -> None:
    address = read_address(url)
    assert ("AUTH", "secret") in address.greeting
    assert "secret" not in address.shown


def test_tls_checks_the_peer_unless_told_otherwise() -> None:
    strict = read_address("rediss://example.org").tls
    loose = read_address("rediss://example.org?ssl_cert_reqs=none").tls
    assert strict is not None and loose is not None
    assert (strict.verify_mode, strict.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert loose.verify_mode == ssl.CERT_NONE
    assert read_address("redis://example.org").tls is None


@pytest.mark.parametrize("url", ["http://example.org", "example.org:6379", "", "redis://h:port"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL|[Pp]ort"):
        read_address(url)
