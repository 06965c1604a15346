"""Counters, gauges and histograms that cost an addition.

prometheus_client's own cost 1 to 5 microseconds a call, and a move, which has some 60 in all,
touches five of them. So counting is an addition to a dict here, and prometheus_client comes in
when somebody asks for /metrics.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Literal

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family

Values = dict[str, float]
"""Of one metric: its values by label ("" without one)."""


class Metric:
    """A number, or one per value of a label."""

    kind: Literal["counter", "gauge", "histogram"]

    def __init__(self, name: str, meaning: str, label: str | None = None) -> None:
        self.name, self.meaning, self.label = name, meaning, label
        self.values: Values = {} if label else {"": 0}

    def inc(self, label: str = "", amount: float = 1) -> None:
        self.values[label] = self.values.get(label, 0) + amount

    def merged(self, processes: Iterable[Values]) -> Values:
        """The values of several processes as one."""
        total: Values = {}
        for values in processes:
            for label, value in values.items():
                total[label] = self.joined(total[label], value) if label in total else value
        return total

    @staticmethod
    def joined(one: float, other: float) -> float:
        return one + other

    def family(self, values: Values) -> Family:
        labels = [self.label] if self.label else []
        make = CounterMetricFamily if self.kind == "counter" else GaugeMetricFamily
        family = make(self.name, self.meaning, labels=labels)
        for label, value in values.items():
            family.add_metric([label] if self.label else [], value)
        return family


class Counter(Metric):
    kind = "counter"


class Gauge(Metric):
    kind = "gauge"

    def set(self, value: float) -> None:
        self.values[""] = value


class WorstGauge(Gauge):
    """Over several processes: the smallest, where others are summed."""

    @staticmethod
    def joined(one: float, other: float) -> float:
        return min(one, other)


class Histogram(Metric):
    """Seconds, in buckets by upper bound; the key "sum" holds their sum."""

    kind = "histogram"

    def __init__(self, name: str, meaning: str, bounds: Sequence[float]) -> None:
        super().__init__(name, meaning)
        self._bounds = list(bounds)
        self._keys = [f"{bound:g}" for bound in bounds] + ["+Inf"]
        self.values = dict.fromkeys([*self._keys, "sum"], 0.0)

    def observe(self, seconds: float) -> None:
        self.values[self._keys[bisect_left(self._bounds, seconds)]] += 1
        self.values["sum"] += seconds

    def family(self, values: Values) -> Family:
        total, buckets = 0.0, []
        for key in self._keys:
            total += values[key]
            buckets.append((key, total))
        family = HistogramMetricFamily(self.name, self.meaning)
        family.add_metric([], buckets, values["sum"])
        return family
