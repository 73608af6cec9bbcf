"""V: a model's predictions, checked. The checker is `ibr.logic.checking.verifier`.

Of the proofs that the model found, the likeliest valid one is taken, without what it does not need,
and it decides the answer; a fail-proof must be the deepest there is, which the solver knows. If
none is valid, the solver's proof is taken if it is valid. Else the model's best proof stays, marked
as not valid: a proof that cannot be checked never takes its place.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import NamedTuple

from ibr.decoding.proving import SearchingReasoner, Traced
from ibr.inputs.normalise import MAX_UNREAD
from ibr.logic.checking.verifier import Check, check
from ibr.logic.language import Logic, readings_of
from ibr.logic.solver_reasoner import Solvers, solved
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction, Source, Status
from ibr.proof import Graph
from ibr.reasoner import Unanswerable
from ibr.theory import Problem, Strategy


class Verified(NamedTuple):
    """`check` is that of the proof given; if it is not valid, that of the solver's proof.

    `tried` are the checks of the model's first proofs, as far as they were needed.
    """

    prediction: Traced
    check: Check
    tried: tuple[Check, ...]


class VerifiedReasoner:
    """Reads the text only, never a file's own logic, which is not shown to its readers."""

    name = "verified"

    def __init__(self, model: SearchingReasoner, trace: bool = False) -> None:
        self._model, self._trace, self._solvers = model, trace, Solvers()
        self._model.trace = True  # the other proofs are needed, too

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        guesses = self._model.prove(problems)
        return [self._verified(*pair) for pair in zip(problems, guesses, strict=True)]

    def _verified(self, problem: Problem, guess: Prediction) -> Prediction:
        assert isinstance(guess, Traced)
        try:
            logic, solver = self._solvers.of(problem)
            given = replace(guess, checked=Status.UNREADABLE, unreadable=logic.program.unreadable)
            if not _is_colloquial(problem):
                given = verify(guess, logic, solver).prediction
        except Unanswerable as error:  # the question cannot be read, or negation goes in a circle
            unread = error.field == "question"
            given = replace(guess, checked=Status.UNREADABLE if unread else Status.INVALID)
        given = replace(given, reasoner=self.name)
        if self._trace:
            return given
        return Prediction(**{f.name: getattr(given, f.name) for f in fields(Prediction)})


def _is_colloquial(problem: Problem) -> bool:
    """Many sentences are unread and others are read freely: then these are read too narrowly."""
    readings = readings_of(problem.theory)
    unread = sum(not reading.readable for reading in readings)
    is_free = any(reading.readable and not reading.exact for reading in readings)
    return is_free and unread > MAX_UNREAD * len(readings)


def verify(guess: Traced, logic: Logic, solver: Solver) -> Verified:
    """The prediction that stands once the model's proofs have been checked."""
    program, question = logic
    guess = replace(guess, unreadable=program.unreadable)
    tried: list[Check] = []
    solution: Prediction | None = None  # computed only if it is needed
    for place, (path, graph) in enumerate((one.path, one.graph) for one in guess.found):
        found = check(program, question, graph, path.strategy)
        tried.append(found)
        if found.valid and path.strategy is Strategy.FAIL_PROOF:
            solution = solution or solved(guess.id, logic, solver)
            if solution.graph and len(graph.nodes) < len(solution.graph.nodes):
                continue  # a longer chain of rules fails
        if found.valid:
            needed = Graph(graph.nodes - found.redundant, graph.edges - found.redundant_edges)
            given = replace(guess, graph=needed, strategy=path.strategy, chosen=place)
            answer = found.shows == question if found.shows else not question.positive
            return Verified(_valid(given, answer, Source.CHECKED), found, tuple(tried))
    solution = solution or solved(guess.id, logic, solver)
    assert solution.graph is not None
    last = check(program, question, solution.graph, solution.strategy)
    if not last.valid:
        return Verified(replace(guess, checked=last.status), last, tuple(tried))
    given = replace(guess, graph=solution.graph, strategy=solution.strategy, chosen=None)
    return Verified(_valid(given, solution.answer, Source.SOLVER), last, tuple(tried))


def _valid(given: Traced, answer: bool, source: Source) -> Traced:
    """With the answer of a valid proof; the confidence is of this answer."""
    confidence = given.confidence
    if confidence is not None and answer != given.answer:
        confidence = 1 - confidence
    return replace(given, answer=answer, source=source, checked=Status.VALID, confidence=confidence)
