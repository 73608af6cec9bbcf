"""Which rules would conclude an atom that is not provable, and which of their conditions fail.

For `failure`. Rules are looked up by their heads, and conditions that no rule concludes are joined
by index, so that few instances are made ground, and only on demand.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ibr.logic.budget import keep, spend
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solving.chaining import Binding, Closure, Key, Rule, key_of, match
from ibr.logic.solving.strata import components

INSTANCES = 50_000  # of one rule for one atom; that is two variables over 200 entities


class TooManyInstances(Exception):
    """A rule has more instances than the search looks at."""


class Attempt(NamedTuple):
    """A rule whose head is the atom under the binding."""

    rule: int  # its place in `Attempts.rules`
    sentence: int
    binding: Binding


class Attempts:
    """Of one program and its model. Sentences that are rules for a positive head have a bit."""

    def __init__(self, program: Program, model: Closure) -> None:
        self._model = model
        self.rules = sorted(
            (Rule(i, clause) for i, clause in program if clause.head.positive and clause.body),
            key=lambda rule: program.numbers[rule.sentence],
        )
        self.bits: dict[int, int] = {}
        self._by_key: dict[Key, list[int]] = {}
        # relation -> object of the head -> its subject and the rule's place
        self._heads: dict[str, dict[str | None, list[tuple[str | None, int]]]] = {}
        for place, (sentence, clause) in enumerate(self.rules):
            self.bits.setdefault(sentence, 1 << len(self.bits))
            key = subject, relation, object_, _ = key_of(clause.head, {})
            self._by_key.setdefault(key, []).append(place)
            column = self._heads.setdefault(relation, {}).setdefault(object_, [])
            column.append((subject, place))
        self._for_pattern: dict[Key, list[int]] = {}
        self._at: dict[Literal, list[Attempt]] = {}
        self._failing: dict[tuple[Literal, int], list[tuple[Literal, ...]]] = {}
        self._reach: dict[Literal, int] = {}

    def at(self, atom: Literal) -> Sequence[Attempt]:
        """The rules for this atom, lowest number first."""
        if atom not in self._at:
            places = (p for key in self._model.keys(atom) for p in self._by_key.get(key, ()))
            found = ((p, match(self.rules[p].clause.head, atom, {})) for p in sorted(places))
            self._at[atom] = [
                Attempt(p, self.rules[p].sentence, b) for p, b in found if b is not None
            ]
        return self._at[atom]

    def reach(self, atom: Literal) -> int:
        """The bits of every sentence that a chain from the atom may use."""
        if atom not in self._reach:
            reach = 0
            for attempt in self.at(atom):
                reach |= self.bits[attempt.sentence] | self.below[attempt.rule]
            self._reach[atom] = reach
        return self._reach[atom]

    @cached_property
    def below(self) -> list[int]:
        """For each rule the bits of the sentences that chains from its conditions may use."""

        def following(place: int) -> list[int]:
            body = self.rules[place].clause.body
            return [other for lit in body for other in self._concluding(lit)]

        below = [0] * len(self.rules)
        for component in components(range(len(self.rules)), following):
            bits = 0
            for place in component:
                for other in following(place):
                    bits |= self.bits[self.rules[other].sentence] | below[other]
            for place in component:
                below[place] = bits
        return below

    def failing(self, atom: Literal, attempt: Attempt) -> Sequence[tuple[Literal, ...]]:
        """The failing conditions of each instance, where every one of them may have a chain.

        In other instances some condition fails at once, and the chain ends with this rule.
        """
        if (atom, attempt.rule) not in self._failing:
            instances = self._instances(self.rules[attempt.rule].clause, attempt.binding)
            self._failing[atom, attempt.rule] = list(dict.fromkeys(instances))
        return self._failing[atom, attempt.rule]

    def _instances(self, clause: Clause, binding: Binding) -> Iterator[tuple[Literal, ...]]:
        shown = [lit for lit in clause.body if not lit.is_naf]
        # What no rule concludes has no chain, so it must hold.
        given = [lit for lit in shown if not self._concluding(lit)]
        doubtful = [lit for lit in shown if lit not in given]
        absent = [lit.atom for lit in clause.body if lit.is_naf]
        bound = binding.keys() | {v for lit in given for v in lit.variables}
        solutions = self._model.solutions(given, binding)
        instances = self._model.complete(solutions, sorted(clause.variables - bound))
        proved = self._model.instances
        for seen, full in enumerate(instances):
            spend()
            if seen == INSTANCES:
                raise TooManyInstances
            if any(atom.bind(full) in proved for atom in absent):
                continue
            failing = [c for c in (lit.bind(full) for lit in doubtful) if c not in proved]
            if all(c.negation not in proved and self.at(c) for c in failing):
                keep()
                yield tuple(failing)

    def _concluding(self, pattern: Literal) -> list[int]:
        """The places of the rules whose head may be an atom of the pattern; none if it negates."""
        if not pattern.positive:
            return []
        key = key_of(pattern, {})
        if key not in self._for_pattern:
            subject, relation, object_, _ = key
            heads = self._heads.get(relation, {})
            columns = heads.values() if object_ is None else (heads.get(object_), heads.get(None))
            self._for_pattern[key] = [
                place
                for column in columns
                for head, place in column or ()
                if subject is None or head is None or head == subject
            ]
        return self._for_pattern[key]
