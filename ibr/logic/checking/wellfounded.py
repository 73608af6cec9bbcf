"""What a whole theory proves, computed a second way: the well-founded model.

The verifier needs to know that an atom is *not* derivable before it lets a proof rest on that. It
asks here and not the solver. Rules run in layers, so that what is denied is settled. Where a
conclusion may depend on its own denial there are no layers, and Van Gelder's alternating fixpoint
is used: what is proved when all denials count bounds the truth from above, what is proved from
that bound bounds it from below, and the two close in on each other.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ibr.logic.checking.matching import Facts, Rule, Underivable, firings, rules_of
from ibr.logic.clause import Literal, Program, is_variable


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
    rules = [rule for rules in rules_of(program) for rule in rules]
    layers = _layers(rules)
    if layers is not None:
        engine = _Engine(domain)
        for layer in layers:  # what a layer denies is settled in the layers before it
            engine.run(layer, lambda atom: atom not in engine.proved)
        proved = frozenset(engine.proved)
        return Model(proved, proved)
    possible = _least_model(rules, domain, frozenset())
    while True:
        proved = _least_model(rules, domain, possible)
        closer = _least_model(rules, domain, proved)
        if closer == possible:
            return Model(proved, possible)
        possible = closer


def _layers(rules: Sequence[Rule]) -> list[list[Rule]] | None:
    """The rules by how many denials deep they go; None if some conclusion denies itself."""
    lump = {
        c.relation for r in rules for c in (r.clause.head, *r.clause.body) if _key(c)[1] is None
    }
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
    layers: list[list[Rule]] = [[] for _ in range(1 + max(level.values(), default=0))]
    for rule in rules:
        layers[level[node(rule.clause.head)]].append(rule)
    return layers


def _least_model(
    rules: Sequence[Rule], domain: Collection[str], doubted: Collection[Literal]
) -> frozenset[Literal]:
    """What is proved if exactly the doubted atoms may not be denied."""
    engine = _Engine(domain)
    engine.run(rules, lambda atom: atom not in doubted)
    return frozenset(engine.proved)


class _Engine:
    """Forward chaining by worklist: each literal wakes only the conditions it could satisfy."""

    def __init__(self, domain: Collection[str]) -> None:
        self.domain = domain
        self.proved: set[Literal] = set()
        self.facts = Facts()
        self.woken: defaultdict[tuple[str, str | None], list[Rule]] = defaultdict(list)

    def run(self, rules: Iterable[Rule], underivable: Underivable) -> None:
        """Close what is proved under these rules, too."""
        queue: deque[Literal] = deque()

        def fire(rule: Rule, new: Literal | None) -> None:
            for binding in firings(rule, self.facts, new, self.domain, underivable):
                head = rule.clause.head.bind(binding)
                if head not in self.proved:
                    self.proved.add(head)
                    queue.append(head)

        for rule in rules:
            fire(rule, None)
            for key in {_key(condition) for condition in rule.positives}:
                self.woken[key].append(rule)
        while queue:
            literal = queue.popleft()
            if literal.positive:  # no condition asks for an explicit negative
                self.facts.add(literal)
                for key in ((literal.relation, literal.object), (literal.relation, None)):
                    for rule in self.woken.get(key, ()):
                        fire(rule, literal)


def _key(condition: Literal) -> tuple[str, str | None]:
    return condition.relation, None if is_variable(condition.object) else condition.object
