"""Metrics: what a scraper reads, of one process and of several."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from towerhall_server import metrics
from towerhall_server.figures import Gauge, Histogram, WorstGauge


@pytest.fixture(autouse=True)
def unshared() -> Iterator[None]:
    yield
    metrics._shared = None


def scraped() -> dict[str, float]:
    families = text_string_to_metric_families(metrics.exposition().decode())
    return {
        "".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


def test_a_scraper_reads_every_metric_and_the_process() -> None:
    metrics.REQUESTS.inc("move")
    names = {
        family.name for family in text_string_to_metric_families(metrics.exposition().decode())
    }
    assert {metric.name for metric in metrics.METRICS} <= names
    assert "process_resident_memory_bytes" in names


def test_a_histogram_counts_each_bucket_and_all_below_it() -> None:
    histogram = Histogram("seconds", "Seconds.", (0.1, 1))
    for seconds in (0.1, 0.5, 7):
        histogram.observe(seconds)
    samples = {
        sample.labels.get("le", sample.name): sample.value
        for sample in histogram.family(histogram.values).samples
    }
    assert samples == {
        "0.1": 1,
        "1": 2,
        "+Inf": 3,
        "seconds_count": 3,
        "seconds_sum": pytest.approx(7.6),
    }


def test_over_processes_counts_are_summed_and_readiness_is_the_worst() -> None:
    assert Gauge("g", "G.").merged([{"": 2}, {"": 3}]) == {"": 5}
    assert WorstGauge("w", "W.").merged([{"": 1}, {"": 0}]) == {"": 0}


async def test_each_of_several_workers_answers_with_the_sum_of_all(tmp_path: Path) -> None:
    before = metrics.MOVES_ACCEPTED.values[""]
    other = {"towerhall_moves_accepted": {"": 7}, "towerhall_connections": {"": 3}}
    (tmp_path / "1.json").write_text(json.dumps(other))
    (tmp_path / "2.json").write_text('{"torn')
    sharing = asyncio.create_task(metrics.share(tmp_path))
    await asyncio.sleep(0)
    assert scraped()["towerhall_moves_accepted_total"] == before + 7
    assert scraped()["towerhall_connections"] == 3

    metrics.retire(tmp_path, 1)
    assert scraped()["towerhall_moves_accepted_total"] == before + 7
    assert scraped()["towerhall_connections"] == 0
    sharing.cancel()
    await asyncio.wait([sharing])
