"""What a whole theory proves, computed a second way: the well-founded model.

The verifier needs to know that an atom is *not* derivable before it lets a proof rest on that. It
asks here and not the solver. The method is Van Gelder's alternating fixpoint, which needs no
strata: what is proved when doubtful atoms count as false bounds the truth from above, what is
proved from that bound bounds it from below, and the two bounds close in on each other.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ibr.logic.clause import Literal, Program, is_variable
from ibr.logic.matching import Facts, Rule, Underivable, firings, rules_of


@dataclass(frozen=True, slots=True)
class Model:
    """`proved` is certain; what is `possible` but not proved hangs on a cycle of negations."""

    proved: frozenset[Literal]
    possible: frozenset[Literal]

    def underivable(self, atom: Literal) -> bool:
        return atom not in self.possible


@lru_cache(maxsize=64)
def well_founded(program: Program, extra_entities: frozenset[str] = frozenset()) -> Model:
    """The model over the entities of the program and the extra ones (those of a question)."""
    domain = program.entities | extra_entities
    engine = _Engine([rule for rules in rules_of(program) for rule in rules], domain)
    possible = engine.least_model(lambda atom: True)
    if not any(rule.absent for rule in engine.rules):
        return Model(possible, possible)
    while True:
        proved = engine.least_model(lambda atom, bound=possible: atom not in bound)  # type: ignore[misc]
        closer = engine.least_model(lambda atom, bound=proved: atom not in bound)  # type: ignore[misc]
        if len(closer) == len(possible):  # bounds only ever shrink: same size, same set
            return Model(proved, possible)
        possible = closer


class _Engine:
    """Forward chaining by worklist: each literal wakes only the conditions it could satisfy."""

    def __init__(self, rules: Iterable[Rule], domain: Collection[str]) -> None:
        self.rules = tuple(rules)
        self.domain = domain
        self.woken: defaultdict[tuple[str, str | None], list[Rule]] = defaultdict(list)
        for rule in self.rules:
            for key in {_key(condition) for condition in rule.positives}:
                self.woken[key].append(rule)

    def least_model(self, underivable: Underivable) -> frozenset[Literal]:
        facts = Facts()
        seen: set[Literal] = set()
        queue: deque[Literal] = deque()

        def fire(rule: Rule, new: Literal | None) -> None:
            for binding in firings(rule, facts, new, self.domain, underivable):
                head = rule.clause.head.bind(binding)
                if head not in seen:
                    seen.add(head)
                    queue.append(head)

        for rule in self.rules:
            if not rule.positives:
                fire(rule, None)
        while queue:
            literal = queue.popleft()
            if not literal.positive:
                continue  # no condition asks for an explicit negative
            facts.add(literal)
            for key in ((literal.relation, literal.object), (literal.relation, None)):
                for rule in self.woken.get(key, ()):
                    fire(rule, literal)
        return frozenset(seen)


def _key(condition: Literal) -> tuple[str, str | None]:
    return condition.relation, None if is_variable(condition.object) else condition.object
