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

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from typing import Any, NamedTuple

from ibr.logic.budget import keep, spend
from ibr.logic.clause import Clause, Literal, Program, is_variable, may_match
from ibr.logic.lazy import lazy, memo
from ibr.logic.solving.chaining import Binding, Closure, Rule, match
from ibr.logic.solving.strata import components

INSTANCES = 50_000  # of one rule for one atom; that is two variables over 200 entities
STEPS = 20_000  # of a search for one chain, a few tenths of a second: longest paths are hard


class TooManyInstances(Exception):
    """A rule has more instances than the search looks at."""


class Attempts:
    """Which rules would conclude an atom that is not provable, and which of their conditions fail.

    Of one program and its model. A rule is its place in `rules`, those for a positive head by their
    numbers; `bits` has the bit of its sentence.
    """

    def __init__(self, program: Program, model: Closure) -> None:
        self._model = model
        self.rules = sorted(
            (Rule(i, clause) for i, clause in program if clause.head.positive and clause.body),
            key=lambda rule: program.numbers[rule.sentence],
        )
        numbers = {s: n for n, s in enumerate(dict.fromkeys(rule.sentence for rule in self.rules))}
        self.bits = [1 << numbers[rule.sentence] for rule in self.rules]
        # by relation and object of the head, None for a variable; and by the relation alone
        self._heads = defaultdict[tuple[str | None, ...], list[int]](list)
        for place, (_, (head, _)) in enumerate(self.rules):
            object_ = None if is_variable(head.object) else head.object
            self._heads[head.relation, object_].append(place)
            self._heads[head.relation,].append(place)

    @memo
    def at(self, atom: Literal) -> list[int]:
        """The rules for this atom, lowest number first."""
        places = sorted(self._concluding(atom))
        return [place for place in places if self._bound(place, atom) is not None]

    def _bound(self, place: int, atom: Literal) -> Binding | None:
        """The binding under which the rule concludes the atom."""
        binding = match(self.rules[place].clause.head, atom, {})
        # A variable is never "kind" nor the missing object "".
        is_inside = binding is not None and self._model.entities.issuperset(binding.values())
        return binding if is_inside else None

    @memo
    def reach(self, atom: Literal) -> int:
        """The bits of every sentence that a chain from the atom may use."""
        reach = 0
        for place in self.at(atom):
            reach |= self.bits[place] | self.below[place]
        return reach

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
                    bits |= self.bits[other] | below[other]
            for place in component:
                below[place] = bits
        return below

    @memo
    def failing(self, atom: Literal, place: int) -> list[tuple[Literal, ...]]:
        """The failing conditions of each instance, where every one of them may have a chain.

        In other instances some condition fails at once, and the chain ends with this rule.
        """
        binding = self._bound(place, atom)
        assert binding is not None
        return list(dict.fromkeys(self._instances(self.rules[place].clause, binding)))

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

    @memo
    def _concluding(self, pattern: Literal) -> list[int]:
        """The rules whose head may be an atom of the pattern; none if it negates."""
        relation, object_ = pattern.relation, pattern.object
        wanted = [(relation,)] if is_variable(object_) else [(relation, object_), (relation, None)]
        places = (place for key in wanted for place in self._heads.get(key, ()))
        rules = self.rules
        return [p for p in places if pattern.positive and may_match(rules[p].clause.head, pattern)]


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

    def concludes(self, atom: Literal) -> bool:
        """Is there a rule for it, whether or not it applies?"""
        return bool(self._attempts.at(atom))

    @memo
    def chain(self, atom: Literal) -> Chain:
        """The deepest-failure chain of an unprovable atom."""
        attempts = self._attempts.at(atom)
        if not attempts or atom.negation in self._proved:
            return EMPTY
        # Mostly a short chain is the answer, and a low limit finds it before long ones are tried.
        known: ChainCache = {}
        best, limit = Chain(1, self._sentence(attempts[0]), EMPTY), 4
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
        for place in self._attempts.at(atom):
            below = Task(atom, self._attempts.bits[place], limit - 1)
            length = 1
            for failing in self._attempts.failing(atom, place):
                rest = self._search(self._shortest(failing, below, 0, known), known)
                length = max(length, 1 + rest.length) if rest else length
            yield self._sentence(place), length

    def _sentence(self, place: int) -> int:
        return self._attempts.rules[place].sentence

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
        for place in self._attempts.at(task.atom):
            used = task.used | self._attempts.bits[place]
            left = (self._attempts.below[place] & ~used).bit_count()
            if used == task.used or best.length >= task.limit or left < best.length:
                continue
            if not best.length:
                best = Chain(1, self._sentence(place), EMPTY)
            for failing in self._attempts.failing(task.atom, place) if left else ():
                conditions = Task(task.atom, used, task.limit - 1)
                shortest = yield from self._shortest(failing, conditions, best.length, known)
                if shortest.length >= best.length:
                    best = Chain(1 + shortest.length, self._sentence(place), shortest)
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
