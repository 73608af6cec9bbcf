"""Many theories evaluated at once: the same ground rules, each world with one more fact.

A world is a bit; a literal's value is the set of worlds that prove it, as an integer. One fixpoint
over these sets does what solving every world on its own would do. The meaning is the well-founded
model (see `wellfounded`), which is the stratified one wherever that exists. Which rules and which
facts are worth asking about is `repair`'s business.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence

from ibr.logic.clause import Clause, Literal

Worlds = int  # bit i is set: world i


class Possibilities:
    """`rules` are ground and hold in all worlds; world i also has the fact `added[i]`."""

    def __init__(self, rules: Iterable[Clause], added: Sequence[Literal]) -> None:
        self.rules = tuple(rules)
        self.every: Worlds = (1 << len(added)) - 1
        self.given: dict[Literal, Worlds] = {fact: 1 << i for i, fact in enumerate(added)}
        self.served: defaultdict[Literal, list[Clause]] = defaultdict(list)
        for rule in self.rules:
            for condition in rule.body:
                if condition.positive:
                    self.served[condition].append(rule)

    def proved(self) -> Mapping[Literal, Worlds]:
        """Each literal that is proved somewhere, with the worlds that prove it."""
        possible = self._least({})
        if all(condition.positive for rule in self.rules for condition in rule.body):
            return possible
        while True:
            certain = self._least(possible)
            closer = self._least(certain)
            if closer == possible:
                return certain
            possible = closer

    def _least(self, doubted: Mapping[Literal, Worlds]) -> dict[Literal, Worlds]:
        """What follows if a `~` condition holds exactly in the worlds where it is not doubted."""
        value: dict[Literal, Worlds] = {}
        queue: deque[Literal] = deque()

        def add(literal: Literal, worlds: Worlds) -> None:
            before = value.get(literal, 0)
            if worlds | before != before:
                value[literal] = worlds | before
                queue.append(literal)

        def fire(rule: Clause) -> None:
            worlds = self.every
            for condition in rule.body:
                if condition.positive:
                    worlds &= value.get(condition, 0)
                else:
                    worlds &= ~doubted.get(condition.atom, 0)
            add(rule.head, worlds)

        for fact, worlds in self.given.items():
            add(fact, worlds)
        for rule in self.rules:
            fire(rule)
        while queue:
            for rule in self.served[queue.popleft()]:
                fire(rule)
        return value
