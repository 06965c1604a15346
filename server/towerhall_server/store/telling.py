"""Calling back whoever asked to be told, without suffering from what they do."""

import logging
from collections.abc import Callable
from typing import ParamSpec

log = logging.getLogger(__name__)

P = ParamSpec("P")


def tell(callback: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """What a callback of others raises is logged: the connection that called it is not at fault."""
    try:
        callback(*args, **kwargs)
    except Exception:
        log.exception("a callback of the store failed")
