"""V: a model's answer that was checked. The checker is `ibr.logic.verifier`; here it is asked.

Of the proofs that the model found, the best that the verifier accepts is given, without what it
does not need, and it decides the answer; a failure must be the deepest there is, which the solver
knows. If there is none, the solver's proof is given, and said to be the solver's. If that rests on
a sentence that nobody can read, the model's best proof stays, and is marked so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from ibr.logic.clause import Literal
from ibr.logic.verifier import Check, check
from ibr.prediction import Prediction, Source, Status
from ibr.proof import Graph
from ibr.proving import SearchingReasoner, Traced
from ibr.reasoner import Logic, SolverReasoner, Solvers, Unanswerable
from ibr.theory import Problem, Strategy


class VerifiedReasoner:
    """Reads the text only: a file's own logic is not what its readers can check."""

    name = "verified"

    def __init__(self, model: SearchingReasoner, trace: bool = False) -> None:
        self._model, self._trace = model, trace
        self._model.trace = True  # the other proofs are needed too
        self._solvers = Solvers()
        self._solver = SolverReasoner(self._solvers)

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        return self.checked(problems, self._model.prove(problems))

    def checked(
        self, problems: Sequence[Problem], guesses: Sequence[Prediction]
    ) -> list[Prediction]:
        """What becomes of what the model said of these problems."""
        return [self._told(self._verified(p, g)) for p, g in zip(problems, guesses, strict=True)]

    def _told(self, prediction: Traced) -> Prediction:
        prediction = replace(prediction, reasoner=self.name)
        if self._trace:
            return prediction
        return Prediction(**{f.name: getattr(prediction, f.name) for f in fields(Prediction)})

    def _verified(self, problem: Problem, guess: Prediction) -> Traced:
        assert isinstance(guess, Traced)
        try:
            logic, _ = self._solvers.of(problem)
        except Unanswerable as error:  # the question cannot be read, or negation goes in circles
            unread = error.field == "question"
            return replace(guess, checked=Status.UNREADABLE if unread else Status.INVALID)
        guess = replace(guess, unreadable=logic.program.unreadable)
        judged = []
        solved: Prediction | None = None  # asked for only where it is needed
        for place, found in enumerate(guess.found):
            judged.append(_judge(logic, found.graph, found.path.strategy))
            if judged[-1].valid and found.path.strategy is Strategy.FAIL_PROOF:
                solved = solved or self._solver.prove([problem])[0]
            if judged[-1].valid and not _falls_short(found.graph, found.path.strategy, solved):
                given = _chosen(guess, place, judged[-1])
                return _checked(given, _shown(judged[-1], logic.question), Source.CHECKED)
        solved = solved or self._solver.prove([problem])[0]
        assert solved.graph is not None
        if _judge(logic, solved.graph, solved.strategy).valid:
            given = replace(guess, graph=solved.graph, strategy=solved.strategy, chosen=None)
            return _checked(given, solved.answer, Source.SOLVER)
        statuses = [check.status for check in judged]
        if Status.UNREADABLE in statuses:  # rather one that may hold than one that cannot
            place = statuses.index(Status.UNREADABLE)
            return replace(_chosen(guess, place, judged[place]), checked=Status.UNREADABLE)
        unread = bool(logic.program.unreadable)
        return replace(guess, checked=Status.UNREADABLE if unread else Status.INVALID)


def _falls_short(graph: Graph, strategy: Strategy | None, solved: Prediction | None) -> bool:
    """Whether a chain of failing rules could have been longer."""
    if strategy is not Strategy.FAIL_PROOF or solved is None or solved.graph is None:
        return False
    return len(graph.nodes) < len(solved.graph.nodes)


def _judge(logic: Logic, graph: Graph, strategy: Strategy | None) -> Check:
    return check(logic.program, logic.question, graph, strategy)


def _chosen(guess: Traced, place: int, judged: Check) -> Traced:
    """With this one of the proofs found, without what it does not need."""
    found = guess.found[place]
    graph = Graph(found.graph.nodes - judged.redundant, found.graph.edges - judged.redundant_edges)
    return replace(guess, graph=graph, strategy=found.path.strategy, chosen=place)


def _shown(judged: Check, question: Literal) -> bool:
    """What a valid proof makes of the question: if it shows nothing, nothing proves it."""
    return judged.shows == question if judged.shows else not question.positive


def _checked(given: Traced, answer: bool, source: Source) -> Traced:
    confidence = given.confidence
    if confidence is not None and answer != given.answer:
        confidence = 1 - confidence
    return replace(given, answer=answer, source=source, checked=Status.VALID, confidence=confidence)
