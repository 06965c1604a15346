"""Halls that are broken on purpose."""

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from end_to_end.conftest import store
from faults.hall import Hall
from faults.shim import build
from store.valkey import Valkey

__all__ = ["hall", "shim", "store"]

Shim = Callable[[str], str]


@pytest.fixture
async def hall(store: Valkey) -> AsyncIterator[Hall]:
    hall = Hall(store)
    yield hall
    await hall.close()
    sys.stdout.write(hall.story())


@pytest.fixture
def shim(tmp_path: Path) -> Shim:
    """`shim("slow_sync")`: the library made of that file, to be preloaded into a process."""
    return lambda name: str(build(name, tmp_path))
