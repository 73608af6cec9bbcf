"""Turns search states into events: the steps of the leading path of each problem.

Another path may take the lead, and the proof that is given in the end may never have led. An event
replaces all events from its number on (`Stepped.onto`). Changes no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from operator import eq, is_
from typing import Any

from ibr.decoding.events import Stepped
from ibr.decoding.proving import SearchProgress
from ibr.decoding.search import ScoredPath, StepTrace


class Watcher:
    """Keeps the events of every problem so far."""

    def __init__(self) -> None:
        self._events: dict[int, list[Stepped]] = {}
        self._traces: dict[int, Sequence[StepTrace]] = {}  # which the events were made of

    def steps(self, progress: SearchProgress) -> Iterator[tuple[int, Stepped]]:
        """(problem, event) for each new step of a leading path."""
        for row, lead in progress.state.leads().items() if progress.state else ():
            problem = progress.problems[row]
            for step in self._new(problem, lead, progress.scorer.sentence[row].tolist()):
                yield problem, step

    def rest(self, problem: int, trace: Sequence[Stepped]) -> Iterator[Stepped]:
        """The events that are still missing if `trace` is the path of the proof given."""
        yield from trace[_common(self._events.get(problem, []), trace, eq) :]

    def _new(self, problem: int, lead: ScoredPath, sentence: Sequence[int]) -> Iterator[Stepped]:
        """Paths share the trace objects of the steps that they have in common."""
        events = self._events.setdefault(problem, [])
        same = _common(self._traces.get(problem, ()), lead.trace, is_)
        self._traces[problem] = lead.trace
        del events[same:]
        for number in range(same + 1, len(lead.trace) + 1):
            events.append(Stepped.of(lead, number, sentence))
            yield events[-1]


def _common(some: Sequence[Any], others: Sequence[Any], same: Callable[[Any, Any], bool]) -> int:
    """The length of the common beginning."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(*pair), pairs))
