"""Repairs: every single fact whose addition would make an unprovable question provable.

Exact, also through negation as failure: a new fact may prove what was missing, and it may defeat
what stood in the way. Candidates are all ground literals that the words of the theory and the
question can say and that are not provable yet: `abduction` finds those that might help (an explicit
"not" serves no condition, so it can only be the question itself), and `change` tries them all.

The goal is always that the question itself becomes provable. If its negation is provable now,
that mostly remains so: such a repair says what it contradicts. A fact that would put negation
into a circle, so that the theory has no answer any more, is no repair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.mending.abduction import TooLarge, candidates
from ibr.logic.mending.change import Change
from ibr.logic.solver import NotStratified, Solver
from ibr.logic.solving.stratify import Rule, layers, predicate_of
from ibr.logic.telling import listing, phrase
from ibr.logic.wording import sentence

__all__ = ["Repair", "TooLarge", "repairs", "tell_repair", "with_fact"]


@dataclass(frozen=True, slots=True)
class Repair:
    """Stating `fact` makes the question provable.

    `contradicts`: the atoms that would then be proved both ways, and are not now.
    """

    fact: Literal
    contradicts: tuple[Literal, ...] = ()


def repairs(
    program: Program, question: Literal, solver: Solver | None = None
) -> tuple[Repair, ...]:
    """All of them, those nearest to the question first and the question itself last.

    None if it is provable already. `solver`, if there is one for this program already, saves
    building another. Raises NotStratified as the solver does, and TooLarge.
    """
    if solver is None or not question.entities <= solver.domain:
        solver = Solver(program, question.entities)
    if solver.proves(question):
        return ()
    change = Change(program, solver, candidates(program, solver, question))
    denials = _denials(change, solver)
    values = change.proving([question, *denials, *(literal.atom for literal in denials)])
    clashes = [(literal.atom, values[literal] & values[literal.atom]) for literal in denials]
    found = [
        Repair(fact, tuple(atom for atom, worlds in clashes if worlds >> i & 1))
        for i, fact in enumerate(change.facts)
        if values[question] >> i & 1
    ]
    return tuple(_without_circles(program, question, found))


def _denials(change: Change, solver: Solver) -> list[Literal]:
    """The negatives that might come to clash: they or what they deny can change."""
    negatives = (lit if not lit.positive else lit.negation for lit in change.affected)
    return [
        literal
        for literal in dict.fromkeys(negatives)
        if not (solver.proves(literal) and solver.proves(literal.atom))
    ]


def _without_circles(
    program: Program, question: Literal, found: Iterable[Repair]
) -> Iterator[Repair]:
    """Leave out the facts with which the solver finds negation in a circle."""
    rules = [Rule(i, clause) for i, clause in program if not clause.is_fact]
    if not any(layer.tangled for layer in layers(rules, predicate_of(rules))):
        yield from found  # no fact can tie a knot in rules that have none
        return
    for repair in found:
        try:
            Solver(with_fact(program, repair.fact), question.entities)
        except NotStratified:
            continue
        yield repair


def with_fact(program: Program, fact: Literal) -> Program:
    """The program with one more sentence at its end."""
    return replace(
        program,
        said=(*program.said, (Clause(fact),)),
        numbers=(*program.numbers, 1 + max(program.numbers, default=-1)),
    )


def tell_repair(repair: Repair) -> str:
    """The fact as a sentence that can be added as it stands, with a warning where it clashes."""
    said = sentence(phrase(repair.fact))
    if not repair.contradicts:
        return said
    clash = listing([phrase(atom) for atom in repair.contradicts])
    return f"{said} (but then it is both proved and denied that {clash})"
