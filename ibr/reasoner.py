"""The face that every system shows: problems in, predictions out. And the solver behind it.

A system that only answers leaves `strategy` and `graph` None; a system that draws graphs fills
them; one that can take many problems at once gets them as one batch. Files and metrics are
elsewhere.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from ibr.errors import IbrError, ReasonerNotFound, ReasonerUnusable, UsageError
from ibr.logic.clause import Literal, Program
from ibr.logic.language import program_of, read_question
from ibr.logic.reading import ReadError
from ibr.logic.solver import NotStratified, Solver
from ibr.manifest import EMBEDDED, looks_exported
from ibr.prediction import Prediction, Source
from ibr.theory import Problem

if TYPE_CHECKING:
    from ibr.proving import SearchingReasoner

T = TypeVar("T")


class Logic(NamedTuple):
    """What a problem means: its sentences and its question."""

    program: Program
    question: Literal


Read = Callable[[Problem], Logic]


class Reasoner(Protocol):
    @property
    def name(self) -> str: ...

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        """One prediction per problem, in order. Raises Unanswerable for one that it cannot take."""


class Unanswerable(IbrError):
    """A problem that a reasoner cannot take: which field of it is to blame, and why."""

    def __init__(self, problem: Problem, field: str, why: str) -> None:
        super().__init__(f"question {problem.id}: {field}: {why}")
        self.problem, self.field, self.why = problem, field, why


def read_text(problem: Problem) -> Logic:
    """The sentences and the question as their text says."""
    return Logic(program_of(problem.theory), read_question(problem.question.text))


class Solvers:
    """The solver of a problem's theory; questions about one theory share it."""

    def __init__(self, read: Read = read_text, size: int = 256) -> None:
        self._read, self._size = read, size
        self._kept: OrderedDict[Program, Solver] = OrderedDict()

    def of(self, problem: Problem) -> tuple[Logic, Solver]:
        """The problem's logic and a solver for it. Raises Unanswerable."""
        try:
            logic = self._read(problem)
            return logic, self._solver(logic.program)
        except ReadError as error:
            raise Unanswerable(problem, "question", str(error)) from error
        except NotStratified as error:
            raise Unanswerable(problem, "sentences", str(error)) from error

    def _solver(self, program: Program) -> Solver:
        if program not in self._kept:
            self._kept[program] = Solver(program)
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        self._kept.move_to_end(program)
        return self._kept[program]


class SolverReasoner:
    """Exact reasoning over the sentences that can be read; the others are listed as unreadable."""

    name = "solver"

    def __init__(self, solvers: Solvers | None = None) -> None:
        self._solvers = solvers or Solvers()

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        return [self._prove(problem) for problem in problems]

    def _prove(self, problem: Problem) -> Prediction:
        (program, question), solver = self._solvers.of(problem)
        verdict = solver.judge(question)
        proved = verdict.proved
        proof = solver.proof(proved) if proved else solver.failure(question.atom)
        return Prediction(
            id=problem.id,
            answer=verdict.answer,
            reasoner=self.name,
            strategy=verdict.fine_strategy.strategy,
            graph=proof.graph,
            depth=verdict.depth,
            length=verdict.length,
            fine_strategy=verdict.fine_strategy,
            unreadable=program.unreadable,
            source=Source.SOLVER,
        )


class Recorded:
    """A system that has answered already: its predictions, by question id."""

    def __init__(self, predictions: Iterable[Prediction], name: str) -> None:
        self.name = name
        self._predictions = {prediction.id: prediction for prediction in predictions}

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        return [self._find(problem) for problem in problems]

    def _find(self, problem: Problem) -> Prediction:
        if problem.id not in self._predictions:
            raise Unanswerable(problem, "id", f"{self.name} has no prediction for it")
        return self._predictions[problem.id]


# Loaded by name and only when asked for: a run folder needs torch, an exported one onnxruntime.
_TRAINED, _EXPORTED = "ibr.model.reasoner", "ibr.runtime"
_MODEL, _VERIFIED = "ibr", "verified"
_NAMES = ["solver", _MODEL, _VERIFIED, "the path of a run folder", f"{_VERIFIED}:PATH"]


def get_reasoner(name: str, solvers: Solvers | None = None, **options: Any) -> Reasoner:
    """`solver`, `ibr` (the embedded model), `verified` (the same, checked), a model by its folder

    (of a run, or exported), or `verified:FOLDER`. `solvers` may be shared, or read something else
    than the text; `options` are a model's (`beams`, `trace`, `wrap`: see `ibr.runtime`).
    """
    if name == SolverReasoner.name:
        if options:
            raise UsageError(f"{', '.join(options)}: only a trained model has that, not {name!r}")
        return SolverReasoner(solvers)
    first, _, folder = name.partition(":")
    if first == _VERIFIED:
        from ibr.verified import VerifiedReasoner

        trace = options.pop("trace", False)
        return VerifiedReasoner(_model(folder or _MODEL, options), trace)
    return _model(name, options)


def _model(name: str, options: dict[str, Any]) -> SearchingReasoner:
    folder = EMBEDDED if name == _MODEL else name
    if name != _MODEL and not os.path.isdir(folder):
        raise ReasonerNotFound(name, _NAMES)
    is_exported = name == _MODEL or looks_exported(Path(folder))
    try:
        models = import_module(_EXPORTED if is_exported else _TRAINED)
    except ModuleNotFoundError as error:
        raise ReasonerUnusable(name, f"needs {error.name}: pip install 'ibr[train]'") from error
    reasoner: SearchingReasoner = models.load_reasoner(str(folder), **options)
    if name == _MODEL:
        reasoner.name = _MODEL
    return reasoner


def _refuse(item: object, error: Unanswerable) -> None:
    raise error


def runs(items: Iterable[T], problem_of: Callable[[T], Problem], most: int) -> Iterator[list[T]]:
    """All items, in order: consecutive ones about one theory together, at most so many."""
    run: list[T] = []
    for item in items:
        if run and (len(run) == most or problem_of(item).theory != problem_of(run[0]).theory):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def prove_all(
    reasoner: Reasoner,
    items: Iterable[T],
    problem_of: Callable[[T], Problem],
    on_unanswerable: Callable[[T, Unanswerable], None] = _refuse,
    batch: int = 64,
) -> Iterator[tuple[T, Prediction]]:
    """Stream items through a reasoner in batches, in order; the callback gets what it refuses.

    A batch holds questions about one theory: beside a longer one it would be padded, which takes
    more time than it saves, and its numbers would depend, to the last digit, on its neighbours.
    """
    for some in runs(items, problem_of, batch):
        try:
            predictions = reasoner.prove([problem_of(item) for item in some])
        except Unanswerable:
            yield from _one_by_one(reasoner, some, problem_of, on_unanswerable)
        else:
            yield from zip(some, predictions, strict=True)


def _one_by_one(
    reasoner: Reasoner,
    items: Sequence[T],
    problem_of: Callable[[T], Problem],
    on_unanswerable: Callable[[T, Unanswerable], None],
) -> Iterator[tuple[T, Prediction]]:
    for item in items:
        try:
            (prediction,) = reasoner.prove([problem_of(item)])
        except Unanswerable as error:
            on_unanswerable(item, error)
        else:
            yield item, prediction
