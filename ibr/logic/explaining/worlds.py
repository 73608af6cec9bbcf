"""Many theories evaluated at once: the same ground rules, each world with one more fact.

A world is a bit; the value of a node is the set of worlds in which it holds, as an integer, so one
evaluation serves all worlds. In each world a node holds if it is true in the well-founded model,
computed by its alternating fixpoint (Van Gelder 1989); a world in which that model leaves something
open is not to be relied on. What the nodes stand for is up to the caller.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

Worlds = int  # bit i is set: world i
Values = Mapping[Hashable, Worlds]


class Inference(NamedTuple):
    """`conclusion` holds where all `needs` hold and none of `absent` does."""

    conclusion: Hashable
    needs: tuple[Hashable, ...] = ()
    absent: tuple[Hashable, ...] = ()


def holding(inferences: Iterable[Inference], added: Sequence[Hashable]) -> Values:
    """The worlds in which each node holds. World i has the inferences and `added[i]`."""
    known = tuple(inferences)
    start = {fact: 1 << i for i, fact in enumerate(added)}
    concluded = {inference.conclusion for inference in known}
    possible = _least(known, start, start)
    alternating = any(not concluded.isdisjoint(inference.absent) for inference in known)
    while alternating:
        certain = _least(known, start, possible)
        closer = _least(known, start, certain)
        if closer == possible:
            return certain
        possible = closer
    return possible


def _least(inferences: Sequence[Inference], start: Values, doubted: Values) -> Values:
    """The least fixpoint above `start`, where a node is absent if and only if it is not doubted."""
    every: Worlds = (1 << len(start)) - 1
    values = defaultdict(int, start)
    using: defaultdict[Hashable, list[Inference]] = defaultdict(list)
    for inference in inferences:
        for need in inference.needs:
            using[need].append(inference)
    queue = deque(inferences)
    while queue:
        conclusion, needs, absent = queue.popleft()
        worlds = every
        for need in needs:
            worlds &= values[need]
        for node in absent:
            worlds &= ~doubted.get(node, 0)
        if worlds & ~values[conclusion]:
            values[conclusion] |= worlds
            queue.extend(using[conclusion])
    return values
