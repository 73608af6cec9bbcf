"""What a whole theory proves, computed a second way: the well-founded model.

A proof may rest on an atom that is *not* derivable; the verifier looks that up here, not in the
solver. Rules run in layers, so that what a layer negates is complete before it runs. Where a
conclusion may depend on its own negation there are no layers: the model is then the alternating
fixpoint of the well-founded semantics (Van Gelder 1989), an upper and a lower bound in turn.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from ibr.logic.checking.matching import Facts, SplitRule, Underivable, firings, open_key, rules_of
from ibr.logic.clause import Literal, Program, is_variable

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
    layers = _layers(rules)
    if layers is not None:
        engine = _Engine(domain)
        for layer in layers:
            engine.run(layer, lambda atom: atom not in engine.proved)
        proved = frozenset(engine.proved)
        return WellFoundedModel(proved, proved)
    least = partial(least_model, rules, domain)
    return WellFoundedModel(*alternating_fixpoint(least, least(frozenset())))


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


def _layers(rules: Sequence[SplitRule]) -> list[list[SplitRule]] | None:
    """The rules by the number of negations below them; None if there is a cycle of negations."""
    literals = [c for rule in rules for c in (rule.clause.head, *rule.clause.body)]
    lump = {literal.relation for literal in literals if is_variable(literal.object)}
    level: defaultdict[tuple[str, str | None, bool], int] = defaultdict(int)

    def node(literal: Literal) -> tuple[str, str | None, bool]:
        relation = literal.relation
        return relation, None if relation in lump else literal.object, literal.positive

    heads = {node(rule.clause.head) for rule in rules}
    moved = True
    while moved:
        moved = False
        for rule in rules:
            needs = [level[node(c)] for c in rule.positives]
            needs += [level[node(atom)] + 1 for atom in rule.absent]
            head, need = node(rule.clause.head), max(needs, default=0)
            if need > level[head]:
                if need > len(heads):
                    return None
                level[head], moved = need, True
    layers: list[list[SplitRule]] = [[] for _ in range(1 + max(level.values(), default=0))]
    for rule in rules:
        layers[level[node(rule.clause.head)]].append(rule)
    return layers


def least_model(
    rules: Sequence[SplitRule], domain: Collection[str], doubted: Collection[Literal]
) -> frozenset[Literal]:
    """What is proved if every atom but the doubted ones may be taken as false."""
    engine = _Engine(domain)
    engine.run(rules, lambda atom: atom not in doubted)
    return frozenset(engine.proved)


class _Engine:
    """Forward chaining by worklist: a new literal tries only the rules with such a condition."""

    def __init__(self, domain: Collection[str]) -> None:
        self.domain = domain
        self.proved: set[Literal] = set()
        self.facts = Facts()
        self.triggered: defaultdict[tuple[str, str | None], list[SplitRule]] = defaultdict(list)

    def run(self, rules: Iterable[SplitRule], underivable: Underivable) -> None:
        """Close what is proved under these rules as well."""
        queue: deque[Literal] = deque()

        def fire(rule: SplitRule, new: Literal | None) -> None:
            for binding in firings(rule, self.facts, new, self.domain, underivable):
                head = rule.clause.head.bind(binding)
                if head not in self.proved:
                    self.proved.add(head)
                    queue.append(head)

        for rule in rules:
            fire(rule, None)
            for key in {open_key(condition) for condition in rule.positives}:
                self.triggered[key].append(rule)
        while queue:
            literal = queue.popleft()
            if literal.positive:  # no condition is an explicit negative
                self.facts.add(literal)
                for key in ((literal.relation, literal.object), (literal.relation, None)):
                    for rule in self.triggered.get(key, ()):
                        fire(rule, literal)
