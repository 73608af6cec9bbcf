"""One thread that works on jobs from a bounded queue, in turns by client. No HTTP, no logic.

Work is a generator; before each of its steps the worker chooses whose turn it is. A job is first
prepared alone. Then it is done, or joins a batch of its group, or, if it proved to be heavy, goes
on alone. What no client waits for any more is cancelled.

Turns are fair queueing: the next step is that of the client who has used the least time, so one
client with many or heavy jobs delays the others by no more than the step under way.
"""

from __future__ import annotations

import asyncio
import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from ibr.serving.limits import ServerLimits
from ibr.serving.work.queued import Pace, QueuedJob, QueueFull, Steps, Work, weight_of

_PREPARED: Final = 4  # jobs that are prepared in turns
_HEAVY: Final = 2  # heavy jobs that are worked on in turns; each may need much memory
_COST: Final = 4  # of a second of a heavy job
_LATER: Final = 2.0  # seconds: light jobs of clients that have used so much more come first
_SLACK: Final = 0.1  # seconds: what is read in this time is read before a batch begins, to join it
_CREDIT: Final = 1.0  # seconds by which a client that was away is ahead of those that were not
_CLIENTS: Final = 1_000  # whose time is remembered though they have no job


@dataclass(eq=False)
class _Task:
    jobs: Sequence[QueuedJob]
    steps: Steps
    prepares: bool = False

    @property
    def heavy(self) -> bool:
        return self.prepares and self.jobs[0].heavy


_number = attrgetter("number")
_Option = tuple[float, int, _Task | QueuedJob]


class Worker:
    """Call `submit` and `cancel` in the event loop's thread. Batches weigh up to `max_weight`.

    `prepare` works on a single job: no results mean that it is ready for a batch, or heavy.
    """

    def __init__(
        self,
        work: Work,
        limits: ServerLimits,
        max_weight: int = 64,
        prepare: Callable[[QueuedJob], Steps] | None = None,
    ) -> None:
        self._work, self._prepare = work, prepare
        self._limits, self._max_weight, self._pace = limits, max_weight, Pace()
        self._waiting, self._tasks = list[QueuedJob](), list[_Task]()  # waiting: by arrival
        self._used: dict[str, float] = {}  # seconds by client, none below `_now` when it comes back
        self._now = self._collect_until = 0.0
        self._since = time.perf_counter()  # the last step, or the end of a wait
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
        return sum(not job.cancelled for task in [*self._tasks] for job in task.jobs)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def expected(self) -> float:
        """Estimated seconds of work that was accepted and is not done."""
        with self._changed:
            return self._pace.expected(self._jobs())

    def refuses(self, client: str = "") -> bool:
        """Whether one more job of this client would be; two batches are accepted at any pace."""
        with self._changed:
            if self._closing or (self._is_full and self._displaced_by(client) is None):
                return True
            jobs = [*self._jobs()]
            mine = [job for job in jobs if job.client == client]
            turns = len({client, *(job.client for job in jobs)})
            expected = min(self._pace.expected(jobs), turns * self._pace.expected(mine))
            return self._fills(mine, 2) and expected > self._limits.max_wait_s

    def submit(self, job: QueuedJob) -> None:
        """Raises QueueFull at once, never waits."""
        with self._changed:
            if self.refuses(job.client):
                raise QueueFull
            if self._is_full and (other := self._displaced_by(job.client)):
                self._waiting.remove(other)
                self._finish([other], [QueueFull()])
            if all(job.client != other.client for other in self._jobs()):
                self._used[job.client] = max(self._now - _CREDIT, self._used.get(job.client, 0.0))
                if len(self._used) > _CLIENTS:
                    self._forget_clients()
            job.done, job.is_ready = asyncio.Future(), not self._prepare
            self._waiting.append(job)
            self._changed.notify_all()

    def cancel(self, job: QueuedJob) -> None:
        """Drop a job from the queue, or mark it so that its work can stop; none if it is done."""
        if not job.done.cancel():
            return
        with self._changed:
            job.cancelled = True
            if job in self._waiting:
                self._waiting.remove(job)

    @property
    def _is_full(self) -> bool:
        return len(self._waiting) >= self._limits.max_queue

    def _displaced_by(self, client: str) -> QueuedJob | None:
        """The newest waiting job of the client that has most of them, if that is not this one."""
        counts = Counter(job.client for job in self._waiting)
        most = max(counts.values(), default=0)
        if most <= counts[client] + 1:
            return None
        return next(job for job in reversed(self._waiting) if counts[job.client] == most)

    def _fills(self, jobs: Sequence[QueuedJob], batches: int) -> bool:
        most, heaviest = batches * self._limits.max_batch, batches * self._max_weight
        return len(jobs) >= most or weight_of(jobs) >= heaviest

    def _jobs(self) -> Iterator[QueuedJob]:
        for task in self._tasks:
            yield from task.jobs
        yield from self._waiting

    def _forget_clients(self) -> None:
        active = {job.client for job in self._jobs()}
        self._used = {c: u for c, u in self._used.items() if u > self._now or c in active}

    def _loop(self) -> None:
        while task := self._next():
            results = self._step(task)
            self._charge(task.jobs)
            if results is not None:
                self._end(task, results)
            elif task.heavy and sum(other.heavy for other in self._tasks) > _HEAVY:
                self._put_back(task)

    def _next(self) -> _Task | None:
        """The task whose turn it is, perhaps a new one; None when the worker is closed."""
        with self._changed:
            while True:
                options = [*self._options()]
                if not options and self._closing:
                    return None
                if not options:
                    self._wait()
                    continue
                chosen = self._chosen(options)
                if isinstance(chosen, _Task):
                    self._now = max(self._now, self._least_used(chosen.jobs))
                    return chosen
                if self._prepare is not None and not chosen.is_ready:
                    return self._begin([chosen], self._prepare(chosen), prepares=True)
                batch = [chosen, *self._others_for(chosen)]
                if not self._waits_for_more(batch):
                    return self._begin(batch, self._work(batch))

    def _chosen(self, options: Sequence[_Option]) -> _Task | QueuedJob:
        """Of the client that has used least; but before a batch begins, who can may join it."""
        first = min(options, key=lambda option: option[:2])
        if isinstance(first[2], _Task) or not first[2].is_ready:
            return first[2]
        fresh = [o for o in options if isinstance(o[2], QueuedJob) and not o[2].is_ready]
        joining = [option for option in fresh if option[0] <= first[0] + _SLACK]
        return min(joining, key=lambda option: option[:2], default=first)[2]

    def _options(self) -> Iterator[_Option]:
        """(time used, rank among equals, what could be done next)"""
        for task in self._tasks:
            yield self._least_used(task.jobs), 0, task
        is_preparing = sum(t.prepares and not t.heavy for t in self._tasks) >= _PREPARED
        is_proving = any(not task.prepares for task in self._tasks)
        has_place = sum(task.heavy for task in self._tasks) < _HEAVY
        seen = set[tuple[str, bool, bool]]()
        for place, job in enumerate(self._waiting, start=1):
            if is_proving if job.is_ready else is_preparing or (job.heavy and not has_place):
                continue
            if (kind := (job.client, job.is_ready, job.heavy)) not in seen:
                seen.add(kind)
                more = 0.0 if job.is_ready else _LATER if job.heavy else job.estimate
                yield self._used[job.client] + more, place, job

    def _least_used(self, jobs: Iterable[QueuedJob]) -> float:
        return min(self._used[job.client] for job in jobs)

    def _others_for(self, first: QueuedJob) -> list[QueuedJob]:
        """Jobs that form a batch with this one, in order of arrival."""
        found, weight = list[QueuedJob](), first.weight
        for job in self._waiting:
            if job is first or not job.is_ready or job.group != first.group or job.group is None:
                continue
            weight += job.weight
            if len(found) + 1 >= self._limits.max_batch or weight > self._max_weight:
                break
            found.append(job)
        return found

    def _waits_for_more(self, batch: Sequence[QueuedJob]) -> bool:
        """Whether it waited for more jobs, `batch_wait_ms` in all; then the choice is made anew."""
        if self._closing or batch[0].group is None or self._fills(batch, 1) or self._tasks:
            return False
        now = time.monotonic()
        if not self._collect_until:
            self._collect_until = now + self._limits.batch_wait_ms / 1000
        if waits := self._collect_until > now:
            self._wait(self._collect_until - now)
        return waits

    def _wait(self, seconds: float | None = None) -> None:
        self._changed.wait(seconds)
        self._since = time.perf_counter()

    def _begin(self, jobs: Sequence[QueuedJob], steps: Steps, prepares: bool = False) -> _Task:
        if not prepares:
            self._collect_until = 0.0
        for job in jobs:
            self._waiting.remove(job)
        self._tasks.append(_Task(jobs, steps, prepares))
        return self._tasks[-1]

    def _step(self, task: _Task) -> Sequence[Any] | None:
        """Results if this was the last step; none of them if all jobs were cancelled."""
        try:
            if not all(job.cancelled for job in task.jobs):
                next(task.steps)
                return None
            task.steps.close()
            return []
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        except Exception as error:  # a bug: the thread goes on, and every client gets the error
            return [error] * len(task.jobs)

    def _charge(self, jobs: Sequence[QueuedJob]) -> None:
        """For the time since the last step, the choice of this one included."""
        with self._changed:
            seconds = (now := time.perf_counter()) - self._since
            self._since = now
            for job in jobs:
                job.seconds += seconds / len(jobs)
                self._used[job.client] += seconds / len(jobs) * (_COST if job.heavy else 1)

    def _put_back(self, task: _Task) -> None:
        """Too many heavy ones: this is begun anew when there is a place."""
        task.steps.close()
        with self._changed:
            self._tasks.remove(task)
            insort(self._waiting, task.jobs[0], key=_number)

    def _end(self, task: _Task, results: Sequence[Any]) -> None:
        with self._changed:
            self._tasks.remove(task)
            if task.prepares and not results and not (job := task.jobs[0]).cancelled:
                job.is_ready = not job.heavy  # a heavy one is begun anew, with more time
                insort(self._waiting, job, key=_number)
                return
            if not any(job.heavy for job in task.jobs):
                self._pace.add(task.jobs, sum(job.seconds for job in task.jobs))
            self._finish(task.jobs, results)
        self.on_batch(len(task.jobs), sum(job.seconds for job in task.jobs))

    def _finish(self, jobs: Sequence[QueuedJob], results: Iterable[Any]) -> None:
        for job, result in zip(jobs, results, strict=False):
            with suppress(RuntimeError):  # the event loop is closed
                job.done.get_loop().call_soon_threadsafe(job.settle, result)
