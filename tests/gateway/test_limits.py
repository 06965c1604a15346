"""How much one may ask for, and who is asking."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from towerhall_server.gateway.limits import (
    ADDRESSES,
    Bucket,
    Buckets,
    Network,
    limited_by,
    peer_address,
)


def taken(bucket: Bucket, times: int, now: float) -> int:
    """How many of so many tries at this moment got a token."""
    return sum(bucket.take(now) for _ in range(times))


# Bucket


def test_a_full_bucket_gives_its_burst_at_once_and_no_more() -> None:
    assert taken(Bucket(10, 30, 0), 100, 0) == 30


def test_an_empty_bucket_fills_at_its_rate() -> None:
    bucket = Bucket(10, 30, 0)
    taken(bucket, 30, 0)
    assert taken(bucket, 10, 0.09) == 0
    assert taken(bucket, 10, 0.5) == 5
    assert taken(bucket, 10, 0.5) == 0


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    assert taken(Bucket(10, 30, 0), 100, 1e9) == 30


def test_parts_of_a_token_are_kept_until_they_make_one() -> None:
    bucket = Bucket(0.5, 1, 0)
    assert bucket.take(0)
    assert [bucket.take(now) for now in (0.5, 1.0, 1.5, 2.0)] == [False, False, False, True]


def test_what_is_given_back_can_be_taken_again_but_not_beyond_the_burst() -> None:
    bucket = Bucket(0, 2, 0)
    bucket.give_back()
    assert taken(bucket, 9, 0) == 2
    bucket.give_back()
    assert taken(bucket, 9, 0) == 1


@given(
    rate=st.integers(1, 50),
    burst=st.integers(1, 100),
    waits=st.lists(st.floats(0, 5), max_size=60),
)
def test_no_more_is_taken_than_the_burst_and_what_came_since(
    rate: int, burst: int, waits: list[float]
) -> None:
    bucket, now, got = Bucket(rate, burst, 0), 0.0, 0
    for wait in waits:
        now += wait
        got += taken(bucket, 3, now)
        assert got <= burst + rate * now + 1e-6


# Buckets


def test_each_address_has_a_bucket_of_its_own() -> None:
    buckets = Buckets(20)
    assert taken(buckets.of("a", 0), 50, 0) == 20
    assert taken(buckets.of("b", 0), 50, 0) == 20
    assert taken(buckets.of("a", 0), 50, 0) == 0


def test_the_rate_is_by_the_minute() -> None:
    buckets = Buckets(20)
    taken(buckets.of("a", 0), 20, 0)
    assert taken(buckets.of("a", 30), 50, 30) == 10


def test_only_so_many_addresses_are_remembered_the_last_seen_ones() -> None:
    buckets = Buckets(1)
    first, second = buckets.of("first", 0), buckets.of("second", 0)
    for number in range(ADDRESSES - 2):
        buckets.of(number, 0)
    assert buckets.of("first", 0) is first
    buckets.of("one more", 0)
    assert buckets.of("first", 0) is first
    assert buckets.of("second", 0) is not second
    assert len(buckets._buckets) == ADDRESSES


# Who it is

PROXIES: tuple[Network, ...] = (
    ipaddress.ip_network("10.0.0.0/8"),
    ipaddress.ip_network("fd00::/8"),
)


def peer(connected: str, forwarded: str | None = None) -> str | None:
    address = peer_address(connected, forwarded, PROXIES)
    return None if address is None else str(address)


def test_who_connects_directly_is_who_connects() -> None:
    assert peer("203.0.113.9") == "203.0.113.9"
    assert peer("2001:db8::9") == "2001:db8::9"


@pytest.mark.parametrize(
    "claimed", ["198.51.100.1", "127.0.0.1", "10.0.0.1", "::1", "10.0.0.1, ::1"]
)
def test_what_a_stranger_says_of_themselves_does_not_count(claimed: str) -> None:
    assert peer("203.0.113.9", claimed) == "203.0.113.9"


def test_with_no_trusted_proxy_nothing_that_is_forwarded_counts() -> None:
    assert peer_address("127.0.0.1", "198.51.100.1", ()) == ipaddress.ip_address("127.0.0.1")


def test_a_trusted_proxy_is_believed_about_whom_it_serves() -> None:
    assert peer("10.1.2.3", "203.0.113.9") == "203.0.113.9"
    assert peer("fd00::1", "2001:db8::9") == "2001:db8::9"


@pytest.mark.parametrize("claimed", ["198.51.100.1", "127.0.0.1", "10.9.9.9", "junk", ""])
def test_what_the_client_wrote_before_the_proxy_did_does_not_count(claimed: str) -> None:
    assert peer("10.1.2.3", f"{claimed}, 203.0.113.9") == "203.0.113.9"


def test_through_several_proxies_it_is_the_nearest_address_that_is_not_trusted() -> None:
    assert peer("10.1.2.3", "203.0.113.9, fd00::7, 10.4.4.4") == "203.0.113.9"
    assert peer("10.1.2.3", "198.51.100.1, 203.0.113.9, 10.4.4.4") == "203.0.113.9"


def test_when_all_are_trusted_it_is_the_farthest() -> None:
    assert peer("10.1.2.3", "10.5.5.5, 10.4.4.4") == "10.5.5.5"


@pytest.mark.parametrize("hops", ["junk", "unknown", "", " ", ",", "203.0.113.9, junk", "1.2.3"])
def test_behind_a_hop_that_is_no_address_nothing_counts(hops: str) -> None:
    assert peer("10.1.2.3", hops) == "10.1.2.3"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("  203.0.113.9 ", "203.0.113.9"),
        ("[2001:db8::9]", "2001:db8::9"),
        ("fe80::1%eth0", "fe80::1"),
        ("2001:0DB8::0009", "2001:db8::9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_an_address_is_the_same_however_it_is_written(written: str, meant: str) -> None:
    assert peer(written) == meant
    assert peer("10.1.2.3", written) == meant


def test_a_trusted_proxy_is_known_by_its_mapped_address_too() -> None:
    assert peer("::ffff:10.1.2.3", "203.0.113.9") == "203.0.113.9"
    assert peer("10.1.2.3", "203.0.113.9, ::ffff:10.4.4.4") == "203.0.113.9"


@pytest.mark.parametrize("connected", ["", "@", "/run/towerhall.sock"])
def test_a_unix_socket_has_no_address_whatever_is_forwarded(connected: str) -> None:
    assert peer(connected) is None
    assert peer(connected, "203.0.113.9") is None


@given(connected=st.text(max_size=20), forwarded=st.none() | st.text(max_size=60))
def test_no_text_at_all_breaks_it(connected: str, forwarded: str | None) -> None:
    address = peer_address(connected, forwarded, PROXIES)
    assert address is None or address == peer_address(str(address), None, ())


def counted(text: str) -> object:
    return limited_by(ipaddress.ip_address(text))


def test_an_ipv4_address_counts_by_itself() -> None:
    assert counted("203.0.113.9") != counted("203.0.113.8")


def test_an_ipv6_customer_counts_once_for_all_their_addresses() -> None:
    assert counted("2001:db8:0:1::1") == counted("2001:db8:0:1:ffff:ffff:ffff:ffff")
    assert counted("2001:db8:0:1::1") != counted("2001:db8:0:2::1")
