"""Why an atom is not provable: the deepest-failure chain of RuleTaker (FORMAT.md section 4).

    chain(A) = empty if not-A is provable or no rule concludes A; else the LONGEST over the rules
    that do, none used twice on the way, of the rule followed by the SHORTEST chain among the
    conditions that fail. Ties: the lowest rule number, the first condition.

`Failures` explores only atoms that can lengthen a chain; it proves nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ibr.logic.chaining import Binding, Key, Model, key_of, match
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.stratify import Rule, components

_NAF = Sign.NAF


class Chain(NamedTuple):
    """A linked chain of rules; `Chain(0)` is the empty one."""

    length: int
    sentence: int = -1
    rest: Chain | None = None

    def sentences(self) -> list[int]:
        found: list[int] = []
        chain: Chain | None = self
        while chain and chain.length:
            found.append(chain.sentence)
            chain = chain.rest
        return found


EMPTY = Chain(0)


class Attempt(NamedTuple):
    """A rule that concludes the atom, and the failing conditions that may have chains themselves:
    none if some condition fails at once, for then the chain goes no further."""

    sentence: int
    failing: tuple[Literal, ...] = ()


class Failures:
    def __init__(self, program: Program, model: Model) -> None:
        self._model = model
        self._numbers = program.numbers
        self._rules: dict[Key, list[Rule]] = {}
        for sentence, clause in program:
            if clause.head.positive and not clause.is_fact:
                key = key_of(clause.head, {})
                self._rules.setdefault(key, []).append(Rule(sentence, clause))
        self._attempts: dict[Literal, tuple[Attempt, ...]] = {}
        self._reach: dict[Literal, int] = {}  # bits of the sentences that chains below may use
        self._chains: dict[tuple[Literal, int], Chain] = {}

    def _concluding(self, atom: Literal) -> Iterator[tuple[Rule, Binding]]:
        """The rules whose head can be this atom, lowest number first, with the head's binding."""
        rules = [rule for key in self._model.keys(atom) for rule in self._rules.get(key, ())]
        for rule in sorted(rules, key=lambda rule: self._numbers[rule.sentence]):
            binding = match(rule.clause.head, atom, {})
            if binding is not None:
                yield rule, binding

    def concludes(self, atom: Literal) -> bool:
        """Is there a rule for it, whether or not it applies?"""
        return any(True for _ in self._concluding(atom))

    def chain(self, atom: Literal) -> list[int]:
        """The sentences of the deepest-failure chain of an unprovable atom, from the top."""
        if atom.negation in self._model.instances:
            return []
        self._explore(atom)
        return self._deepest(atom).sentences()

    def _deepest(self, atom: Literal) -> Chain:
        """chain(atom), solved from the bottom up: paths may be longer than Python's stack."""
        stack = [(atom, 0)]
        while stack:
            found = self._longest(*stack[-1])
            if isinstance(found, Chain):
                self._chains[stack.pop()] = found
            else:
                stack.append(found)
        return self._chains[atom, 0]

    def _longest(self, atom: Literal, used: int) -> Chain | tuple[Literal, int]:
        """The chain of the atom below the used rules, or a chain that must be known first."""
        best = EMPTY
        for sentence, failing in self._attempts[atom]:
            now = used | 1 << sentence
            if now == used:
                continue
            shortest: Chain | None = None if failing else EMPTY
            for condition in failing:
                if shortest and shortest.length < best.length:
                    break
                task = condition, now & self._reach[condition]
                chain = self._chains.get(task)
                if chain is None:
                    return task
                if shortest is None or chain.length < shortest.length:
                    shortest = chain
            if shortest is not None and shortest.length >= best.length:
                best = Chain(1 + shortest.length, sentence, shortest)
        return best

    def _explore(self, atom: Literal) -> None:
        """Learn the attempts at every atom that chains from this one can come by."""
        new = [atom] if atom not in self._attempts else []
        for found in new:  # grows as we go
            if found not in self._attempts:
                self._attempts[found] = tuple(self._attempts_at(found))
                new.extend(c for attempt in self._attempts[found] for c in attempt.failing)

        def below(found: Literal) -> list[Literal]:
            return [c for attempt in self._attempts[found] for c in attempt.failing]

        for component in components((a for a in new if a not in self._reach), below):
            reach = 0
            for found in component:
                for sentence, failing in self._attempts[found]:
                    reach |= 1 << sentence
                    for condition in failing:
                        reach |= self._reach.get(condition, 0)
            for found in component:
                self._reach[found] = reach

    def _attempts_at(self, atom: Literal) -> Iterator[Attempt]:
        for rule, binding in self._concluding(atom):
            deeper = dict.fromkeys(self._failing(rule.clause, binding))
            yield from (Attempt(rule.sentence, failing) for failing in deeper)
            if not deeper:
                yield Attempt(rule.sentence)

    def _failing(self, clause: Clause, binding: Binding) -> Iterator[tuple[Literal, ...]]:
        """The failing conditions of each instance in which every one of them has a chain.

        A condition that no rule concludes has none, so it must hold: those are joined by index.
        """
        certain = [lit for lit in clause.body if lit.positive and not self._is_concluded(lit)]
        open_ = [lit for lit in clause.body if lit.positive and self._is_concluded(lit)]
        absent = [lit.atom for lit in clause.body if lit.sign is _NAF]
        proved = self._model.instances
        for known in self._model.solutions(certain, binding):
            free = sorted(clause.variables - known.keys())
            for full in self._model.complete([known], free):
                if any(atom.bind(full) in proved for atom in absent):
                    continue
                failing = [c for c in (lit.bind(full) for lit in open_) if c not in proved]
                if all(self._has_chain(condition) for condition in failing):
                    yield tuple(failing)

    def _has_chain(self, atom: Literal) -> bool:
        """May the unprovable atom have a chain at all?"""
        return atom.negation not in self._model.instances and self.concludes(atom)

    def _is_concluded(self, pattern: Literal) -> bool:
        """Can some rule conclude an atom of this pattern?"""
        subject, relation, object_ = key_of(pattern, {})
        return any(
            (subject is None or s is None or s == subject)
            and (object_ is None or o is None or o == object_)
            for s, r, o in self._rules
            if r == relation
        )
