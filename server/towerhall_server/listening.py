"""The listening socket, bound before anything else starts, and the address others reach it by.

Errors: CannotListen, with what to do about it.
"""

import errno
import ipaddress
import socket

BACKLOG = 4096
EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104 - a hall is for the network

_SOMEWHERE_ELSE = ("192.0.2.1", 9)  # of the addresses that are kept for documentation


class CannotListen(Exception):
    def __init__(self, host: str, port: int, error: OSError) -> None:
        place = f"port {port}" if host in EVERYWHERE else f"{host}, port {port}"
        super().__init__(_sentence(place, host, error))


def _sentence(place: str, host: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Another program listens on {place} already. Stop it, or name another by --port."
    if error.errno == errno.EACCES:
        return f"This user may not listen on {place}. Name one above 1023 by --port."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine. Name one that is by --host, or none for all."
    return f"Cannot listen on {place}: {error.strerror}."


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; on all addresses, IPv4 and IPv6, for an empty host."""
    try:
        if host in {"", "::"} and socket.has_dualstack_ipv6():
            return socket.create_server(
                ("::", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
            )
        family, address = _resolve(host or "0.0.0.0", port)  # noqa: S104
        return socket.create_server(address, family=family, backlog=BACKLOG)
    except OSError as error:
        raise CannotListen(host, port, error) from None


def _resolve(host: str, port: int) -> tuple[int, tuple[str, int]]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    # One socket for one address: of a name that has both kinds, IPv4 is what others will try.
    family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    return family, (str(address[0]), port)


def link(host: str, port: int) -> str:
    """The URL by which others on this network reach a socket bound to `host`."""
    address = _own_address() if host in EVERYWHERE else host
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def is_local(url_host: str | None) -> bool:
    """Whether only this machine reaches that host."""
    if url_host == "localhost":
        return True
    try:
        return ipaddress.ip_address(url_host or "").is_loopback
    except ValueError:
        return False


def _own_address() -> str:
    # Connecting a UDP socket sends nothing; it makes the kernel choose the address it would use.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE_ELSE)
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"
