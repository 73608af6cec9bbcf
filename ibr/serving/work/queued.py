"""A request in the queue of the worker, and how long requests take."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

_BATCHES: Final = 8  # per group, from which the pace is estimated
_LATEST: Final = 2  # of them: their pace counts if it is slower


class QueueFull(Exception):
    """The queue is full, the estimated wait is too long, or the worker is closing."""


@dataclass(eq=False)
class QueuedJob:
    """A request in the queue; jobs of one `group` may form a batch, None means alone.

    `weight` is its share of a batch's size. `send`, if given, gets events in the worker's thread.
    `estimate` is the time to prepare it, in seconds. The work may set `heavy` and `prepared`, the
    worker sets `done` when it accepts it.
    """

    group: Hashable
    request: Any
    weight: int = 1
    client: str = ""
    estimate: float = 0.0
    send: Callable[[Any], object] | None = None
    done: asyncio.Future[Any] = field(init=False)
    cancelled: bool = False
    heavy: bool = False
    prepared: Any = None
    is_ready: bool = False  # for a batch
    number: int = field(default_factory=count().__next__)  # in order of arrival
    steps: int = 0  # of work that were counted
    seconds: float = 0.0  # worked on it

    def settle(self, result: Any) -> None:
        """In the event loop's thread; an Exception is raised where the result is awaited."""
        if self.done.done():
            return
        if isinstance(result, Exception):
            self.done.set_exception(result)
        else:
            self.done.set_result(result)


Steps = Generator[None, None, Sequence[Any]]  # returns results in order; an Exception is one, too
Work = Callable[[Sequence[QueuedJob]], Steps]


class Pace:
    """Estimates how long jobs take from the last batches of their group; 0 for a new group."""

    def __init__(self) -> None:
        self._last: defaultdict[Hashable, deque[tuple[int, float]]] = defaultdict(
            lambda: deque(maxlen=_BATCHES)
        )

    def add(self, batch: Sequence[QueuedJob], seconds: float) -> None:
        self._last[batch[0].group].append((weight_of(batch), seconds))

    def expected(self, jobs: Iterable[QueuedJob]) -> float:
        """Seconds for all of them, one batch after another."""
        return sum(job.weight * self._seconds_per_weight(job.group) for job in jobs)

    def _seconds_per_weight(self, group: Hashable) -> float:
        last = [*self._last.get(group, ())]
        return max(_mean(last), _mean(last[-_LATEST:]))


def _mean(batches: Sequence[tuple[int, float]]) -> float:
    return sum(seconds for _, seconds in batches) / max(1, sum(weight for weight, _ in batches))


def weight_of(jobs: Iterable[QueuedJob]) -> int:
    return sum(job.weight for job in jobs)
