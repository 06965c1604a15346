"""What the hall counts, in one table, and how /metrics shows it.

Workers of one server publish their figures in a directory they share, every second, and each
answers with the sum of all. A worker's counts outlive it; its gauges do not.
"""

import asyncio
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from .figures import Counter, Gauge, Histogram, Metric, Values, WorstGauge

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PUBLISH_EVERY = 1.0
DEAD = "dead.json"

CONNECTIONS = Gauge("towerhall_connections", "Connections that are open.")
ROOMS_FOLLOWED = Gauge("towerhall_rooms_followed", "Rooms that some connection follows.")
STORE_READY = WorstGauge("towerhall_store_ready", "1 while every worker reaches the store, else 0.")
MOVES_ACCEPTED = Counter("towerhall_moves_accepted", "Moves that were stored and accepted.")
REQUESTS = Counter("towerhall_requests", "Requests of clients, by type.", "type")
ERRORS = Counter("towerhall_errors", "Errors that were answered, by code.", "code")
EVENTS_SENT = Counter("towerhall_events_sent", "Events written to connections.")
SLOW_CUTS = Counter("towerhall_slow_cuts", "Connections cut because their peer did not read.")
SEEKS = Gauge("towerhall_seeks", "Seeks of players who are connected.")
PAIRINGS = Counter("towerhall_pairings", "Rooms made for two players who were paired.")
LOBBY_SECONDS = Histogram(
    "towerhall_lobby_seconds",
    "Time to put together what the lobby shows.",
    (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1),
)
COMMIT_SECONDS = Histogram(
    "towerhall_commit_seconds",
    "Time from handing a change to the store to its answer.",
    (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
COMMITS_STALE = Counter("towerhall_commits_stale", "Commits refused because another came first.")
COMMITS_UNKNOWN = Counter("towerhall_commits_unknown", "Commits whose answer never came.")
BACKGROUND_FAILURES = Counter(
    "towerhall_background_failures", "Failures of background tasks, by task.", "task"
)

METRICS: tuple[Metric, ...] = (
    CONNECTIONS,
    ROOMS_FOLLOWED,
    STORE_READY,
    MOVES_ACCEPTED,
    REQUESTS,
    ERRORS,
    EVENTS_SENT,
    SLOW_CUTS,
    SEEKS,
    PAIRINGS,
    LOBBY_SECONDS,
    COMMIT_SECONDS,
    COMMITS_STALE,
    COMMITS_UNKNOWN,
    BACKGROUND_FAILURES,
)

Figures = dict[str, Values]
"""The values of every metric of a process, by the metric's name."""

_shared: Path | None = None


def figures() -> Figures:
    """Of this process."""
    return {metric.name: metric.values for metric in METRICS}


def exposition() -> bytes:
    """The text of /metrics: of this process, or of all workers that share a directory."""
    registry = CollectorRegistry()
    if _shared:
        registry.register(_Sum(merged([figures(), *_published(_shared)])))
    else:
        registry.register(_Sum(figures()))
        # Memory, CPU time and open files say something of one process, not of one in four.
        ProcessCollector(registry=registry)
    return generate_latest(registry)


def merged(processes: Iterable[Figures]) -> Figures:
    found = list(processes)
    return {
        metric.name: metric.merged(values[metric.name] for values in found if metric.name in values)
        for metric in METRICS
    }


async def share(directory: Path) -> None:
    """Publish this process's figures there until cancelled; `exposition` sums what it finds."""
    global _shared
    _shared = directory
    while True:
        _write(directory / f"{os.getpid()}.json", figures())
        await asyncio.sleep(PUBLISH_EVERY)


def retire(directory: Path, pid: int) -> None:
    """A worker is gone: what it counted joins the dead's, and its gauges go with it."""
    own, dead = directory / f"{pid}.json", directory / DEAD
    counts = merged([_read(own), _read(dead)])
    gauges = {metric.name for metric in METRICS if metric.kind == "gauge"}
    _write(dead, {name: values for name, values in counts.items() if name not in gauges and values})
    own.unlink(missing_ok=True)


class _Sum(Collector):
    """Figures, as prometheus_client wants them."""

    def __init__(self, of: Figures) -> None:
        self._figures = of

    def collect(self) -> Iterator[Family]:
        for metric in METRICS:
            yield metric.family(self._figures[metric.name])


def _published(directory: Path) -> Iterator[Figures]:
    for path in directory.glob("*.json"):
        if path.name != f"{os.getpid()}.json":
            yield _read(path)


def _read(path: Path) -> Figures:
    try:
        found: Figures = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}  # it was retired this moment, or never published
    return found


def _write(path: Path, of: Figures) -> None:
    # Renamed into place: a reader sees the old figures or the new ones.
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_text(json.dumps(of), encoding="ascii")
    fresh.replace(path)
