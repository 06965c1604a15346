"""A cable between a client and a hall, in a thread of its own: it can be cut, and mended."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Cable:
    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._ends: list[socket.socket] = []
        self._whole = True
        self.carried = 0
        """Connections that went through so far."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def server(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """All that goes through breaks, and nothing gets through any more."""
        with self._lock:
            self._whole = False
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._ends.clear()

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def lead_to(self, host: str, port: int) -> None:
        """From now on it ends somewhere else."""
        with self._lock:
            self._to = (host, port)

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(self._to, timeout=10)
                far.settimeout(None)
                self._ends += [near, far]
                self.carried += 1
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, sink), daemon=True).start()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


@contextmanager
def cable_to(host: str, port: int) -> Iterator[Cable]:
    cable = Cable(host, port)
    try:
        yield cable
    finally:
        cable.close()
