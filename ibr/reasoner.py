"""The interface of every system: problems in, predictions out, in batches.

A system that only answers leaves `strategy` and `graph` None. Which systems there are, and their
names, is `ibr.asking.reasoners`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Protocol, TypeVar

from ibr.errors import IbrError
from ibr.prediction import NoAnswer, Prediction
from ibr.theory import Problem

T = TypeVar("T")


class Reasoner(Protocol):
    @property
    def name(self) -> str: ...

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        """One prediction per problem, in order. Raises Unanswerable for one that it cannot take."""


class Unanswerable(IbrError):
    """A problem that a reasoner cannot take: which field is at fault, and why."""

    def __init__(self, problem: Problem, field: str, why: str) -> None:
        super().__init__(f"question {problem.id}: {field}: {why}")
        self.problem, self.field, self.why = problem, field, why


class Recorded:
    """A system whose predictions are given: by question id."""

    def __init__(self, predictions: Iterable[Prediction], name: str) -> None:
        self.name = name
        self._predictions = {prediction.id: prediction for prediction in predictions}

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        return [self._find(problem) for problem in problems]

    def _find(self, problem: Problem) -> Prediction:
        if problem.id not in self._predictions:
            raise Unanswerable(problem, "id", f"{self.name} has no prediction for it")
        found = self._predictions[problem.id]
        if isinstance(found, NoAnswer):
            raise Unanswerable(problem, "answer", f"{self.name} has none: {found.why}")
        return found


def _refuse(item: object, error: Unanswerable) -> None:
    raise error


def runs(items: Iterable[T], problem_of: Callable[[T], Problem], most: int) -> Iterator[list[T]]:
    """All items, in order: consecutive ones about one theory together, at most `most`."""
    for _, same in groupby(items, lambda item: problem_of(item).theory):
        while run := list(islice(same, most)):
            yield run


def prove_all(
    reasoner: Reasoner,
    items: Iterable[T],
    problem_of: Callable[[T], Problem],
    on_unanswerable: Callable[[T, Unanswerable], Prediction | None] = _refuse,
    batch: int = 64,
) -> Iterator[tuple[T, Prediction]]:
    """Stream items through a reasoner in batches, in order; the callback gets what it refuses.

    What it returns takes the place of the prediction; None leaves the item out.

    A batch holds questions about one theory: beside a longer one it would be padded, which takes
    more time than it saves, and its numbers would depend, to the last digit, on its neighbours.
    """
    for some in runs(items, problem_of, batch):
        try:
            predictions = reasoner.prove([problem_of(item) for item in some])
        except Unanswerable as error:
            if len(some) == 1:
                instead = on_unanswerable(some[0], error)
                if instead is not None:
                    yield some[0], instead
            else:  # one by one, to find which
                yield from prove_all(reasoner, some, problem_of, on_unanswerable, batch=1)
        else:
            yield from zip(some, predictions, strict=True)
