"""What a whole theory proves, computed a second way: the well-founded model.

A proof may rest on an atom that is *not* derivable; the verifier looks that up here, not in the
solver. The model is the alternating fixpoint of the well-founded semantics (Van Gelder 1989): an
upper and a lower bound in turn. They meet unless a conclusion depends on its own negation.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from ibr.logic.checking.matching import Facts, SplitRule, firings, open_key, rules_of
from ibr.logic.clause import Literal, Program

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WellFoundedModel:
    """`proved` is true; what is `possible` but not proved depends on a cycle of negations."""

    proved: frozenset[Literal]
    possible: frozenset[Literal]

    def underivable(self, atom: Literal) -> bool:
        return atom not in self.possible


@lru_cache(maxsize=64)
def well_founded(
    program: Program, extra_entities: frozenset[str] = frozenset()
) -> WellFoundedModel:
    """The model over the entities of the program and the extra ones (those of a question)."""
    domain = program.entities | extra_entities
    rules = [rule for rules in rules_of(program) for rule in rules]
    least = partial(least_model, rules, domain)
    possible = least(frozenset())
    if not any(rule.absent for rule in rules):
        return WellFoundedModel(possible, possible)
    return WellFoundedModel(*alternating_fixpoint(least, possible))


def alternating_fixpoint(least: Callable[[T], T], possible: T) -> tuple[T, T]:
    """The certain and the possible, from a first upper bound.

    `least(doubted)` is what follows if everything but the doubted may be taken as absent.
    """
    while True:
        certain = least(possible)
        closer = least(certain)
        if closer == possible:
            return certain, possible
        possible = closer


def least_model(
    rules: Iterable[SplitRule], domain: Collection[str], doubted: Collection[Literal]
) -> frozenset[Literal]:
    """What is proved if every atom but the doubted ones may be taken as false.

    Forward chaining by worklist: a new literal tries only the rules with such a condition.
    """
    proved: set[Literal] = set()
    facts, queue = Facts(), deque[Literal]()
    triggered = defaultdict[tuple[str, str | None], list[SplitRule]](list)

    def fire(rule: SplitRule, new: Literal | None) -> None:
        for binding in firings(rule, facts, new, domain, lambda atom: atom not in doubted):
            head = rule.clause.head.bind(binding)
            if head not in proved:
                proved.add(head)
                queue.append(head)

    for rule in rules:
        fire(rule, None)
        for key in {open_key(condition) for condition in rule.positives}:
            triggered[key].append(rule)
    while queue:
        literal = queue.popleft()
        facts.add(literal)
        for key in ((literal.relation, literal.object), (literal.relation, None)):
            for rule in triggered.get(key, ()):
                fire(rule, literal)
    return frozenset(proved)
