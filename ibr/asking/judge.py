"""From a prediction to a `Result`: the one place where a verdict is made.

A verdict rests on a valid proof. `yes`: it shows the statement; `no`: its negation; `not shown`:
that neither can be proved; `contradictory`: both have a valid proof. All else is `cannot say`.
"""

from collections.abc import Sequence
from dataclasses import replace

from ibr.asking.result import CheckedProof, Result
from ibr.asking.rulebook import Obstacle, ObstacleKind, ParsedQuestion, Rulebook
from ibr.asking.verified import VerifiedReasoner, verify
from ibr.bulk.checks import check_in_words
from ibr.choices import Assumption
from ibr.decoding.proving import Traced
from ibr.errors import IbrError
from ibr.logic.checking.derivation import DerivedStep
from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Literal
from ibr.logic.english.doubt import Doubt
from ibr.logic.language import Logic, judged
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.prediction import Prediction, Side, Status, Verdict
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Problem, Strategy

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
    if found.verdict is result.verdict or found.doubt is Doubt.NONE:
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
