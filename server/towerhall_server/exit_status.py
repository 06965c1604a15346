"""How a process of the server ends: what it raised becomes one sentence and an exit status."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from .listening import CannotListen
from .logs import clean
from .settings import SettingsError
from .store.faults import StoreIsSpread, StoreTooOld, StoreUnreachable
from .store.trouble import EmbeddedStoreError

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class AlreadyTold(Exception):
    """A process of ours failed and has said why."""


def exit_status(run: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Run to the end; tell on stderr why it could not be done."""
    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        return INTERRUPTED
    except AlreadyTold:
        return FAILED
    except SettingsError as error:
        tell(str(error))
        return USAGE
    except (EmbeddedStoreError, CannotListen) as error:
        tell(str(error))
        return FAILED
    except StoreUnreachable as error:
        tell(
            f"{_begun(error)} Start it, or correct --redis; without --redis the hall keeps "
            "its games itself."
        )
        return FAILED
    except StoreTooOld as error:
        tell(f"{_begun(error)} Upgrade it, or name another with --redis.")
        return FAILED
    except StoreIsSpread as error:
        tell(f"{_begun(error)} Name another with --redis.")
        return FAILED
    return DONE


def tell(sentence: str) -> None:
    sys.stderr.write(f"towerhall-server: {clean(sentence)}\n")


def _begun(error: Exception) -> str:
    sentence = str(error).rstrip(".")
    return f"{sentence[:1].upper()}{sentence[1:]}."
