"""All proofs that a model found for one question, each drawn and each with the verifier's word."""

from __future__ import annotations

from ibr.answer import BADGES
from ibr.drawing.picture import Badge, Picture
from ibr.logic.verifier import Check, check
from ibr.prediction import Status
from ibr.proved import Proved
from ibr.proving import Traced
from ibr.search import Found


def pictures(proved: Proved) -> list[Picture]:
    """One for each proof found, in their order; then the one that was given, if it is none of them.

    So there is one only where no model searched.
    """
    given = proved.prediction
    if not isinstance(given, Traced):
        return [proved.picture()]
    drawn = [
        proved.picture() if place == given.chosen else _other(proved, found)
        for place, found in enumerate(given.found)
    ]
    return drawn if given.chosen is not None else [*drawn, proved.picture()]


def _other(proved: Proved, found: Found) -> Picture:
    """A proof that was not given; if it holds, what it shows decides its answer, as always."""
    checked, literal, answer = _check(proved, found), proved.heard.literal, proved.answer
    if checked.valid and literal is not None:
        answer = checked.shows == literal if checked.shows else not literal.positive
    theory, asked, proof = proved.book.theory, proved.heard.text, found.path.to_proof()
    return Picture.of_proof(theory, asked, answer, proof, _badge(proved, checked))


def _check(proved: Proved, found: Found) -> Check:
    literal, program = proved.heard.literal, proved.book.program
    if literal is None:
        return Check(Status.UNREADABLE, "the question cannot be read")
    if proved.circle:
        return Check(Status.INVALID, proved.circle)
    return check(program, literal, found.graph, found.path.strategy)


def _badge(proved: Proved, checked: Check) -> Badge:
    unread = checked.status is Status.INVALID and proved.book.unreadable
    return Badge.UNCHECKED if unread else BADGES[checked.status]
