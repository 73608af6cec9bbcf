"""Why an atom is not provable: the deepest-failure chain of RuleTaker (docs/formats.md section 4).

    chain(A) = empty if not-A is provable or no rule concludes A; else the LONGEST over the rules
    that do, none used twice on the way, of the rule followed by the SHORTEST chain among the
    conditions that fail. Ties: the lowest rule number, the first condition.

Longest paths are hard: a chain that takes too long to find is cut and says so (`exact`). That needs
dozens of rules that lead to each other; RuleTaker's theories have nine, and chains of up to seven.
Rules are looked up by their heads (`Attempts`), and conditions that no rule concludes are joined by
index, so that few instances are made ground, and only on demand.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ibr.logic.budget import keep, spend
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.lazy import lazy
from ibr.logic.solving.chaining import Binding, Closure, Key, Rule, key_of, match
from ibr.logic.solving.strata import components

INSTANCES = 50_000  # of one rule for one atom; that is two variables over 200 entities
STEPS = 20_000  # of a search for one chain, a few tenths of a second: longest paths are hard


class TooManyInstances(Exception):
    """A rule has more instances than the search looks at."""


class Attempt(NamedTuple):
    """A rule whose head is the atom under the binding."""

    rule: int  # its place in `Attempts.rules`
    sentence: int
    binding: Binding


class Attempts:
    """Which rules would conclude an atom that is not provable, and which of their conditions fail.

    Of one program and its model. Sentences that are rules for a positive head have a bit.
    """

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

    @lazy
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


class Chain(NamedTuple):
    """A linked chain of rules; `Chain(0)` is the empty one."""

    length: int
    sentence: int = -1
    rest: Chain | None = None
    exact: bool = True  # else only the first rules of it were looked for

    def sentences(self) -> list[int]:
        found: list[int] = []
        chain: Chain | None = self
        while chain and chain.length:
            found.append(chain.sentence)
            chain = chain.rest
        return found


EMPTY = Chain(0)


class Task(NamedTuple):
    """A chain to be found: of which atom, below which rules (as bits), at most how long."""

    atom: Literal
    used: int
    limit: int


# Chains found so far, and their limits. One below its limit is the whole chain, whatever the limit.
ChainCache = dict[tuple[Literal, int], tuple[Chain, int]]


def _known_chain(task: Task, known: ChainCache) -> Chain | None:
    if not task.limit:
        return EMPTY
    chain, limit = known.get((task.atom, task.used), (EMPTY, 0))
    return chain if chain.length < limit or limit >= task.limit else None


class Failures:
    """The chains of one program and its model."""

    def __init__(self, program: Program, model: Closure) -> None:
        self._proved = model.instances
        self._attempts = Attempts(program, model)
        self._chains: dict[Literal, Chain] = {}

    def concludes(self, atom: Literal) -> bool:
        """Is there a rule for it, whether or not it applies?"""
        return bool(self._attempts.at(atom))

    def chain(self, atom: Literal) -> Chain:
        """The deepest-failure chain of an unprovable atom."""
        if atom not in self._chains:
            self._chains[atom] = self._chain(atom)
        return self._chains[atom]

    def _chain(self, atom: Literal) -> Chain:
        attempts = self._attempts.at(atom)
        if not attempts or atom.negation in self._proved:
            return EMPTY
        # Mostly a short chain is the answer, and a low limit finds it before long ones are tried.
        known: ChainCache = {}
        best, limit = Chain(1, attempts[0].sentence, EMPTY), 4
        while (
            found := self._search(self._longest(Task(atom, 0, limit), known), known)
        ) is not None:
            if found.length < limit:
                return found
            best, limit = found, limit + limit // 2
        return best._replace(exact=False)

    def lengths(self, atom: Literal, limit: int) -> Iterator[tuple[int, int]]:
        """(sentence, length) of the chain that each rule for the atom leads, up to the limit.

        The longest of them is the atom's chain. One that takes too long to find is left out.
        """
        known: ChainCache = {}
        for attempt in self._attempts.at(atom):
            below = Task(atom, self._attempts.bits[attempt.sentence], limit - 1)
            length = 1
            for failing in self._attempts.failing(atom, attempt):
                rest = self._search(self._shortest(failing, below, 0, known), known)
                length = max(length, 1 + rest.length) if rest else length
            yield attempt.sentence, length

    def _search(self, first: Generator[Task, Any, Chain], known: ChainCache) -> Chain | None:
        """The chain that is looked for first, or None if that takes more than STEPS."""
        stack = [first]
        answer: Chain | None = None
        for _ in range(STEPS):  # no recursion: chains may be longer than Python's stack
            spend()
            try:
                below = stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                answer = stop.value
                if not stack:
                    return answer
            except TooManyInstances:
                return None
            else:
                stack.append(self._longest(below, known))
                answer = None
        return None

    def _longest(self, task: Task, known: ChainCache) -> Generator[Task, Any, Chain]:
        """The chain of the task; yields the tasks below it and is sent their chains."""
        best = EMPTY
        for attempt in self._attempts.at(task.atom):
            used = task.used | self._attempts.bits[attempt.sentence]
            left = (self._attempts.below[attempt.rule] & ~used).bit_count()
            if used == task.used or best.length >= task.limit or left < best.length:
                continue
            if not best.length:
                best = Chain(1, attempt.sentence, EMPTY)
            for failing in self._attempts.failing(task.atom, attempt) if left else ():
                conditions = Task(task.atom, used, task.limit - 1)
                shortest = yield from self._shortest(failing, conditions, best.length, known)
                if shortest.length >= best.length:
                    best = Chain(1 + shortest.length, attempt.sentence, shortest)
        known[task.atom, task.used] = best, task.limit
        return best

    def _shortest(
        self, failing: Iterable[Literal], task: Task, floor: int, known: ChainCache
    ) -> Generator[Task, Any, Chain]:
        """The shortest chain among the failing conditions, or any that is below the floor."""
        shortest: Chain | None = None
        for condition in failing:
            reach = self._attempts.reach(condition)
            # A later condition matters only if its chain is shorter.
            below = Task(condition, task.used & reach, shortest.length if shortest else task.limit)
            chain = _known_chain(below, known) if reach & ~task.used else EMPTY
            if chain is None:
                chain = yield below
            if shortest is None or chain.length < shortest.length:
                shortest = chain
            if shortest.length < floor:
                break
        assert shortest is not None  # the rule would have fired
        return shortest
