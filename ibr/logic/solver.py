"""The exact solver: closed world, stratified negation as failure (FORMAT.md section 4).

The door to its rooms: `chaining` finds what is provable, `measure` how deep, `derivations` every
proof, `failure` why the rest is not. Knows clauses only; English is read by `language`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ibr.logic.clause import Literal, Program, Sign
from ibr.logic.failure import Failures
from ibr.logic.measure import Size, sizes
from ibr.logic.strata import chain
from ibr.logic.stratify import NotStratified
from ibr.proof import Proof
from ibr.theory import FineStrategy, Strategy

__all__ = ["NotStratified", "Solver", "Verdict", "solve"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows of a question. `proved` is the question, its negation, or None."""

    answer: bool
    depth: int  # of the shallowest proof; of the failure chain if nothing is proved
    length: int | None  # RuleTaker's QLen; None if nothing is proved
    fine_strategy: FineStrategy
    proved: Literal | None
    contradiction: bool = False  # the theory proves the question and its negation

    @property
    def strategy(self) -> Strategy:
        return self.fine_strategy.strategy


class Solver:
    """All that can be known about one program. Everything is computed once, when first asked.

    The domain of variables is the program's entities and `extra_entities`; a question about an
    entity outside it is answered over the domain with that entity.
    """

    def __init__(self, program: Program, extra_entities: Iterable[str] = ()) -> None:
        self.program = program
        self.domain = program.entities.union(extra_entities)
        self._chained = chain(program, self.domain)
        self._wider: dict[frozenset[str], Solver] = {}

    @cached_property
    def model(self) -> Mapping[Literal, int]:
        """Every provable ground literal, positive and negative, with its depth."""
        return {literal: steps[0].depth for literal, steps in self._sizes.items()}

    def proves(self, literal: Literal) -> bool:
        return literal in self._over(literal)._chained.instances

    def judge(self, question: Literal) -> Verdict:
        """Answer, depth, length and strategy of a statement (`Sign.POSITIVE` or `NEGATIVE`)."""
        return self._over(question)._judge(question)

    def failure(self, atom: Literal) -> Proof:
        """The deepest-failure chain of an unprovable positive atom."""
        over = self._over(atom)
        if over.proves(atom) or not atom.positive:
            raise ValueError(f"{atom}: only an unprovable positive atom has a failure chain")
        return Proof.failure(over._failures.chain(atom))

    def consequences(self) -> list[tuple[Literal, int]]:
        """Every provable literal with its depth, shallowest first."""
        return sorted(self.model.items(), key=lambda item: item[1])

    def contradictions(self) -> list[Literal]:
        """The atoms that are proved both ways."""
        proved = self._chained.instances
        return [literal for literal in proved if literal.positive and literal.negation in proved]

    @cached_property
    def _sizes(self) -> dict[Literal, list[Size]]:
        return sizes(self._chained.instances)

    @cached_property
    def _failures(self) -> Failures:
        return Failures(self.program, self._chained)

    def _over(self, literal: Literal) -> Solver:
        """The solver whose domain has the literal's entities: mostly this one."""
        if literal.sign == Sign.NAF or literal.variables:
            raise ValueError(f"{literal}: a statement has no variable and no negation as failure")
        strangers = literal.entities - self.domain
        if not strangers:
            return self
        if strangers not in self._wider:
            self._wider[strangers] = Solver(self.program, self.domain | strangers)
        return self._wider[strangers]

    def _judge(self, question: Literal) -> Verdict:
        proved, negation = self._chained.instances, question.negation
        for literal, strategy in (
            (question, FineStrategy.PROOF),
            (negation, FineStrategy.INV_PROOF),
        ):
            if literal in proved:
                depth, length = self._sizes[literal][0]
                both = question in proved and negation in proved
                return Verdict(literal == question, depth, length, strategy, literal, both)
        depth = len(self._failures.chain(question.atom))
        if self._failures.concludes(question.atom):
            plain, inverse = FineStrategy.RCONC, FineStrategy.INV_RCONC
        else:
            plain, inverse = FineStrategy.RANDOM, FineStrategy.INV_RANDOM
        positive = question.positive
        return Verdict(not positive, depth, None, plain if positive else inverse, None)


def solve(program: Program, question: Literal) -> Verdict:
    """`Solver(program).judge(question)` for a single question."""
    return Solver(program, question.entities).judge(question)
