"""What one more fact changes, exactly, for many facts at once.

A fact can only change what rules lead to from it. `Change` follows them forward to everything that
any of the given facts might change, and evaluates that part in all worlds (`worlds`: one per fact);
the rest stays as the solver found it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ibr.logic.checking.backward import conclusions_of
from ibr.logic.checking.matching import Binding, Facts, Rule, extensions, join, match, rules_of
from ibr.logic.checking.worlds import Inference, Worlds, holding
from ibr.logic.clause import Literal, Program, is_variable
from ibr.logic.solver import Solver


class Change:
    """`facts[i]` is what world i has in addition."""

    def __init__(self, program: Program, solver: Solver, facts: Sequence[Literal]) -> None:
        self.solver, self.facts = solver, facts
        self.conclusions = conclusions_of(program)
        self.every: Worlds = (1 << len(facts)) - 1
        self.woken: defaultdict[tuple[str, str | None], list[tuple[Rule, Literal]]]
        self.woken = defaultdict(list)
        for rule in (rule for rules in rules_of(program) for rule in rules):
            for condition in (*rule.positives, *rule.absent):
                object_ = None if is_variable(condition.object) else condition.object
                self.woken[condition.relation, object_].append((rule, condition))
        self.ever = Facts()  # proved now or, perhaps, in some world
        for literal in solver.model:
            self.ever.add(literal)
        self.affected = dict.fromkeys(facts)
        self._follow()

    def _follow(self) -> None:
        """Whatever has an affected condition, and else only what may hold, is affected itself."""
        fresh = [*self.facts]
        for literal in fresh:  # grows as we go
            self.ever.add(literal)
            for head in self._heads(literal):
                if head not in self.affected:
                    self.affected[head] = None
                    fresh.append(head)

    def _heads(self, literal: Literal) -> Iterator[Literal]:
        for key in ((literal.relation, literal.object), (literal.relation, None)):
            for rule, condition in self.woken.get(key, ()):
                start = match(condition, literal, {}, self.solver.domain)
                if start is not None:
                    for binding in self._bindings(rule.positives, start, rule.clause.variables):
                        yield rule.clause.head.bind(binding)

    def _bindings(
        self, positives: tuple[Literal, ...], start: Binding, variables: Iterable[str]
    ) -> Iterator[Binding]:
        domain = self.solver.domain
        for joined in join(positives, self.ever, start, domain):
            yield from extensions(joined, sorted({*variables} - joined.keys()), domain)

    def proving(self, goals: Iterable[Literal]) -> dict[Literal, Worlds]:
        """The worlds that prove each goal."""
        wanted = dict.fromkeys(goals)
        fresh = [goal for goal in wanted if goal in self.affected]
        reached = dict.fromkeys(fresh)
        inferences: list[Inference] = []
        for goal in fresh:  # grows as we go
            for inference, below in self._inferences(goal):
                inferences.append(inference)
                new = [literal for literal in below if literal not in reached]
                reached.update(dict.fromkeys(new))
                fresh.extend(new)
        values = holding(inferences, self.facts)
        return {goal: self._value(goal, values.get(goal, 0)) for goal in wanted}

    def _value(self, goal: Literal, found: Worlds) -> Worlds:
        if goal in self.affected:
            return found
        return self.every if self.solver.proves(goal) else 0

    def _inferences(self, goal: Literal) -> Iterator[tuple[Inference, list[Literal]]]:
        """The ground rules for the goal, without the conditions that hold in all worlds."""
        for _, clause in self.conclusions.of(goal, self.solver.domain):
            positives = tuple(c for c in clause.body if c.positive)
            for binding in self._bindings(positives, {}, clause.variables):
                needs: list[Literal] = []
                absent: list[Literal] = []
                for condition in clause.bind(binding).body:
                    if condition.atom in self.affected:
                        (needs if condition.positive else absent).append(condition.atom)
                    elif self.solver.proves(condition.atom) != condition.positive:
                        break
                else:
                    yield Inference(goal, tuple(needs), tuple(absent)), [*needs, *absent]
