"""Edges of a proof graph from edge probabilities, nodes given: PROVER's constraints, solved twice.

Maximise Σ p·e + (1 - p)(1 - e) over ordered pairs, where an edge may only join two predicted nodes
and end in a rule, and the predicted nodes must be connected when direction is ignored. Neither
acyclicity nor a single last rule is required, as in the authors' code.

`by_ilp` is the published form: a flow reaches every predicted node along chosen edges. The authors
call CBC through PuLP, with three integer variables a pair; here HiGHS runs in this process, with
one binary and one continuous variable. `by_kruskal` finds an optimum of the same problem: an edge
with p > ½ always pays, and of the rest the cheapest forest that joins what is still apart. If the
nodes cannot be connected (two facts, no rule), both return the allowed edges with p > ½.

Legend: N sentences; node N is NAF; `probability[i, j]` is that of the edge from i into j.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from ibr.proof import NAF, Graph

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Edges = frozenset[tuple[int, int]]


def allowed(nodes: Sequence[int], is_rule: Flags) -> Flags:
    """(N + 1, N + 1): both ends predicted, no loop, the end is a rule; `is_rule` is (N + 1,)."""
    predicted = np.zeros(len(is_rule), dtype=bool)
    predicted[list(nodes)] = True
    mask = predicted[:, None] & (predicted & is_rule)[None, :]
    np.fill_diagonal(mask, False)
    return mask


def by_kruskal(nodes: Sequence[int], probability: Floats, is_rule: Flags) -> Edges:
    mask = allowed(nodes, is_rule)
    leader = {node: node for node in nodes}

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    pairs = np.argwhere(mask)
    order = np.argsort(-probability[mask], kind="stable")
    edges = set()
    for i, j in pairs[order].tolist():
        one, other = find(i), find(j)
        if probability[i, j] > 0.5 or one != other:
            edges.add((i, j))
            leader[one] = other
    if len({find(node) for node in nodes}) > 1:
        return _likely(mask, probability)
    return frozenset(edges)


def by_ilp(nodes: Sequence[int], probability: Floats, is_rule: Flags) -> Edges:
    """All N(N + 1) pairs are variables, as published; what is not allowed is bounded by 0."""
    mask = allowed(nodes, is_rule)
    if len(nodes) < 2:
        return frozenset()
    size = len(is_rule)
    count = size * size  # variables: an edge e_ij and a flow f_ij for each ordered pair
    joined = mask | mask.T
    upper = np.concatenate([mask.ravel(), joined.ravel() * float(len(nodes) - 1)])
    result = milp(
        c=np.concatenate([(1 - 2 * probability).ravel(), np.zeros(count)]),
        integrality=np.concatenate([np.ones(count), np.zeros(count)]),
        bounds=Bounds(np.zeros(2 * count), upper),
        constraints=[_drain(nodes, size), _along_edges(len(nodes), size)],
    )
    if result.x is None:
        return _likely(mask, probability)
    chosen = result.x[:count].reshape(size, size) > 0.5
    return frozenset((i, j) for i, j in np.argwhere(chosen).tolist())


def _drain(nodes: Sequence[int], size: int) -> LinearConstraint:
    """Every predicted node but the first keeps one unit: flow in - flow out = 1."""
    rows, columns, values = [], [], []
    for row, node in enumerate(nodes[1:]):
        for other in range(size):
            rows += [row, row]
            columns += [size * size + other * size + node, size * size + node * size + other]
            values += [1.0, -1.0]
    shape = (len(nodes) - 1, 2 * size * size)
    matrix = coo_array((values, (rows, columns)), shape=shape).tocsr()
    return LinearConstraint(matrix, 1.0, 1.0)


def _along_edges(units: int, size: int) -> LinearConstraint:
    """f_ij ≤ (k - 1)(e_ij + e_ji): flow only along chosen edges, in either direction."""
    pair = np.arange(size * size)
    back = pair.reshape(size, size).T.ravel()
    matrix = coo_array(
        (
            np.concatenate([np.ones(len(pair)), np.full(2 * len(pair), 1.0 - units)]),
            (np.tile(pair, 3), np.concatenate([size * size + pair, pair, back])),
        ),
        shape=(len(pair), 2 * len(pair)),
    ).tocsr()
    return LinearConstraint(matrix, -np.inf, 0.0)


def _likely(mask: Flags, probability: Floats) -> Edges:
    return frozenset((i, j) for i, j in np.argwhere(mask & (probability > 0.5)).tolist())


def graph_of_scores(
    node: Floats, edge: Floats, is_rule: Flags, connect: Callable[..., Edges] = by_kruskal
) -> Graph:
    """Nodes with p > ½, then their edges; node (N + 1,), edge (N + 1, N + 1), is_rule (N,)."""
    naf = len(is_rule)
    nodes = np.flatnonzero(node > 0.5).tolist()
    edges = connect(nodes, edge, np.append(is_rule, False))

    def named(place: int) -> int:
        return NAF if place == naf else place

    return Graph.of(map(named, nodes), ((named(i), named(j)) for i, j in edges))


CONNECT: Final[dict[str, Callable[[Sequence[int], Floats, Flags], Edges]]] = {
    "ilp": by_ilp,
    "kruskal": by_kruskal,
}
