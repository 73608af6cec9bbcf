"""What the server counts, in the text form that Prometheus reads. Counts only; decides nothing.

Everything is counted in the event loop's thread but batches, which only the worker counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Histogram:
    def __init__(self, name: str, told: str) -> None:
        self._name, self._told = name, told
        self._counts = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self) -> Iterator[str]:
        yield from _head(self._name, "histogram", self._told)
        total = 0
        for bound, count in zip((*map(str, _BOUNDS), "+Inf"), self._counts, strict=True):
            total += count
            yield f'{self._name}_bucket{{le="{bound}"}} {total}'
        yield f"{self._name}_sum {self._sum:.6f}"
        yield f"{self._name}_count {total}"


class Metrics:
    """`gauges` are read when they are asked for: name, what it is, value."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by path and status
        self.left = 0  # clients that did not wait for their answer
        self.batches = self.jobs = 0
        self.seconds = Histogram("ibr_request_seconds", "From arrival to the end of the answer.")
        self.batch_seconds = Histogram("ibr_batch_seconds", "Of work on one batch.")
        self.gauges: list[tuple[str, str, Callable[[], float]]] = []

    def on_batch(self, jobs: int, seconds: float) -> None:
        self.batches += 1
        self.jobs += jobs
        self.batch_seconds.add(seconds)

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("ibr_requests_total", "counter", "Answered requests.")
        for (path, status), count in sorted(self.requests.items()):
            yield f'ibr_requests_total{{path="{path}",status="{status}"}} {count}'
        for name, told, value in (
            ("ibr_clients_left_total", "Clients that left before their answer.", self.left),
            (
                "ibr_batches_total",
                "Batches of requests that were worked on together.",
                self.batches,
            ),
            ("ibr_batched_requests_total", "Requests in them.", self.jobs),
        ):
            yield from _head(name, "counter", told)
            yield f"{name} {value}"
        for name, told, read in self.gauges:
            yield from _head(name, "gauge", told)
            yield f"{name} {read():g}"
        yield from self.seconds.lines()
        yield from self.batch_seconds.lines()


def _head(name: str, kind: str, told: str) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"
