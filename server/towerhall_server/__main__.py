"""`towerhall-server`: argv -> settings -> store and listening socket -> app."""

import contextlib
import importlib.util
import os
import resource
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .settings import Settings

EXTRA = ("hiredis", "prometheus_client", "redis")
"""What `towerhall[server]` brings. Nothing of it is imported before it is known to be there."""


def main(argv: Sequence[str] | None = None) -> int:
    missing = [name for name in EXTRA if importlib.util.find_spec(name) is None]
    if missing:
        sys.stderr.write(
            f"towerhall-server: the server needs {', '.join(missing)}, which the thin client does "
            "not. Install it with: pip install 'towerhall[server]'\n"
        )
        return 1
    from . import logs
    from .exit_status import FAILED, USAGE, exit_status, tell
    from .listening import CannotListen, listen
    from .settings import SettingsError, load

    try:
        settings = load(sys.argv[1:] if argv is None else argv, os.environ)
        logs.configure(settings.log_level, settings.log_format)
        _raise_open_files()
        with listen(settings.host, settings.port) as listener:
            return exit_status(lambda: _run(settings, listener))
    except SettingsError as error:
        tell(str(error))
        return USAGE
    except CannotListen as error:
        tell(str(error))
        return FAILED


async def _run(settings: "Settings", listener: socket.socket) -> None:
    from .app import serve
    from .supervisor import Supervisor

    def started() -> None:
        _invite(settings, listener.getsockname()[1])

    async with _store(settings) as url:
        if settings.workers > 1:
            hall = Supervisor(settings, redis_url=url, listener=listener, started=started)
            await hall.run()
        else:
            node = settings.named()
            await serve(node, redis_url=url, listener=listener, started=started)


@contextlib.asynccontextmanager
async def _store(settings: "Settings") -> AsyncIterator[str]:
    from .store.embedded import EmbeddedStore

    if settings.redis:
        yield settings.redis
        return
    store = EmbeddedStore(settings.data)
    try:
        yield await store.start()
    finally:
        await store.stop()


def _invite(settings: "Settings", port: int) -> None:
    from .invitation import Invitation
    from .listening import link
    from .logs import clean

    kept_in = clean(settings.redis) if settings.redis else str(settings.data)
    invitation = Invitation(settings.public_url or link(settings.host, port), kept_in)
    drawable = sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf")
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(invitation.drawn() if drawable else invitation.plain())
        sys.stdout.flush()


def _raise_open_files() -> None:
    """A connection is a file: take all that this user may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS calls its hard limit infinite, and refuses it.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    sys.exit(main())
