"""What a search weighed, as JSON: for each step the probabilities of parents and children."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ibr.decoding.search import ScoredPath, StepTrace
from ibr.proof import END, NAF, Step, edges_to_json, node_to_json, nodes_to_json

_SHOWN: Final = 5  # of each, the likeliest
_LEAST: Final = 1e-4


def trace_to_json(found: ScoredPath, sentence: Sequence[int]) -> dict[str, Any]:
    """`sentence` is the sentence of each reading: those of one sentence are added up.

    A parent is a position on the path: 0 is the question, k the child of step k - 1.
    """
    graph = found.graph
    return {
        "score": round(found.score, 6),
        "nodes": nodes_to_json(graph.nodes),
        "edges": edges_to_json(graph.edges),
        "steps": [
            step_to_json(step, trace, sentence)
            for step, trace in zip(found.path.steps, found.trace, strict=True)
        ],
    }


def step_to_json(step: Step, trace: StepTrace, sentence: Sequence[int]) -> dict[str, Any]:
    children = {_name(node): p for node, p in by_node(trace, sentence).items()}
    return {
        "parent": step.parent,
        "child": _name(step.child),
        "parents": _likeliest(dict(enumerate(trace.parents.tolist()))),
        "children": _likeliest(children),
    }


def by_node(trace: StepTrace, sentence: Sequence[int]) -> dict[int, float]:
    """The probability of each sentence (all its readings), of NAF and of END as the child."""
    summed: dict[int, float] = {}
    for node, probability in zip((*sentence, NAF, END), trace.children.tolist(), strict=True):
        summed[node] = summed.get(node, 0.0) + probability
    return summed


def _name(node: int) -> int | str:
    return "END" if node == END else node_to_json(node)


def _likeliest(weights: dict[Any, float]) -> list[list[Any]]:
    ranked = sorted(weights.items(), key=lambda item: -item[1])[:_SHOWN]
    return [[name, round(weight, 4)] for name, weight in ranked if weight >= _LEAST]
