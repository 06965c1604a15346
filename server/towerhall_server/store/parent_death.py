"""A child that ends with its parent, even one that was killed with kill -9."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> Callable[[], None] | None:
    """What a child runs between fork and exec; None where the kernel has no such wish.

    The kernel watches the thread that forked, not the process: start children on the main
    thread's event loop. Where there is None, the next start ends the orphan.
    """
    if sys.platform != "linux":
        return None
    # Loaded before the fork: the child of a process with threads may load nothing.
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the wish was made
            os._exit(1)

    return ask
