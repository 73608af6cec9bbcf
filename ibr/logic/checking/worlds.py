"""Many theories evaluated at once: the same ground rules, each world with one more fact.

A world is a bit; the value of a node is the set of worlds in which it holds, as an integer. One
pass over these sets does what evaluating every world on its own would do. Nodes that depend on each
other are settled together, after all that they rest on. The meaning in each world is the
well-founded model if that leaves nothing open; a world where it does is not to be relied on. What
the nodes stand for is the caller's business.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ibr.logic.solving.stratify import components

Worlds = int  # bit i is set: world i
Values = Mapping[Hashable, Worlds]


class Inference(NamedTuple):
    """`conclusion` holds where all `needs` hold and none of `absent` does."""

    conclusion: Hashable
    needs: tuple[Hashable, ...] = ()
    absent: tuple[Hashable, ...] = ()


def holding(inferences: Iterable[Inference], added: Sequence[Hashable]) -> Values:
    """The worlds in which each node holds. World i has the inferences and `added[i]`."""
    every: Worlds = (1 << len(added)) - 1
    values: dict[Hashable, Worlds] = {fact: 1 << i for i, fact in enumerate(added)}
    concluding: defaultdict[Hashable, list[Inference]] = defaultdict(list)
    for inference in inferences:
        concluding[inference.conclusion].append(inference)

    def below(node: Hashable) -> list[Hashable]:
        return [n for _, needs, absent in concluding.get(node, ()) for n in (*needs, *absent)]

    for members in components([*concluding], below):
        knot = _Knot([i for m in members for i in concluding.get(m, ())], values, every)
        values.update(knot.settle())
    return values


class _Knot:
    """Inferences to nodes that depend on each other; all else that they rest on is settled."""

    def __init__(self, inferences: Sequence[Inference], settled: Values, every: Worlds) -> None:
        self.inferences, self.settled, self.every = inferences, settled, every
        self.start = {i.conclusion: settled.get(i.conclusion, 0) for i in inferences}
        self.served: defaultdict[Hashable, list[Inference]] = defaultdict(list)
        self.denies_itself = False
        for inference in inferences:
            for need in self.start.keys() & inference.needs:
                self.served[need].append(inference)
            self.denies_itself |= bool(self.start.keys() & inference.absent)

    def settle(self) -> Values:
        """What follows; through denials of its own by bounds that close in on each other."""
        possible = self._least(dict.fromkeys(self.start, 0))
        while self.denies_itself:
            certain = self._least(possible)
            closer = self._least(certain)
            if closer == possible:
                return certain
            possible = closer
        return possible

    def _least(self, doubted: Values) -> Values:
        """What follows if a denial holds, of these nodes, exactly where they are not doubted."""
        values = dict(self.start)
        queue = deque(self.inferences)
        while queue:
            inference = queue.popleft()
            node, worlds = inference.conclusion, self.every
            for need in inference.needs:
                worlds &= values[need] if need in values else self.settled.get(need, 0)
            for denied in inference.absent:
                worlds &= ~(doubted[denied] if denied in doubted else self.settled.get(denied, 0))
            if worlds | values[node] != values[node]:
                values[node] |= worlds
                queue.extend(self.served[node])
        return values
