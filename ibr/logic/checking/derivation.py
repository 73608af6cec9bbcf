"""What the sentences of a proof graph yield when each rule may use only its cited premises.

A node stands for every use of its sentence, so it may fire with several bindings, each time on
conclusions of nodes that have an edge into it. `derive` computes all of that; `needed` finds the
steps to a conclusion that use no more of the graph than they must. Whether the graph is a proof is
decided in `verifier`.
"""

from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ibr.logic.checking.matching import Facts, SplitRule, Underivable, firings
from ibr.logic.clause import Clause, Literal
from ibr.proof import NAF, Graph

Edge = tuple[int, int]


class Premise(NamedTuple):
    """A condition that holds, and the node that shows it (NAF for a `~` condition)."""

    literal: Literal
    source: int


class DerivedStep(NamedTuple):
    """Sentence `node` was applied to the premises and gave the conclusion."""

    node: int
    conclusion: Literal
    premises: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a derivation may draw on: the rules of every sentence, the entities, closed world."""

    rules: Sequence[tuple[SplitRule, ...]]
    domain: Collection[str]
    underivable: Underivable


@dataclass(slots=True)
class Derivation:
    """Conclusions per node in the order in which they came, and everything that gave them.

    `fired[node, conclusion]` lists the rule instances and `providers[node, condition]` the premise
    nodes that showed the condition to that node, both in order.
    """

    fired: dict[tuple[int, Literal], list[Clause]] = field(default_factory=dict)
    providers: defaultdict[tuple[int, Literal], list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def nodes_for(self, literal: Literal) -> list[int]:
        """The nodes that conclude it."""
        return [node for node, conclusion in self.fired if conclusion == literal]

    def conclusions(self, node: int) -> list[Literal]:
        return [conclusion for at, conclusion in self.fired if at == node]

    def sources(self, node: int, condition: Literal) -> list[int]:
        return self.providers[node, condition] if condition.positive else [NAF]

    def used_edges(self) -> frozenset[Edge]:
        """The edges that serve some firing, needed for a conclusion or not."""
        return frozenset(
            (source, node)
            for (node, _), instances in self.fired.items()
            for instance in instances
            for condition in instance.body
            for source in self.sources(node, condition)
        )

    def steps(self, conclusion: Literal) -> Iterator[DerivedStep]:
        """One derivation of it, premises before what rests on them; each step once.

        First firings with first providers were all there when they were used: no circle.
        """
        done: set[tuple[int, Literal]] = set()
        stack = [(self.nodes_for(conclusion)[0], conclusion)]
        while stack:
            node, literal = stack[-1]
            body = self.fired[node, literal][0].body
            premises = tuple(Premise(c, self.sources(node, c)[0]) for c in body)
            waiting = [(p.source, p.literal) for p in premises if p.source != NAF]
            waiting = [pair for pair in waiting if pair not in done]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            if (node, literal) not in done:
                done.add((node, literal))
                yield DerivedStep(node, literal, premises)

    def is_only_way(self, steps: Sequence[DerivedStep]) -> bool:
        """Does the graph leave no choice anywhere in these steps (the last one concludes)?"""
        return len(self.nodes_for(steps[-1].conclusion)) == 1 and all(
            len(self.fired[step.node, step.conclusion]) == 1
            and all(len(self.sources(step.node, p.literal)) == 1 for p in step.premises)
            for step in steps
        )


def derive(graph: Graph, setting: Setting) -> Derivation:
    """All that the graph yields, by worklist: a conclusion tries only the rules it leads to."""
    derivation = Derivation()
    targets: defaultdict[int, list[int]] = defaultdict(list)
    for premise, target in sorted(graph.edges):
        targets[premise].append(target)
    may_assume = frozenset(targets[NAF])
    given: defaultdict[int, Facts] = defaultdict(Facts)
    queue: deque[tuple[int, Literal]] = deque()

    def fire(node: int, rule: SplitRule, new: Literal | None) -> None:
        if rule.absent and node not in may_assume:
            return
        for binding in firings(rule, given[node], new, setting.domain, setting.underivable):
            instance = rule.clause.bind(binding)
            known = derivation.fired.setdefault((node, instance.head), [])
            if not known:
                queue.append((node, instance.head))
            if instance not in known:
                known.append(instance)

    for node in sorted(graph.nodes - {NAF}):
        for rule in setting.rules[node]:
            if not rule.positives:
                fire(node, rule, None)
    while queue:
        source, literal = queue.popleft()
        for node in targets[source]:
            derivation.providers[node, literal].append(source)
            if literal not in given[node]:
                given[node].add(literal)
                for rule in setting.rules[node]:
                    fire(node, rule, literal)
    return derivation


def needed(
    derivation: Derivation, conclusion: Literal, setting: Setting
) -> tuple[DerivedStep, ...]:
    """Steps to the conclusion in a part of the graph from which nothing can be dropped.

    What no step of one derivation touches goes at once; then, only where the graph has two ways to
    the same thing, one node or else one edge at a time, the last first.
    """
    kept: set[int | Edge] = set()  # without one of these the conclusion does not follow
    while True:
        steps = tuple(derivation.steps(conclusion))
        part = graph_of(steps)
        if derivation.is_only_way(steps) or derive(part, setting).is_only_way(steps):
            return steps
        elements: list[int | Edge] = sorted(part.nodes, reverse=True)
        for element in [*elements, *sorted(part.edges, reverse=True)]:
            if element in kept:
                continue
            derivation = derive(_without(part, element), setting)
            if derivation.nodes_for(conclusion):
                break
            kept.add(element)
        else:
            return steps


def graph_of(steps: Sequence[DerivedStep]) -> Graph:
    """The nodes and edges that the steps use."""
    edges = {(premise.source, step.node) for step in steps for premise in step.premises}
    return Graph(
        frozenset(step.node for step in steps) | {source for source, _ in edges},
        frozenset(edges),
    )


def _without(graph: Graph, element: int | Edge) -> Graph:
    if isinstance(element, int):
        edges = frozenset(edge for edge in graph.edges if element not in edge)
        return Graph(graph.nodes - {element}, edges)
    return Graph(graph.nodes, graph.edges - {element})
