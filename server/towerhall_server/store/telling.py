"""Calling back whoever asked to be told, without suffering from what they do."""

import logging
from collections.abc import Callable
from typing import TypeVarTuple, Unpack

log = logging.getLogger(__name__)

Told = TypeVarTuple("Told")


def tell(callback: Callable[[Unpack[Told]], None], *told: *Told) -> None:
    """What a callback of others raises is logged: the connection that called it is not at fault."""
    try:
        callback(*told)
    except Exception:
        log.exception("a callback of the store failed")
