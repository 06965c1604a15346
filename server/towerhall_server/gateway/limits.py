"""How much one may ask for. Time is an argument: `now` in seconds of any steady clock."""

import ipaddress
import resource
from collections import OrderedDict
from collections.abc import Hashable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

ADDRESSES = 10_000


class Bucket:
    """Holds `burst` tokens at most and gains `rate` a second."""

    __slots__ = ("at", "burst", "rate", "tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self.tokens = burst
        self.at = now

    def take(self, now: float) -> bool:
        tokens = self.tokens + (now - self.at) * self.rate
        if tokens > self.burst:
            tokens = self.burst
        self.at = now
        taken = tokens >= 1
        self.tokens = tokens - 1 if taken else tokens
        return taken

    def give_back(self) -> None:
        self.tokens = min(self.burst, self.tokens + 1)


class Buckets:
    """A bucket for each address, the least recently seen ones forgotten."""

    def __init__(self, per_minute: float) -> None:
        self._per_minute = per_minute
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def of(self, address: Hashable, now: float) -> Bucket:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = Bucket(self._per_minute / 60, self._per_minute, now)
            self._buckets[address] = bucket
            if len(self._buckets) > ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket


def peer_address(
    connected: str, forwarded: str | None, trusted: tuple[Network, ...]
) -> Address | None:
    """Whose request it is: the nearest address that is not a trusted proxy's own.

    None where there is no address, as on a unix socket.
    """
    address = _address(connected)
    hops = [_address(hop) for hop in reversed(forwarded.split(","))] if forwarded else []
    for hop in hops:
        if address is None or hop is None or not any(address in net for net in trusted):
            break
        address = hop
    return address


def limited_by(address: Address) -> Hashable:
    """What an address is counted as: of IPv6, one customer has a whole /64."""
    if isinstance(address, ipaddress.IPv6Address):
        return ipaddress.ip_network((address, 64), strict=False)
    return address


def files_but(spare: int) -> int:
    """How many files this process may have open, less some: connections are files."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(files - spare, files // 2)


def _address(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip().strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
