"""What a theory in the making proves, in microseconds: ground atoms as bits of one integer.

`growth` asks dozens of times per theory whether one more sentence would do. Nothing here
labels anything: a finished theory is solved by `ibr.logic.solver`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.templates import VARIABLE


class Instance(NamedTuple):
    """A ground rule: every bit of `needs` and none of `absent` gives `head`."""

    needs: int
    absent: int
    head: int


class Outcome(NamedTuple):
    """`levels[d]` are the literals first proved at depth d; `instances` what the trial added."""

    levels: tuple[int, ...]
    instances: tuple[Instance, ...]

    @property
    def depth(self) -> int:
        return len(self.levels) - 1

    @property
    def known(self) -> int:
        known = 0
        for level in self.levels:
            known |= level
        return known


class Sketch:
    """The facts and rules so far. `trial` says what one more would lead to, `accept` adds it."""

    def __init__(self, entities: Sequence[str]) -> None:
        self.entities = entities
        self.outcome = Outcome((0,), ())
        self._facts = self._positive = 0
        self._instances: list[Instance] = []
        self._literals: list[Literal] = []
        self._bits: dict[Literal, int] = {}
        self._opposed: list[int] = []  # P and not P: never both

    def trial(self, clause: Clause) -> Outcome | None:
        """None if the theory would contradict itself or leave the truth of something open."""
        if clause.is_fact:
            return self._outcome(self._facts | self.bit(clause.head))
        return self._outcome(self._facts, tuple(map(self._instance, self._bindings(clause))))

    def without(self, fact: Clause) -> Outcome | None:
        """What one fact less would lead to; None as for `trial`."""
        return self._outcome(self._facts & ~self.bit(fact.head))

    def _outcome(self, facts: int, new: tuple[Instance, ...] = ()) -> Outcome | None:
        levels = _settled(facts, [*self._instances, *new])
        if levels is None:
            return None
        outcome = Outcome(levels, new)
        known = outcome.known
        return None if any(pair & known == pair for pair in self._opposed) else outcome

    def accept(self, clause: Clause, outcome: Outcome) -> None:
        if clause.is_fact:
            self._facts |= self.bit(clause.head)
        self._instances.extend(outcome.instances)
        self.outcome = outcome

    def forget(self, fact: Clause) -> None:
        """Leaves out a fact without which the theory settles."""
        outcome = self.without(fact)
        assert outcome is not None
        self._facts &= ~self.bit(fact.head)
        self.outcome = outcome

    def reach(self, outcome: Outcome) -> int:
        """How deep positive literals are proved: only they can be conditions of more."""
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

    def _bindings(self, clause: Clause) -> Iterator[Clause]:
        if not clause.variables:
            yield clause
        else:
            yield from (clause.bind({VARIABLE: entity}) for entity in self.entities)

    def _instance(self, clause: Clause) -> Instance:
        needs = absent = 0
        for literal in clause.body:
            if literal.sign is Sign.NAF:
                absent |= self.bit(literal.atom)
            else:
                needs |= self.bit(literal)
        return Instance(needs, absent, self.bit(clause.head))


def _settled(facts: int, instances: Sequence[Instance]) -> tuple[int, ...] | None:
    """The rounds of forward chaining against the final model, found by alternating fixpoint.

    None if negation runs in a circle that the facts do not cut.
    """
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


def _rounds(facts: int, instances: Iterable[Instance], possible: int) -> tuple[int, ...]:
    """Forward chaining with `~` true of everything outside `possible`."""
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
    union = 0
    for level in levels:
        union |= level
    return union
