"""The numbers of `/metrics`, kept by prometheus_client. Counts only; decides nothing."""

from __future__ import annotations

from typing import Any, Final

import prometheus_client
from prometheus_client import Counter, Gauge, Histogram

from ibr.serving.work.worker import Worker

CONTENT_TYPE: Final = prometheus_client.CONTENT_TYPE_PLAIN_0_0_4
_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Counters:
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = own = prometheus_client.CollectorRegistry()
        labels = ("path", "status")
        self.requests = Counter("ibr_requests", "Answered requests.", labels, registry=own)
        self.left = Counter("ibr_clients_left", "Clients that left early.", registry=own)
        self._batches = Counter("ibr_batches", "Batches of requests.", registry=own)
        self._batched = Counter("ibr_batched_requests", "Requests in batches.", registry=own)
        timed: dict[str, Any] = {"buckets": _BOUNDS, "registry": own}
        self.seconds = Histogram("ibr_request_seconds", "From arrival to answer.", **timed)
        self._batch_seconds = Histogram("ibr_batch_seconds", "Work on one batch.", **timed)

    def watch(self, worker: Worker) -> None:
        """Count the batches of this worker and show its queue."""
        for name, text, read in (
            ("ibr_queue_waiting", "Requests that wait for the worker.", lambda: worker.waiting),
            ("ibr_running", "Requests that the worker works on.", lambda: worker.running),
            ("ibr_expected_seconds", "Estimated work in the queue.", lambda: worker.expected),
        ):
            Gauge(name, text, registry=self._registry).set_function(read)
        worker.on_batch = self._count_batch

    def _count_batch(self, jobs: int, seconds: float) -> None:
        self._batches.inc()
        self._batched.inc(jobs)
        self._batch_seconds.observe(seconds)

    def text(self) -> bytes:
        return prometheus_client.generate_latest(self._registry)
