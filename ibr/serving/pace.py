"""How long jobs take, going by the last batches: so a server that is slower takes on less.

An estimate and no promise: it knows how many questions wait, not how hard they are.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable
from typing import Final, Protocol

_BATCHES: Final = 8  # that are remembered, of each group


class Weighed(Protocol):
    """What is looked at of a job."""

    @property
    def group(self) -> Hashable: ...
    @property
    def weight(self) -> int: ...


class Pace:
    """Jobs of different groups take different times; of those never seen, none."""

    def __init__(self) -> None:
        self._last: defaultdict[Hashable, deque[tuple[int, float]]] = defaultdict(
            lambda: deque(maxlen=_BATCHES)
        )

    def add(self, batch: Iterable[Weighed], seconds: float) -> None:
        """A batch of one group took so long."""
        jobs = list(batch)
        self._last[jobs[0].group].append((sum(job.weight for job in jobs), seconds))

    def expected(self, jobs: Iterable[Weighed]) -> float:
        """Seconds for all of them, one batch after another."""
        weights: defaultdict[Hashable, int] = defaultdict(int)
        for job in jobs:
            weights[job.group] += job.weight
        return sum(weight * self._of(group) for group, weight in weights.items())

    def _of(self, group: Hashable) -> float:
        """Seconds a unit of weight."""
        last = self._last.get(group, ())
        return sum(seconds for _, seconds in last) / max(1, sum(weight for weight, _ in last))
