"""What a proof graph can do without: its redundant nodes and edges.

Leaving out one node or edge is a world (`worlds`), so one pass tells for each of them whether the
conclusion would survive. Whether the graph is a proof at all is `verifier`'s to judge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ibr.logic.checking.derivation import Derivation, Edge, Setting, Step, derive
from ibr.logic.checking.worlds import Inference, holding
from ibr.logic.clause import Literal
from ibr.proof import NAF, Graph


def needed(derivation: Derivation, conclusion: Literal, setting: Setting) -> Graph:
    """A part of the graph that still derives the conclusion and from which nothing can be dropped.

    What no step of one derivation touches goes at once; then, only where the graph has two ways to
    the same thing, one node or edge at a time, the last first.
    """
    while True:
        steps = tuple(derivation.steps(conclusion))
        part = _graph(steps)
        if derivation.is_only_way(steps):
            return part
        derivation = derive(part, setting)
        spare = _spare(part, derivation, conclusion)
        if spare is None:
            return part
        derivation = derive(_without(part, spare), setting)


def _graph(steps: Sequence[Step]) -> Graph:
    edges = {(premise.source, step.node) for step in steps for premise in step.premises}
    return Graph(
        frozenset(step.node for step in steps) | {source for source, _ in edges},
        frozenset(edges),
    )


def _spare(graph: Graph, derivation: Derivation, conclusion: Literal) -> int | Edge | None:
    """A node, or else an edge, without which the conclusion still follows."""
    elements: list[int | Edge] = [*sorted(graph.nodes), *sorted(graph.edges)]
    shown = [Inference("shown", ((n, conclusion),)) for n in derivation.nodes_for(conclusion)]
    worlds = holding([*shown, *_inferences(derivation)], elements).get("shown", 0)
    spare = [element for i, element in enumerate(elements) if worlds >> i & 1]
    nodes = [element for element in spare if isinstance(element, int)]
    return nodes[-1] if nodes else spare[-1] if spare else None


def _inferences(derivation: Derivation) -> Iterator[Inference]:
    """(node, conclusion) and ("given", node, condition), each denied by the loss of an element."""
    for (node, conclusion), instances in derivation.fired.items():
        for instance in instances:
            needs: list[Hashable] = []
            lost: list[Hashable] = [node]
            for condition in instance.body:
                if condition.positive:
                    needs.append(("given", node, condition))
                else:
                    lost += [NAF, (NAF, node)]
            yield Inference((node, conclusion), tuple(needs), tuple(lost))
    for (node, condition), sources in derivation.providers.items():
        for source in sources:
            given = "given", node, condition
            yield Inference(given, ((source, condition),), ((source, node),))


def _without(graph: Graph, element: int | Edge) -> Graph:
    if isinstance(element, int):
        edges = frozenset(edge for edge in graph.edges if element not in edge)
        return Graph(graph.nodes - {element}, edges)
    return Graph(graph.nodes, graph.edges - {element})
