"""A file of questions in units: what is answered together, belongs to one shard, and is resumed at.

A unit is a run of consecutive questions about one theory, at most 64 of them, counted from the
first of the run. So units are a property of the file alone. No batch ever holds two theories: what
a model computes for a question does not depend, to the last digit, on the theories beside it, and
the output is the same however a file was divided. How work is written is `ibr.parts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ibr.errors import UsageError
from ibr.prediction import Prediction
from ibr.reasoner import Reasoner, Unanswerable, prove_all, runs
from ibr.theory import Problem

T = TypeVar("T")
UNIT: Final = 64  # questions; part of the manifest's format


@dataclass(frozen=True, slots=True)
class Shard:
    """Which units are ours: unit k (from 0) belongs to shard k mod `count` + 1."""

    number: int = 1  # from 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """`2/7`. Raises UsageError."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        shard = cls(int(match[1]), int(match[2])) if match else None
        if shard is None or not 1 <= shard.number <= shard.count:
            raise UsageError(f"--shard {text}: give i/n with i from 1 to n, as 2/7")
        return shard

    def of(self, units: Iterable[T]) -> Iterator[T]:
        return (unit for k, unit in enumerate(units) if k % self.count == self.number - 1)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def units(items: Iterable[T], problem_of: Callable[[T], Problem]) -> Iterator[list[T]]:
    """All items, in order, in units."""
    return runs(items, problem_of, UNIT)


def answer(
    reasoner: Reasoner,
    unit: Sequence[T],
    problem_of: Callable[[T], Problem],
    on_unanswerable: Callable[[T, Unanswerable], None],
    batch: int = UNIT,
) -> list[Prediction]:
    """The predictions of a unit, in order; the callback gets what the reasoner refuses."""
    proved = prove_all(reasoner, unit, problem_of, on_unanswerable, batch)
    return [prediction for _, prediction in proved]
