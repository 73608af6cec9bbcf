"""A search as those see it who watch it: steps as the leading path grows.

Another path may take the lead, and the proof that is given in the end may be none that led. So a
step says its number, and with it the rule of `Stepped`: it comes after the one before it, whatever
had been told from there on. It decides nothing and changes no search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from operator import eq, is_
from typing import Any

from ibr.events import Stepped
from ibr.proving import Moment
from ibr.search import Found, StepTrace
from ibr.trace import step_to_json


class Watcher:
    """Of every problem, what has been told so far."""

    def __init__(self) -> None:
        self._told: dict[int, list[Stepped]] = {}
        self._weighed: dict[int, Sequence[StepTrace]] = {}  # what each of them was made of

    def steps(self, moment: Moment) -> Iterator[tuple[int, Stepped]]:
        """Which problem, and what is new of its leading path."""
        for row, lead in moment.front.leads().items() if moment.front else ():
            problem = moment.problems[row]
            for step in self._new(problem, lead, moment.scorer.sentence[row].tolist()):
                yield problem, step

    def rest(self, problem: int, trace: Sequence[Stepped]) -> Iterator[Stepped]:
        """What is still to be told, or told again, if this is how the proof given grew."""
        told = self._told.get(problem, [])
        yield from trace[_alike(told, trace, eq) :]

    def _new(self, problem: int, lead: Found, sentence: Sequence[int]) -> Iterator[Stepped]:
        """Paths that have grown together share what they weighed until they part."""
        told = self._told.setdefault(problem, [])
        same = _alike(self._weighed.get(problem, ()), lead.trace, is_)
        self._weighed[problem] = lead.trace
        del told[same:]
        for number in range(same + 1, len(lead.trace) + 1):
            step = step_to_json(lead.path.steps[number - 1], lead.trace[number - 1], sentence)
            told.append(Stepped.of_json(number, step))
            yield told[-1]


def _alike(some: Sequence[Any], others: Sequence[Any], same: Callable[[Any, Any], bool]) -> int:
    """How many are the same from the first on."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(*pair), pairs))
