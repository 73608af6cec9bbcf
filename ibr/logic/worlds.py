"""Many theories evaluated at once: the same ground rules, each world with one more fact.

A world is a bit; a literal's value is the set of worlds that prove it, as an integer. One pass over
these sets does what solving every world on its own would do. Literals that depend on each other
are settled together, after all that they rest on. The meaning in each world is the well-founded
model, if that leaves nothing open; a world that does is wrong here and must be sorted out by the
caller. Which rules and facts are worth asking about is `repair`'s business.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence

from ibr.logic.clause import Clause, Literal
from ibr.logic.stratify import components

Worlds = int  # bit i is set: world i
Values = Mapping[Literal, Worlds]


def proved_in(rules: Iterable[Clause], added: Sequence[Literal]) -> Values:
    """The worlds that prove each literal. World i has the ground rules and the fact `added[i]`."""
    every: Worlds = (1 << len(added)) - 1
    values: dict[Literal, Worlds] = {fact: 1 << i for i, fact in enumerate(added)}
    concluding: defaultdict[Literal, list[Clause]] = defaultdict(list)
    for rule in rules:
        concluding[rule.head].append(rule)
    below = {
        head: {condition.atom for rule in found for condition in rule.body}
        for head, found in concluding.items()
    }
    for members in components(concluding, lambda literal: below.get(literal, ())):
        knot = _Knot([rule for m in members for rule in concluding[m]], values, every)
        values.update(knot.settle())
    return values


class _Knot:
    """The rules of literals that depend on each other; all else that they rest on is settled."""

    def __init__(self, rules: Sequence[Clause], settled: Values, every: Worlds) -> None:
        self.rules, self.settled, self.every = rules, settled, every
        self.heads = {rule.head: settled.get(rule.head, 0) for rule in rules}
        self.served: defaultdict[Literal, list[Clause]] = defaultdict(list)
        self.negates_itself = False
        for rule in rules:
            for condition in rule.body:
                if condition.atom in self.heads:
                    self.served[condition.atom].append(rule)
                    self.negates_itself |= not condition.positive

    def settle(self) -> Values:
        """What the rules prove; through negation of its own by alternating bounds."""
        possible = self._least(dict.fromkeys(self.heads, 0))
        while self.negates_itself:
            certain = self._least(possible)
            closer = self._least(certain)
            if closer == possible:
                return certain
            possible = closer
        return possible

    def _least(self, doubted: Values) -> Values:
        """What follows if `~` holds, of these literals, exactly where they are not doubted."""
        values = dict(self.heads)
        queue = deque(self.rules)
        while queue:
            rule = queue.popleft()
            worlds = values[rule.head] | self._fires(rule, values, doubted)
            if worlds != values[rule.head]:
                values[rule.head] = worlds
                queue.extend(self.served[rule.head])
        return values

    def _fires(self, rule: Clause, values: Values, doubted: Values) -> Worlds:
        worlds = self.every
        for condition in rule.body:
            if condition.positive:
                value = values.get(condition)
                worlds &= self.settled.get(condition, 0) if value is None else value
            else:
                atom = condition.atom
                value = doubted.get(atom)
                worlds &= ~(self.settled.get(atom, 0) if value is None else value)
        return worlds
