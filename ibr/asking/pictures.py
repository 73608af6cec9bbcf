"""The proofs of a result as pictures: the one given, and all that were found."""

from typing import Final

from ibr.asking.judge import verdict_of
from ibr.asking.result import CheckedProof, Result
from ibr.decoding.proving import Traced
from ibr.drawing.picture import Badge, Captions, Picture
from ibr.logic.checking.verifier import check
from ibr.prediction import Source, Status, Verdict
from ibr.theory import Problem, Question

_BADGES: Final = {
    Status.VALID: Badge.VALID,
    Status.INVALID: Badge.INVALID,
    Status.UNREADABLE: Badge.UNCHECKED,
}


def picture(result: Result) -> Picture:
    """The proof that is given; if the rules contradict each other, that of the prediction."""
    model, badge = result.prediction, _BADGES[result.checked]
    if result.check.valid and model and model.source is Source.SOLVER:
        badge = Badge.SOLVER
    return _drawn(result, result.given, result.verdict, badge)


def pictures(result: Result) -> list[Picture]:
    """One for each proof that the model found, in order, and those of other origin after them."""
    model, more = result.prediction, [picture(result)]
    if result.contrary:
        more.append(_drawn(result, result.contrary, result.verdict, Badge.SOLVER))
    if not isinstance(model, Traced):
        return more
    drawn = [_other(result, model, place) for place in range(len(model.found))]
    if model.chosen is not None:
        drawn[model.chosen] = more.pop(0)
    return drawn + more


def _other(result: Result, model: Traced, place: int) -> Picture:
    """A proof that the model found and that was not taken."""
    found, literal = model.found[place], result.question.literal
    if place < len(result.tried):
        checked = result.tried[place]
    elif literal is None or result.is_circular:
        checked = result.check
    else:
        checked = check(result.book.program, literal, found.graph, found.path.strategy)
    given = CheckedProof(found.path.to_proof(), checked)
    return _drawn(result, given, verdict_of(checked), _BADGES[checked.status])


def _drawn(result: Result, given: CheckedProof, verdict: Verdict, badge: Badge) -> Picture:
    asked = Problem("", result.book.theory, Question(result.question.text))
    return Picture.of_proof(asked, verdict, given.proof, badge, Captions.of(given.check))
