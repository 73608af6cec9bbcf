"""From a prediction to a `Result`: the one place where a verdict is made.

A verdict rests on a valid proof. `yes`: it shows the statement; `no`: its negation; `not shown`:
that neither can be proved; `contradictory`: both have a valid proof. All else is `cannot say`.

Of the proofs that a model found (`verify`), the likeliest valid one is taken, without what it does
not need, and it decides the answer; a fail-proof must be the deepest there is, which the solver
knows. If none is valid, the solver's proof is taken if it is valid. Else the model's best proof
stays, marked as not valid: a proof that cannot be checked never takes its place.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import NamedTuple

from ibr.asking.result import CheckedProof, Result
from ibr.asking.rulebook import Obstacle, ObstacleKind, ParsedQuestion, Rulebook
from ibr.bulk.checks import check_in_words
from ibr.choices import Assumption
from ibr.decoding.proving import SearchingReasoner, Traced
from ibr.errors import IbrError
from ibr.inputs.normalise import MAX_UNREAD
from ibr.logic.checking.derivation import DerivedStep
from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Literal
from ibr.logic.english.doubt import Doubt
from ibr.logic.language import Logic, judged, readings_of
from ibr.logic.solver_reasoner import Solvers, read_text, solved
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.prediction import Prediction, Side, Source, Status, Verdict
from ibr.proof import NAF, Graph, Proof, Tree
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

    def __init__(
        self,
        model: SearchingReasoner,
        trace: bool = False,
        world: Assumption = Assumption.CLOSED,
    ) -> None:
        self._model, self._trace = model, trace
        self._solvers = Solvers(partial(read_text, world=world))
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


_VERDICTS = {
    Side.STATEMENT: Verdict.YES, Side.NEGATION: Verdict.NO, Side.NEITHER: Verdict.NOT_SHOWN
}  # fmt: skip


def judge(
    book: Rulebook, question: ParsedQuestion, prediction: Prediction | None, verified: bool
) -> Result:
    """`verified`: if the prediction's proof is not valid, look for another (`verify`).

    The prediction is None if the system cannot use the question or the rules.
    """
    if prediction is not None and prediction.graph is None:
        why = "only answers" if prediction.strategy is None else "wrote text that is no proof"
        raise IbrError(f"{prediction.reasoner} {why}: it has no proof to show")
    if verified and prediction is not None:
        prediction = replace(prediction, reasoner=VerifiedReasoner.name)
    literal = question.literal
    if literal is None:
        obstacle = Obstacle(ObstacleKind.QUESTION, question.problem)
        found = Check(Status.UNREADABLE, question.problem)
        return _cannot_say(book, question, prediction, found, obstacle)
    solver = book.solver_over(literal)
    if isinstance(solver, NotStratified):
        obstacle = Obstacle(ObstacleKind.CIRCLE, str(solver))
        found = Check(Status.INVALID, str(solver))
        return _cannot_say(book, question, prediction, found, obstacle)
    assert prediction is not None
    tried: tuple[Check, ...] = ()
    if verified and isinstance(prediction, Traced):
        prediction, found, tried = verify(prediction, Logic(book.program, literal), solver)
    else:
        assert prediction.graph is not None
        strategy, answer = prediction.strategy, prediction.answer
        found = check(book.program, literal, prediction.graph, strategy, answer)
    prediction = replace(prediction, unreadable=book.program.unreadable, checked=found.status)
    if not found.valid:
        result = _cannot_say(book, question, prediction, found, _obstacle(book, found))
        return replace(result, tried=tried)
    contrary = _contrary(book, found.shows, solver)
    verdict = Verdict.CONTRADICTORY if contrary else verdict_of(found)
    # The tree of a valid proof: a graph forgets how often a sentence serves.
    failing = [lack.rule for lack in found.lacks]
    proof = Proof.of(tree_of(found.steps)) if found.steps else Proof.failure(failing)
    given = CheckedProof(proof, found)
    result = Result(book, question, verdict, prediction, given, contrary, tried=tried)
    return _doubted(result)


def _doubted(result: Result) -> Result:
    """With what the wording leaves open, exceptions that deny, and contradictions."""
    found = judged(result.book.theory, result.question.text, result.book.world)
    same = found.verdict is result.verdict and found.doubt is not Doubt.SEVERAL
    if same or found.doubt is Doubt.NONE:
        return result
    if found.verdict is not Verdict.CANNOT_SAY:
        return replace(result, verdict=found.verdict, by=found.why)
    kinds = {Doubt.UNREAD: ObstacleKind.SENTENCE, Doubt.READINGS: ObstacleKind.READINGS}
    entry = result.book.entries[found.sentences[0]] if found.sentences else None
    kind = kinds.get(found.doubt, ObstacleKind.WORDING)
    choices = tuple(choice for choice in found.choices if entry and entry.may_be(choice))
    obstacle = Obstacle(kind, found.why, entry, choices)
    return replace(result, verdict=Verdict.CANNOT_SAY, obstacle=obstacle)


def verdict_on(problem: Problem, prediction: Prediction, world: Assumption) -> Verdict | None:
    """Of a prediction that `VerifiedReasoner` has checked, as `judge` has it; None for others."""
    if prediction.checked is Status.VALID:
        return judged(problem.theory, problem.question.text, world).verdict
    return None if prediction.checked is None else Verdict.CANNOT_SAY


def verdict_of(found: Check) -> Verdict:
    """By one proof alone: whether the opposite can be proved as well is not looked at."""
    return _VERDICTS[found.side] if found.side else Verdict.CANNOT_SAY


def _cannot_say(
    book: Rulebook,
    question: ParsedQuestion,
    prediction: Prediction | None,
    found: Check,
    obstacle: Obstacle,
) -> Result:
    """With the proof that the prediction cites, as far as it is known."""
    proof, literal, solver = None, question.literal, book.solver
    if isinstance(prediction, Traced) and prediction.chosen is not None:
        proof = prediction.found[prediction.chosen].path.to_proof()
    elif literal is not None and solver is not None and obstacle.kind is ObstacleKind.SENTENCE:
        proof = solver.evidence(literal)
    given = CheckedProof(proof, found)
    return Result(book, question, Verdict.CANNOT_SAY, prediction, given, obstacle=obstacle)


def _obstacle(book: Rulebook, found: Check) -> Obstacle:
    if found.status is Status.UNREADABLE and isinstance(found.where, int):
        return Obstacle(ObstacleKind.SENTENCE, found.why, book.entries[found.where])
    return Obstacle(ObstacleKind.PROOF, f"the proof does not hold: {check_in_words(found)}")


def _contrary(book: Rulebook, shown: Literal | None, solver: Solver) -> CheckedProof | None:
    """A valid proof of the opposite of what is shown, if there is one."""
    if shown is None or not solver.proves(shown.negation):
        return None
    proof = solver.proof(shown.negation)
    found = check(book.program, shown.negation, proof.graph, Strategy.PROOF, True)
    return CheckedProof(proof, found) if found.valid else None


def tree_of(steps: Sequence[DerivedStep]) -> Tree:
    """The last step above those that it rests on, which come before it."""
    made: dict[tuple[int, Literal], Tree] = {}
    for node, conclusion, premises in steps:
        below = (Tree(NAF) if p.source == NAF else made[p.source, p.literal] for p in premises)
        made[node, conclusion] = Tree(node, tuple(below))
    return made[steps[-1].node, steps[-1].conclusion]
