"""How a model grew a proof, for `--trace`: at each step the likeliest parents and children.

A sentence may have several readings while a proof grows; they are told as one, their
probabilities added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ibr.drawing.text import plain
from ibr.proof import END, NAF, Path, Step
from ibr.search import Found
from ibr.theory import Theory
from ibr.trace import by_node

_LEAST: Final = 0.0005  # less would be told as 0.0 %


class Weighed(NamedTuple):
    """A step and what it could choose from, likeliest first; what was chosen is always there."""

    step: Step
    parents: tuple[tuple[int, float], ...]  # positions on the path
    children: tuple[tuple[int, float], ...]  # nodes, NAF or END


def weighed(found: Found, sentence: Sequence[int], most: int = 3) -> list[Weighed]:
    """`sentence[i]` is the sentence of reading i, as the columns of the trace count them."""
    steps = []
    for step, trace in zip(found.path.steps, found.trace, strict=True):
        parents = _top(dict(enumerate(trace.parents.tolist())), step.parent, most)
        children = _top(by_node(trace, sentence), step.child, most)
        steps.append(Weighed(step, parents, children))
    return steps


def _top(weights: Mapping[int, float], chosen: int, most: int) -> tuple[tuple[int, float], ...]:
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0] < 0, item[0]))
    return tuple(
        (name, weight)
        for rank, (name, weight) in enumerate(ranked)
        if name == chosen or (rank < most and weight >= _LEAST)
    )


def trace_lines(
    theory: Theory, found: Found, sentence: Sequence[int], most: int = 3
) -> Iterator[str]:
    """Three lines a step: what was hung where, and what else was weighed."""
    places = _places(found.path)
    for number, (step, parents, children) in enumerate(weighed(found, sentence, most), start=1):
        if step.child == END:
            yield f"Step {number}: the proof is complete"
        else:
            yield f"Step {number}, under {places[step.parent]}: {_told(theory, step.child)}"
        yield f"  parents:  {_shares((places[place], p) for place, p in parents)}"
        yield f"  children: {_shares((_cited(node), p) for node, p in children)}"


def _places(path: Path) -> list[str]:
    """What stands at each position; the step is named where a sentence stands at several."""
    nodes = path.nodes
    return [
        "the question"
        if node is None
        else f"{_cited(node)} of step {place}"
        if nodes.count(node) > 1
        else _cited(node)
        for place, node in enumerate(nodes)
    ]


def _told(theory: Theory, node: int) -> str:
    return _cited(node) if node == NAF else f"{_cited(node)} {plain(theory[node].text)}"


def _cited(node: int) -> str:
    return {NAF: "NAF", END: "END"}.get(node, f"[{node + 1}]")


def _shares(weights: Iterator[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {100 * weight:.1f} %" for name, weight in weights)
