"""One thread that runs batches of jobs from a bounded queue. Knows no HTTP and no logic.

The work on a batch is a generator that yields between its steps and returns the results. After
each step the worker looks at the jobs: if no client waits for any of them, the batch is cancelled.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ibr.serving.limits import ServerLimits

_BATCHES: Final = 8  # per group, from which the pace is estimated


class QueueFull(Exception):
    """The queue is full, the estimated wait is too long, or the worker is closing."""


@dataclass(eq=False)
class QueuedJob:
    """A request in the queue; jobs of one `group` may form a batch, None means alone.

    `weight` is its share of a batch's size. `send`, if given, gets events in the worker's thread.
    """

    group: Hashable
    request: Any
    weight: int = 1
    send: Callable[[Any], object] | None = None
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.Future())
    cancelled: bool = False


Steps = Generator[None, None, Sequence[Any]]  # returns results in order; an Exception is one, too
Work = Callable[[Sequence[QueuedJob]], Steps]


class Worker:
    """Call `submit` and `cancel` in the event loop's thread. Batches weigh up to `max_weight`."""

    def __init__(self, work: Work, limits: ServerLimits, max_weight: int = 64) -> None:
        self._work, self._limits, self._max_weight = work, limits, max_weight
        self._pace = Pace()
        self._waiting: deque[QueuedJob] = deque()
        self._running: list[QueuedJob] = []
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._loop, name="ibr-worker", daemon=True)
        self.on_batch: Callable[[int, float], None] = lambda jobs, seconds: None

    def start(self) -> None:
        self._thread.start()

    def close(self, timeout: float | None = None) -> None:
        """Accept no more jobs and finish those that were accepted."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return sum(not job.cancelled for job in self._running)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def expected(self) -> float:
        """Estimated seconds of work that was accepted and is not done."""
        with self._changed:
            return self._pace.expected((*self._running, *self._waiting))

    @property
    def is_full(self) -> bool:
        """Whether one more job would be refused."""
        with self._changed:
            if self._closing or len(self._waiting) >= self._limits.max_queue:
                return True
            jobs = [*self._running, *self._waiting]  # two batches are accepted at any pace
            return self._fills(jobs, 2) and self.expected > self._limits.max_wait_s

    def _fills(self, jobs: Sequence[QueuedJob], batches: int) -> bool:
        most, heaviest = batches * self._limits.max_batch, batches * self._max_weight
        return len(jobs) >= most or _weight(jobs) >= heaviest

    def submit(self, job: QueuedJob) -> None:
        """Raises QueueFull at once, never waits."""
        with self._changed:
            if self.is_full:
                raise QueueFull
            self._waiting.append(job)
            self._changed.notify_all()

    def cancel(self, job: QueuedJob) -> None:
        """Drop a job from the queue, or mark it so that its batch can stop; none if it is done."""
        if job.done.done():
            return
        job.done.cancel()
        with self._changed:
            job.cancelled = True
            if job in self._waiting:
                self._waiting.remove(job)

    def _loop(self) -> None:
        while batch := self._next_batch():
            started = time.perf_counter()
            self._run(batch)
            seconds = time.perf_counter() - started
            with self._changed:
                self._running = []
                self._pace.add(batch, seconds)
            self.on_batch(len(batch), seconds)

    def _next_batch(self) -> list[QueuedJob]:
        """Wait for the first job and collect others; empty when the worker is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            if not self._waiting:
                return []
            batch = [self._waiting.popleft()]
            until = time.monotonic() + self._limits.batch_wait_ms / 1000
            self._collect(batch)
            while batch[0].group is not None and not (self._closing or self._fills(batch, 1)):
                if not self._changed.wait(until - time.monotonic()):
                    break
                self._collect(batch)
            self._running = batch
            return batch

    def _collect(self, batch: list[QueuedJob]) -> None:
        """Move jobs of the batch's group from the queue into it, in order of arrival."""
        group = batch[0].group
        for job in [job for job in self._waiting if group is not None and job.group == group]:
            too_heavy = _weight(batch) + job.weight > self._max_weight
            if len(batch) >= self._limits.max_batch or too_heavy:
                break
            self._waiting.remove(job)
            batch.append(job)

    def _run(self, batch: Sequence[QueuedJob]) -> None:
        jobs = [job for job in batch if not job.cancelled]
        for job, result in zip(jobs, self._results(jobs), strict=False):
            with suppress(RuntimeError):  # the event loop is closed
                job.done.get_loop().call_soon_threadsafe(_finish, job.done, result)

    def _results(self, jobs: Sequence[QueuedJob]) -> Sequence[Any]:
        """Run the work step by step; empty if all jobs were cancelled on the way."""
        try:
            with closing(self._work(jobs)) as steps:
                while not all(job.cancelled for job in jobs):
                    next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        except Exception as error:  # a bug: the thread goes on, and every client gets the error
            return [error] * len(jobs)
        return []


class Pace:
    """Estimates how long jobs take from the last batches of their group; 0 for a new group."""

    def __init__(self) -> None:
        self._last: defaultdict[Hashable, deque[tuple[int, float]]] = defaultdict(
            lambda: deque(maxlen=_BATCHES)
        )

    def add(self, batch: Sequence[QueuedJob], seconds: float) -> None:
        self._last[batch[0].group].append((_weight(batch), seconds))

    def expected(self, jobs: Iterable[QueuedJob]) -> float:
        """Seconds for all of them, one batch after another."""
        return sum(job.weight * self._seconds_per_weight(job.group) for job in jobs)

    def _seconds_per_weight(self, group: Hashable) -> float:
        last = self._last.get(group, ())
        return sum(seconds for _, seconds in last) / max(1, sum(weight for weight, _ in last))


def _weight(jobs: Iterable[QueuedJob]) -> int:
    return sum(job.weight for job in jobs)


def _finish(done: asyncio.Future[Any], result: Any) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
