"""What an unfinished theory proves, in microseconds: ground atoms as bits of one integer.

`growth` tries many sentences for each theory. Labels are not made here: a finished theory is
solved by `ibr.logic.solving.solver`.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.surface.templates import VARIABLE


class GroundRule(NamedTuple):
    """A ground rule: every bit of `needs` and none of `absent` gives `head`."""

    needs: int
    absent: int
    head: int


class Outcome(NamedTuple):
    """What facts and ground rules prove: `levels[d]` are the literals first proved at depth d."""

    facts: int
    instances: tuple[GroundRule, ...]
    levels: tuple[int, ...]

    @property
    def depth(self) -> int:
        return len(self.levels) - 1

    @property
    def known(self) -> int:
        return _union(self.levels)


class Sketch:
    """The facts and rules so far, in `outcome`. `trial` finds what one more would prove."""

    def __init__(self, entities: Sequence[str]) -> None:
        self.entities = entities
        self.outcome = Outcome(0, (), (0,))
        self._positive = 0
        self._literals: list[Literal] = []
        self._bits: dict[Literal, int] = {}
        self._opposed: list[int] = []  # pairs P, not P: a theory must not prove both

    def trial(self, clause: Clause) -> Outcome | None:
        """None if the theory would contradict itself or would not be stratified."""
        if clause.is_fact:
            return self._outcome(self.outcome.facts | self.bit(clause.head))
        clauses = [clause]
        if clause.variables:
            clauses = [clause.bind({VARIABLE: entity}) for entity in self.entities]
        return self._outcome(self.outcome.facts, tuple(map(self._instance, clauses)))

    def without(self, fact: Clause) -> Outcome | None:
        """What would be proved without the fact; None as for `trial`."""
        return self._outcome(self.outcome.facts & ~self.bit(fact.head))

    def _outcome(self, facts: int, new: tuple[GroundRule, ...] = ()) -> Outcome | None:
        instances = self.outcome.instances + new
        levels = _model_levels(facts, instances)
        if levels is None:
            return None
        known = _union(levels)
        opposed = any(pair & known == pair for pair in self._opposed)
        return None if opposed else Outcome(facts, instances, levels)

    def reach(self, outcome: Outcome) -> int:
        """The largest depth of a positive literal; only these can be conditions of rules."""
        depth = outcome.depth
        while depth and not outcome.levels[depth] & self._positive:
            depth -= 1
        return depth

    def literals(self, mask: int) -> list[Literal]:
        return [literal for k, literal in enumerate(self._literals) if mask >> k & 1]

    def bit(self, literal: Literal) -> int:
        found = self._bits.get(literal)
        if found is None:
            found = 1 << len(self._literals)
            self._bits[literal] = found
            self._literals.append(literal)
            if literal.positive:
                self._positive |= found
            else:
                self._opposed.append(found | self.bit(literal.atom))
        return found

    def _instance(self, clause: Clause) -> GroundRule:
        needs = absent = 0
        for literal in clause.body:
            if literal.sign is Sign.NAF:
                absent |= self.bit(literal.atom)
            else:
                needs |= self.bit(literal)
        return GroundRule(needs, absent, self.bit(clause.head))


def _model_levels(facts: int, instances: Sequence[GroundRule]) -> tuple[int, ...] | None:
    """The literals of the well-founded model by depth, by alternating fixpoint; None if the model
    is not total."""
    levels = _rounds(facts, instances, 0)
    if not any(instance.absent for instance in instances):
        return levels
    possible = _union(levels)
    while True:
        levels = _rounds(facts, instances, possible)
        proved = _union(levels)
        closer = _union(_rounds(facts, instances, proved))
        if closer == possible:
            return levels if proved == possible else None
        possible = closer


def _rounds(facts: int, instances: Iterable[GroundRule], possible: int) -> tuple[int, ...]:
    """Forward chaining where `~` holds of everything outside `possible`."""
    waiting = [(i.needs, i.head) for i in instances if not i.absent & possible]
    levels, known = [facts], facts
    while True:
        new = 0
        for needs, head in waiting:
            if needs & known == needs:
                new |= head
        new &= ~known
        if not new:
            return tuple(levels)
        levels.append(new)
        known |= new
        waiting = [pair for pair in waiting if not pair[1] & known]


def _union(levels: Iterable[int]) -> int:
    return reduce(or_, levels, 0)
