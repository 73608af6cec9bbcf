"""Rows for a layered picture: which vertex stands in which row, and in which order (Sugiyama).

Pure graph work on numbers; no sizes, no text. Edges go from an upper vertex to a lower one. Edges
that would close a circle are turned round, and an edge that spans several rows gets a *bend* in
each row between, a vertex of its own, numbered on from the given ones. Nothing here is random, so
the same graph has the same rows.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Edge = tuple[int, int]
_SWEEPS = 12  # proofs settle after three or four
_PATIENCE = 3  # sweeps without an improvement


@dataclass(frozen=True, slots=True)
class Rows:
    """`chains[i]` is edge i from its upper end to its lower end, bends between."""

    rows: tuple[tuple[int, ...], ...]
    chains: tuple[tuple[int, ...], ...]

    @property
    def pairs(self) -> Iterator[Edge]:
        """Neighbours in adjacent rows, the upper one first."""
        for chain in self.chains:
            yield from itertools.pairwise(chain)


def layered(count: int, edges: Sequence[Edge], most: int) -> Rows:
    """Rows for vertices 0 … count - 1, each below everything that rests on it.

    A row with more than `most` vertices passes some of those without anything below to the next
    row. No edge may join a vertex to itself.
    """
    down = _downward(count, edges)
    level = _levels(count, down)
    _relieve(level, down, most)
    rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for vertex in range(count):
        rows[level[vertex]].append(vertex)
    chains = []
    for upper, lower in down:
        bends = []
        for row in range(level[upper] + 1, level[lower]):
            bends.append(count)
            rows[row].append(count)
            count += 1
        chains.append((upper, *bends, lower))
    unordered = Rows(tuple(map(tuple, rows)), tuple(chains))
    return _ordered(unordered)


def _downward(count: int, edges: Sequence[Edge]) -> list[Edge]:
    """Depth first from vertex 0; an edge back to the path that led here is turned round."""
    below: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in edges:
        below[upper].append(lower)
    finished_at = [0] * count
    seen: set[int] = set()
    clock = 0
    for start in range(count):
        stack = [(start, iter(below[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            vertex, rest = stack[-1]
            following = next((lower for lower in rest if lower not in seen), None)
            if following is None:
                clock += 1
                finished_at[vertex] = clock
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(below[following])))
    # Exactly the edges that close a circle lead to a vertex that is finished later.
    return [(u, v) if finished_at[u] > finished_at[v] else (v, u) for u, v in edges]


def _levels(count: int, edges: Sequence[Edge]) -> list[int]:
    """The longest way from the top, so every vertex is just below the lowest that rests on it."""
    below: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for upper, lower in edges:
        below[upper].append(lower)
        waiting[lower] += 1
    # Vertex 0 has the first row for itself; what hangs on nothing starts below it.
    level = [min(vertex, 1) for vertex in range(count)]
    ready = [vertex for vertex in range(count) if not waiting[vertex]]
    while ready:
        vertex = ready.pop()
        for lower in below[vertex]:
            level[lower] = max(level[lower], level[vertex] + 1)
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    return level


def _relieve(level: list[int], edges: Sequence[Edge], most: int) -> None:
    """Pass leaves of full rows down, some from everywhere: the rows stay of about one width."""
    lower: dict[int, list[int]] = {}
    for above, below in edges:
        lower.setdefault(above, []).append(below)
    place = _walk(range(len(level)), lower)
    row = 1
    while row <= max(level, default=0):
        members = [vertex for vertex, at in enumerate(level) if at == row]
        leaves = sorted((v for v in members if v not in lower), key=place.__getitem__)
        room = max(most - (len(members) - len(leaves)), 1)
        if room < len(leaves):
            stay = {number * len(leaves) // room for number in range(room)}
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
    upper: dict[int, list[int]] = {}
    lower: dict[int, list[int]] = {}
    for above, below in start.pairs:
        upper.setdefault(below, []).append(above)
        lower.setdefault(above, []).append(below)
    # In the order of a walk from the top a tree has no crossing at all.
    place = _walk([vertex for row in start.rows for vertex in row], lower)
    rows = [sorted(row, key=place.__getitem__) for row in start.rows]
    best, fewest, idle = rows, _crossings(rows, lower), 0
    for sweep in range(_SWEEPS):
        if not fewest or idle > _PATIENCE:
            break
        rows = _swept(rows, lower if sweep % 2 else upper, bool(sweep % 2))
        crossings = _crossings(rows, lower)
        idle += 1
        if crossings < fewest:
            best, fewest, idle = rows, crossings, 0
    return Rows(tuple(map(tuple, best)), start.chains)


def _swept(
    rows: Sequence[Sequence[int]], neighbours: dict[int, list[int]], upwards: bool
) -> list[list[int]]:
    place: dict[int, float] = {}
    swept: list[list[int]] = []
    for row in reversed(rows) if upwards else rows:
        wish = {
            vertex: _mean([place[n] for n in neighbours.get(vertex, [])], at)
            for at, vertex in enumerate(row)
        }
        swept.append(sorted(row, key=wish.__getitem__))
        place |= {vertex: at for at, vertex in enumerate(swept[-1])}
    return swept[::-1] if upwards else swept


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


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
