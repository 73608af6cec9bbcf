"""Rows for a layered picture: which vertex stands in which row, and in which order (Sugiyama).

Pure graph work on numbers; no sizes, no text. Edges go from an upper vertex to a lower one. Edges
that would close a circle are turned round, and an edge that spans several rows gets a *bend* in
each row between, a vertex of its own, numbered on from the given ones. Nothing here is random, so
the same graph has the same rows.
"""

import itertools
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from typing import NamedTuple

Edge = tuple[int, int]
_SWEEPS = 12  # proofs settle after three or four
_PATIENCE = 3  # sweeps without an improvement


class Rows(NamedTuple):
    """`chains[i]` is edge i from its upper end to its lower end, bends between."""

    rows: Sequence[Sequence[int]]
    chains: Sequence[tuple[int, ...]]

    @property
    def pairs(self) -> Iterator[Edge]:
        """Neighbours in adjacent rows, the upper one first."""
        for chain in self.chains:
            yield from itertools.pairwise(chain)

    @property
    def row_of(self) -> dict[int, int]:
        return {vertex: number for number, row in enumerate(self.rows) for vertex in row}


def layered(count: int, edges: Sequence[Edge], most: int) -> Rows:
    """Rows for vertices 0 … count - 1, each below everything that rests on it.

    A row with more than `most` vertices passes some of those without anything below to the next
    row. No edge may join a vertex to itself.
    """
    down = _downward(edges)
    level = _levels(count, down)
    _relieve(level, down, most)
    rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for vertex in range(count):
        rows[level[vertex]].append(vertex)
    chains = []
    for upper, lower in down:
        between = range(level[upper] + 1, level[lower])
        bends = range(count, count + len(between))
        for row, bend in zip(between, bends, strict=True):
            rows[row].append(bend)
        count += len(bends)
        chains.append((upper, *bends, lower))
    return _ordered(Rows(rows, chains))


def _adjacent(edges: Iterable[Edge]) -> dict[int, list[int]]:
    """From the first end of the edges to the second ones."""
    second: dict[int, list[int]] = {}
    for one, other in edges:
        second.setdefault(one, []).append(other)
    return second


def _downward(edges: Sequence[Edge]) -> list[Edge]:
    """An edge that would close a circle with those before it is turned round."""
    below: dict[int, list[int]] = {}
    down = []
    for upper, lower in edges:
        if upper in _walk([lower], below):
            upper, lower = lower, upper
        below.setdefault(upper, []).append(lower)
        down.append((upper, lower))
    return down


def _levels(count: int, edges: Sequence[Edge]) -> list[int]:
    """The longest way from the top, so every vertex is just below the lowest that rests on it."""
    above = _adjacent((lower, upper) for upper, lower in edges)
    # Vertex 0 has the first row for itself; what hangs on nothing starts below it.
    level = [min(vertex, 1) for vertex in range(count)]
    for vertex in TopologicalSorter(above).static_order():
        level[vertex] = max([level[vertex], *(level[upper] + 1 for upper in above.get(vertex, ()))])
    return level


def _relieve(level: list[int], edges: Sequence[Edge], most: int) -> None:
    """Pass leaves of full rows down, some from everywhere: the rows stay of about one width."""
    lower = _adjacent(edges)
    place = _walk(range(len(level)), lower)
    row = 1
    while row <= max(level, default=0):
        members = [vertex for vertex, at in enumerate(level) if at == row]
        leaves = sorted((v for v in members if v not in lower), key=place.__getitem__)
        free = max(most - (len(members) - len(leaves)), 1)
        if free < len(leaves):
            stay = {number * len(leaves) // free for number in range(free)}
            for number, leaf in enumerate(leaves):
                level[leaf] += number not in stay
        row += 1


def _walk(vertices: Sequence[int], lower: dict[int, list[int]]) -> dict[int, int]:
    """When a walk downwards, depth first, meets each vertex."""
    place: dict[int, int] = {}
    stack = list(reversed(vertices))
    while stack:
        vertex = stack.pop()
        if vertex not in place:
            place[vertex] = len(place)
            stack.extend(reversed(lower.get(vertex, [])))
    return place


def _ordered(start: Rows) -> Rows:
    """Few crossings: each vertex goes to the mean place of its neighbours, down and up in turn."""
    upper = _adjacent((below, above) for above, below in start.pairs)
    lower = _adjacent(start.pairs)
    # In the order of a walk from the top a tree has no crossing at all.
    place = _walk([vertex for row in start.rows for vertex in row], lower)
    rows = [sorted(row, key=place.__getitem__) for row in start.rows]
    best, fewest, idle = rows, _crossings(rows, lower), 0
    for sweep in range(_SWEEPS):
        if not fewest or idle > _PATIENCE:
            break
        rows = _swept(rows[::-1], lower)[::-1] if sweep % 2 else _swept(rows, upper)
        crossings = _crossings(rows, lower)
        idle += 1
        if crossings < fewest:
            best, fewest, idle = rows, crossings, 0
    return Rows(best, start.chains)


def _swept(rows: list[list[int]], neighbours: dict[int, list[int]]) -> list[list[int]]:
    place: dict[int, int] = {}
    swept = []
    for row in rows:
        target: dict[int, float] = {}
        for at, vertex in enumerate(row):
            near = [place[n] for n in neighbours.get(vertex, [])]
            target[vertex] = sum(near) / len(near) if near else at
        swept.append(sorted(row, key=target.__getitem__))
        place |= {vertex: at for at, vertex in enumerate(swept[-1])}
    return swept


def _crossings(rows: Sequence[Sequence[int]], lower: dict[int, list[int]]) -> int:
    """Pairs of edges between adjacent rows that change sides."""
    total = 0
    for above, below in itertools.pairwise(rows):
        place = {vertex: at for at, vertex in enumerate(below)}
        met: list[int] = []
        for vertex in above:
            places = [place[v] for v in lower.get(vertex, [])]
            total += sum(len(met) - bisect_right(met, at) for at in places)
            for at in places:
                insort(met, at)
    return total
