"""PROVER's edges: their links; the integer program and the spanning forest agree on the optimum."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
import pytest
import torch
from tiny import examples

from ibr.baselines.algorithms.connect import CONNECT, allowed, by_ilp, by_kruskal, graph_of_scores
from ibr.baselines.graph_heads import links_of_nodes
from ibr.model.encoders.encoding import Linked
from ibr.proof import Graph
from ibr.theory import Kind


def drawn(seed: int, size: int) -> tuple[list[int], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    probability = rng.uniform(size=(size, size)) ** 2  # mostly below one half
    is_rule = rng.uniform(size=size) < 0.5
    is_rule[-1] = False  # NAF
    nodes = np.flatnonzero(rng.uniform(size=size) < 0.5).tolist()
    return nodes, probability, is_rule


def objective(edges: frozenset[tuple[int, int]], probability: np.ndarray) -> float:
    """Σ p over the edges + Σ (1 - p) over all other pairs."""
    gain = 2 * probability - 1
    return float((1 - probability).sum() + sum(gain[edge] for edge in edges))


@pytest.mark.parametrize("seed", range(30))
def test_both_forms_reach_the_same_optimum(seed: int) -> None:
    nodes, probability, is_rule = drawn(seed, 4 + seed % 16)
    found = [solve(nodes, probability, is_rule) for solve in (by_ilp, by_kruskal)]
    assert objective(found[0], probability) == pytest.approx(objective(found[1], probability))
    assert all(allowed(nodes, is_rule)[edge] for edges in found for edge in edges)


@pytest.mark.parametrize("seed", range(30))
def test_the_optimum_is_that_of_exhaustive_search(seed: int) -> None:
    nodes, probability, is_rule = drawn(seed, 5)
    mask = allowed(nodes, is_rule)
    pairs = [(i, j) for i, j in np.argwhere(mask).tolist()]
    subsets = chain.from_iterable(combinations(pairs, k) for k in range(len(pairs) + 1))
    values = [objective(frozenset(s), probability) for s in subsets if connects(nodes, s)]
    if values:
        best = objective(by_kruskal(nodes, probability, is_rule), probability)
        assert best == pytest.approx(max(values))


def connects(nodes: list[int], edges: tuple[tuple[int, int], ...]) -> bool:
    reached = set(nodes[:1])
    for _ in nodes:
        reached |= {end for edge in edges if reached & set(edge) for end in edge}
    return reached >= set(nodes)


@pytest.mark.parametrize("method", CONNECT)
def test_what_cannot_be_connected_keeps_its_likely_edges(method: str) -> None:
    none, one = np.zeros((3, 3)), np.ones((3, 3))
    no_rule = np.array([False, False, False])
    assert CONNECT[method]([0, 1], one, no_rule) == frozenset()
    assert CONNECT[method]([], one, no_rule) == frozenset()
    assert CONNECT[method]([0], one, no_rule) == frozenset()
    a_rule = np.array([False, True, False])
    assert CONNECT[method]([0, 1], none, a_rule) == {(0, 1)}
    assert CONNECT[method]([0, 1, 2], one, a_rule) == {(0, 1), (2, 1)}


@pytest.mark.parametrize("method", CONNECT)
def test_gold_scores_give_gold_graphs(method: str) -> None:
    """PROVER and PROBR choose nodes and edges by this function: perfect heads have PA 100."""
    for example in examples(depth=3, theories=3):
        assert example.proofs
        gold = example.proofs[0].graph
        size = len(example.theory)
        node, edge = np.zeros(size + 1), np.zeros((size + 1, size + 1))
        node[[place % (size + 1) for place in gold.nodes]] = 1.0  # NAF is -1, and the last place
        for premise, rule in gold.edges:
            edge[premise, rule] = 1.0
        is_rule = np.array([sentence.kind is Kind.RULE for sentence in example.theory])
        assert graph_of_scores(node, edge, is_rule, CONNECT[method]) == gold
    assert graph_of_scores(np.zeros(3), np.ones((3, 3)), np.array([True, True])) == Graph()


def test_links_of_nodes_are_those_of_their_readings_by_weight() -> None:
    torch.manual_seed(0)
    b, m, n, e = 3, 2, 4, 3
    below, beside = torch.randn(m, n * e, n * e), torch.randn(m, n * e, n * e)
    asked, weight = torch.randn(b, n * e), torch.rand(b, n, e)
    owner = torch.tensor([0, 1, 1])
    found = links_of_nodes(Linked(below, beside, asked), weight, owner)
    expected = torch.zeros(b, n + 2, n + 2, 3)
    for q, i, j in product(range(b), range(n), range(n)):
        for s, t in product(range(e), range(e)):
            share, at = weight[q, i, s] * weight[q, j, t], (owner[q], i * e + s, j * e + t)
            expected[q, i + 1, j + 1, 0] += share * below[at]
            expected[q, j + 1, i + 1, 1] += share * below[at]
            expected[q, i + 1, j + 1, 2] += share * beside[at]
    for q, j, t in product(range(b), range(n), range(e)):
        link = weight[q, j, t] * asked[q, j * e + t]
        expected[q, 0, j + 1, 0] += link
        expected[q, j + 1, 0, 1] += link
    torch.testing.assert_close(found, expected)
