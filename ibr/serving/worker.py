"""One thread that reasons, and one bounded queue before it: requests that arrive together are

answered together. It knows no HTTP and no logic: what a batch of jobs means is a function's.
A job that nobody waits for any more is not begun, and a batch of such jobs is broken off.
"""

from __future__ import annotations

import asyncio
import ctypes
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ibr.serving.pace import Pace


class Full(Exception):
    """Too many wait, or would wait too long, or the server is stopping."""


class Abandoned(BaseException):
    """Raised in the worker's thread, wherever it is, when nobody waits for its batch any more.

    Not an Exception, so that no room below takes it for a failure of its own. Where Python cannot
    raise it, as in the callback of a weak reference, it is lost, and the batch goes on to its end.
    """


@dataclass(eq=False)
class Job:
    """`group`: jobs of one group may be answered together; None: this one stands alone.

    `weight` is how much it adds to a batch. `tell` is called in the worker's thread with what
    happens on the way.
    """

    group: Hashable
    asked: Any
    weight: int = 1
    tell: Callable[[Any], None] = lambda event: None
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.Future())
    gone: bool = False


Work = Callable[[Sequence[Job]], Sequence[Any]]  # results in order; an Exception is one, too


class Worker:
    """`submit` and `abandon` are called in the event loop's thread; all else happens in its own.

    `wait_s` is how long a batch is gathered, `max_wait_s` how long a job may be expected to take
    until its turn.
    """

    def __init__(
        self,
        work: Work,
        max_queue: int,
        max_batch: int,
        max_weight: int,
        wait_s: float,
        max_wait_s: float = math.inf,
    ) -> None:
        self._work = work
        self._max_queue, self._max_batch = max_queue, max_batch
        self._max_weight, self._wait, self._max_wait = max_weight, wait_s, max_wait_s
        self._pace = Pace()
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        self._struck = self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._loop, name="ibr-worker", daemon=True)
        self.on_batch: Callable[[int, float], None] = lambda jobs, seconds: None

    def start(self) -> None:
        _lose_quietly()
        self._thread.start()

    def close(self, timeout: float | None = None) -> None:
        """Takes no more; what was accepted is finished."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return sum(not job.gone for job in self._running)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def expected(self) -> float:
        """Seconds of work that was accepted and is not done, going by the last batches."""
        with self._changed:
            return self._pace.expected((*self._running, *self._waiting))

    @property
    def is_full(self) -> bool:
        """Whether one more would be refused."""
        with self._changed:
            if self._closing or len(self._waiting) >= self._max_queue:
                return True
            return self._has_two_batches() and self.expected > self._max_wait

    def _has_two_batches(self) -> bool:
        """One to work on and one to follow: with less, the estimate may be wrong and do no harm."""
        jobs = (*self._running, *self._waiting)
        weight = sum(job.weight for job in jobs)
        return len(jobs) >= 2 * self._max_batch or weight >= 2 * self._max_weight

    def submit(self, job: Job) -> None:
        """Raises Full at once, never waits."""
        with self._changed:
            if self.is_full:
                raise Full
            self._waiting.append(job)
            self._changed.notify_all()

    def abandon(self, job: Job) -> None:
        """Nobody waits for it any more; nothing happens if it is done."""
        if job.done.done():
            return
        job.done.cancel()
        with self._changed:
            job.gone = True
            if job in self._waiting:
                self._waiting.remove(job)
            elif job in self._running and all(other.gone for other in self._running):
                self._strike()

    def _strike(self) -> None:
        """At most once a batch, and only while it runs: the lock is held."""
        if not self._struck and self._thread.ident is not None:
            self._struck = True
            thread, error = ctypes.c_ulong(self._thread.ident), ctypes.py_object(Abandoned)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)

    def _loop(self) -> None:
        while batch := self._next():
            started = time.perf_counter()
            self._run(batch)
            seconds = time.perf_counter() - started
            with self._changed:
                self._pace.add(batch, seconds)
            self.on_batch(len(batch), seconds)

    def _next(self) -> list[Job]:
        """The jobs that are answered next; none: the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            if not self._waiting:
                return []
            batch, until = [self._waiting.popleft()], time.monotonic() + self._wait
            self._gather(batch)
            while batch[0].group is not None and not (self._closing or self._is_full(batch)):
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
                self._gather(batch)
            return batch

    def _is_full(self, batch: Sequence[Job]) -> bool:
        weight = sum(job.weight for job in batch)
        return len(batch) >= self._max_batch or weight >= self._max_weight

    def _gather(self, batch: list[Job]) -> None:
        """Move into the batch what goes with it, in order of arrival."""
        group, weight = batch[0].group, sum(job.weight for job in batch)
        for job in [job for job in self._waiting if group is not None and job.group == group]:
            if len(batch) >= self._max_batch or weight + job.weight > self._max_weight:
                break
            self._waiting.remove(job)
            batch.append(job)
            weight += job.weight

    def _run(self, batch: Sequence[Job]) -> None:
        try:
            with self._changed:
                self._running, self._struck = [job for job in batch if not job.gone], False
                jobs = self._running
            results = self._results(jobs)
            with self._changed:
                self._running = []  # from here on no strike can come
            for _ in range(1000 * self._struck):
                time.sleep(0.001)  # one is on its way: it arrives here, if it was not swallowed
        except Abandoned:
            self._running = []
            return
        for job, result in zip(jobs, results, strict=True):
            with suppress(RuntimeError):  # the loop has been closed: nobody listens
                job.done.get_loop().call_soon_threadsafe(_finish, job.done, result)

    def _results(self, jobs: Sequence[Job]) -> Sequence[Any]:
        try:
            return self._work(jobs) if jobs else []
        except Exception as error:  # a bug; the thread must live on, and those who wait must know
            return [error] * len(jobs)


def _lose_quietly() -> None:
    """Python would tell of a strike that is lost, as of a fault."""
    before = sys.unraisablehook

    def tell(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not Abandoned:
            before(lost)

    if before.__module__ != __name__:
        sys.unraisablehook = tell


def _finish(done: asyncio.Future[Any], result: Any) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
