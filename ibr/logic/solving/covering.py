"""Is there a proof with exactly these nodes and edges? Decided without listing the proofs.

Only instances that the given nodes and edges allow are looked at, and of each state only how much
of what is given its trees can use, as sets of bits of which the largest are kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ibr.logic.clause import Literal, Sign
from ibr.logic.lazy import lazy
from ibr.logic.solving.chaining import Instance, Instances, sizes
from ibr.logic.solving.proof_forest import Forest, Option, State, Usable, fold
from ibr.proof import NAF, Graph

Edge = tuple[int, int]
Uses = dict[int, list[int]]  # sentence at the root -> largest sets of bits its trees use


@dataclass(frozen=True)
class Target:
    """What a proof must use: all of it, and nothing else. None leaves nodes or edges open."""

    nodes: frozenset[int] | None = None
    edges: frozenset[Edge] | None = None

    @lazy
    def _bits(self) -> dict[int | Edge, int]:
        items: list[int | Edge] = [*(self.nodes or ()), *(self.edges or ())]
        return {item: 1 << place for place, item in enumerate(items)}

    @property
    def all(self) -> int:
        return (1 << len(self._bits)) - 1

    def is_met_by(self, graph: Graph) -> bool:
        return self.nodes in (None, graph.nodes) and self.edges in (None, graph.edges)

    def node(self, node: int) -> int | None:
        """The bit of a node: 0 if nodes are open, None if this one is not allowed."""
        return 0 if self.nodes is None else self._bits.get(node)

    def edge(self, premise: int, rule: int) -> int | None:
        return 0 if self.edges is None else self._bits.get((premise, rule))


def covers(forest: Forest, target: Target) -> bool:
    """Has the forest a tree that uses exactly the target?"""
    uses = fold(forest, lambda options, known: _uses(options, known, target))
    return any(target.all in masks for masks in uses.values())


def covered(instances: Instances, literal: Literal, target: Target) -> bool:
    """Has the literal a proof, no literal repeated on a path, that uses exactly the target?"""
    allowed = _allowed(instances, literal, target)
    return literal in allowed and covers(Usable(allowed, literal), target)


def _allowed(instances: Instances, literal: Literal, target: Target) -> Instances:
    """What can be proved at and below the literal with nodes and edges of the target, and how."""
    allowed: dict[Literal, list[Instance]] = {}
    queue = [literal]
    for found in queue:  # grows as we go
        if found not in allowed:
            allowed[found] = [i for i in instances[found] if _allows(target, i, instances)]
            queue.extend(lit for instance in allowed[found] for lit in instance.premises)
    provable = sizes(allowed).keys()
    return {
        lit: [i for i in ways if provable >= set(i.premises)]
        for lit, ways in allowed.items()
        if lit in provable
    }


def _allows(target: Target, instance: Instance, instances: Instances) -> bool:
    rule = instance.sentence
    if target.node(rule) is None:
        return False
    for condition in instance.body:
        naf = condition.sign is Sign.NAF
        sources = (NAF,) if naf else [other.sentence for other in instances[condition]]
        if all(target.node(s) is None or target.edge(s, rule) is None for s in sources):
            return False
    return True


def _uses(options: Sequence[Option], known: Mapping[State, Uses], target: Target) -> Uses:
    absence = target.node(NAF)
    leaf: Uses = {} if absence is None else {NAF: [absence]}
    uses: Uses = {}
    for rule, premises in options:
        own = target.node(rule)
        masks = [] if own is None else [own]
        for premise in premises:
            added = [
                edge | mask
                for source, found in (known[premise] if premise else leaf).items()
                if (edge := target.edge(source, rule)) is not None
                for mask in found
            ]
            masks = _largest(a | b for a in masks for b in added)
        if masks:
            uses[rule] = _largest([*uses.get(rule, ()), *masks])
    return uses


def _largest(masks: Iterable[int]) -> list[int]:
    """The sets that are in no other. Example: {1}, {1, 2}, {3} gives {1, 2}, {3}."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        if all(mask & other != mask for other in kept):
            kept.append(mask)
    return kept
