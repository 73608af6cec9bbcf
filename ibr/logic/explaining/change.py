"""What one more fact changes, exactly, for many facts at once.

A world is the theory with one more fact, and a bit; the value of a node is the set of worlds in
which it holds, as an integer, so one evaluation serves all worlds (`holding`). `Change` follows the
rules forward from the facts to everything that any of them might change, and evaluates that part;
the rest stays as the solver found it.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ibr.logic.checking import matching
from ibr.logic.checking.matching import Binding, Facts, SplitRule
from ibr.logic.checking.wellfounded import alternating_fixpoint
from ibr.logic.clause import Literal, Program
from ibr.logic.solving.solver import Solver

Worlds = int  # bit i is set: world i
Values = Mapping[Hashable, Worlds]


class Inference(NamedTuple):
    """`conclusion` holds where all `needs` hold and none of `absent` does."""

    conclusion: Hashable
    needs: tuple[Hashable, ...] = ()
    absent: tuple[Hashable, ...] = ()


def holding(inferences: Iterable[Inference], added: Sequence[Hashable]) -> Values:
    """The worlds in which each node holds. World i has the inferences and `added[i]`.

    What holds is true in the well-founded model; a world in which that model leaves something open
    is not to be relied on.
    """
    known = tuple(inferences)
    start = {fact: 1 << i for i, fact in enumerate(added)}
    concluded = {inference.conclusion for inference in known}
    possible = _least(known, start, start)
    if all(concluded.isdisjoint(inference.absent) for inference in known):
        return possible
    return alternating_fixpoint(partial(_least, known, start), possible)[0]


def _least(inferences: Sequence[Inference], start: Values, doubted: Values) -> Values:
    """The least fixpoint above `start`, where a node is absent if and only if it is not doubted."""
    every: Worlds = (1 << len(start)) - 1
    values = defaultdict(int, start)
    using: defaultdict[Hashable, list[Inference]] = defaultdict(list)
    for inference in inferences:
        for need in inference.needs:
            using[need].append(inference)
    queue = deque(inferences)
    while queue:
        conclusion, needs, absent = queue.popleft()
        worlds = every
        for need in needs:
            worlds &= values[need]
        for node in absent:
            worlds &= ~doubted.get(node, 0)
        if worlds & ~values[conclusion]:
            values[conclusion] |= worlds
            queue.extend(using[conclusion])
    return values


class Change:
    """`facts[i]` is what world i has in addition."""

    def __init__(self, program: Program, solver: Solver, facts: Sequence[Literal]) -> None:
        self.solver, self.facts = solver, facts
        self._conclusions = matching.conclusions_of(program)
        self._asking: defaultdict[tuple[str, str | None], list[tuple[SplitRule, Literal]]]
        self._asking = defaultdict(list)
        for rule in (rule for rules in matching.rules_of(program) for rule in rules):
            for condition in (*rule.positives, *rule.absent):
                self._asking[matching.open_key(condition)].append((rule, condition))
        self._ever = Facts(solver.model)  # proved now or, perhaps, in some world
        self.affected = dict.fromkeys(facts)
        self._follow()

    def _follow(self) -> None:
        """Whatever has an affected condition, and else only what may hold, is affected itself."""
        fresh = [*self.facts]
        for literal in fresh:  # grows as we go
            self._ever.add(literal)
            for head in self._heads(literal):
                if head not in self.affected:
                    self.affected[head] = None
                    fresh.append(head)

    def _heads(self, literal: Literal) -> Iterator[Literal]:
        for key in ((literal.relation, literal.object), (literal.relation, None)):
            for rule, condition in self._asking.get(key, ()):
                start = matching.match(condition, literal, {}, self.solver.domain)
                if start is not None:
                    for binding in self._bindings(rule.positives, start, rule.clause.variables):
                        yield rule.clause.head.bind(binding)

    def _bindings(
        self, positives: tuple[Literal, ...], start: Binding, variables: frozenset[str]
    ) -> Iterator[Binding]:
        domain = self.solver.domain
        for joined in matching.join(positives, self._ever, start, domain):
            yield from matching.extensions(joined, variables - joined.keys(), domain)

    def proving(self, goals: Iterable[Literal]) -> dict[Literal, Worlds]:
        """The worlds that prove each goal."""
        wanted = dict.fromkeys(goals)
        reached = {goal: None for goal in wanted if goal in self.affected}
        fresh = [*reached]
        inferences: list[Inference] = []
        for goal in fresh:  # grows as we go
            for needs, absent in self._bodies(goal):
                inferences.append(Inference(goal, needs, absent))
                new = {lit: None for lit in needs + absent if lit not in reached}
                reached |= new
                fresh.extend(new)
        values = holding(inferences, self.facts)
        every: Worlds = (1 << len(self.facts)) - 1
        return {
            goal: values.get(goal, 0) if goal in self.affected else every * self.solver.proves(goal)
            for goal in wanted
        }

    def _bodies(self, goal: Literal) -> Iterator[tuple[tuple[Literal, ...], tuple[Literal, ...]]]:
        """What the ground rules for the goal need and negate, but for what holds in all worlds."""
        for _, clause in self._conclusions.of(goal, self.solver.domain):
            positives = tuple(c for c in clause.body if c.positive)
            for binding in self._bindings(positives, {}, clause.variables):
                body = clause.bind(binding).body
                fixed = [c for c in body if c.atom not in self.affected]
                if all(self.solver.proves(c.atom) == c.positive for c in fixed):
                    changing = [c for c in body if c.atom in self.affected]
                    needs = tuple(c for c in changing if c.positive)
                    yield needs, tuple(c.atom for c in changing if not c.positive)
