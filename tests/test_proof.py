"""Nouns of proofs: building is validating, and Proof ⇄ Path is a round trip."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.prediction import Prediction
from ibr.proof import (
    END,
    NAF,
    Graph,
    Path,
    Proof,
    ProofError,
    Step,
    Tree,
    node_from_json,
    node_to_json,
)
from ibr.theory import Strategy

FACTS, RULES = range(10), range(10, 20)


def trees() -> st.SearchStrategy[Tree]:
    leaves = st.sampled_from([*FACTS, NAF]).map(Tree)
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            Tree, st.sampled_from(RULES), st.lists(inner, min_size=1, max_size=3).map(tuple)
        ),
        max_leaves=12,
    ).filter(lambda tree: tree.node != NAF)


def proofs() -> st.SearchStrategy[Proof]:
    chains = st.lists(st.sampled_from(RULES), unique=True, max_size=5)
    return trees().map(Proof.of) | chains.map(Proof.failure)


def unordered(tree: Tree | None) -> object:
    """The tree with premises sorted: what remains when gold order is shuffled."""
    if tree is None:
        return None
    return (tree.node, sorted(map(unordered, tree.premises), key=repr))


@given(proofs(), st.randoms(use_true_random=False))
def test_path_and_proof_are_inverse(proof: Proof, rng: random.Random) -> None:
    path = proof.to_path(rng)
    back = path.to_proof()
    assert path.steps[-1].child == END
    assert back.strategy == proof.strategy
    assert unordered(back.root) == unordered(proof.root)
    assert back.graph == proof.graph


@given(trees(), st.randoms(use_true_random=False))
def test_gold_order_is_breadth_first_and_by_kind(tree: Tree, rng: random.Random) -> None:
    steps = Proof.of(tree).to_path(rng).steps
    parents = [step.parent for step in steps]
    assert parents == sorted(parents)  # breadth-first: a parent is exhausted before the next
    assert steps[-1] == Step(len(steps) - 1, END)
    for parent in set(parents[:-1]):
        kinds = [
            0 if s.child == NAF else 1 if s.child in FACTS else 2
            for s in steps[:-1]
            if s.parent == parent
        ]
        assert kinds == sorted(kinds)


@given(proofs(), st.randoms(use_true_random=False))
def test_gold_paths_are_in_level_order(proof: Proof, rng: random.Random) -> None:
    level = [0]
    for step in proof.to_path(rng).steps[:-1]:
        level.append(level[step.parent] + 1)
    assert level == sorted(level)


def test_shuffling_reaches_every_order_within_a_kind() -> None:
    proof = Proof.of(Tree(10, (Tree(1), Tree(2), Tree(3), Tree(NAF))))
    orders = {
        tuple(s.child for s in proof.to_path(random.Random(seed)).steps) for seed in range(100)
    }
    assert len(orders) == 6
    assert all(order[:2] == (10, NAF) for order in orders)


def test_graph_of_a_proof_merges_occurrences() -> None:
    twice = Tree(10, (Tree(11, (Tree(1),)), Tree(12, (Tree(1), Tree(NAF))), Tree(NAF)))
    assert Proof.of(twice).graph == Graph.of(
        [10, 11, 12, 1, NAF], [(11, 10), (12, 10), (NAF, 10), (1, 11), (1, 12), (NAF, 12)]
    )
    assert Proof.of(twice).size == 7
    assert twice.depth == 2


def test_failure_chain() -> None:
    chain = Proof.failure([12, 11])
    assert chain.graph == Graph.of([12, 11], [(11, 12)])
    assert Proof.failure().graph == Graph()
    assert Proof.failure().to_path(random.Random(0)).steps == (Step(0, END),)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Graph.of([1], [(2, 1)]), "2 is not a node"),
        (lambda: Graph.of([1, NAF], [(1, NAF)]), "nothing leads to NAF"),
        (lambda: Graph.of([-3]), "-3 is not a node"),
        (lambda: Graph.of([1, 2], [(1, 2, 3)]), "pair"),
        (lambda: Tree(NAF, (Tree(1),)), "NAF rests on nothing"),
        (lambda: Proof(Strategy.PROOF), "must have a root"),
        (
            lambda: Proof(Strategy.FAIL_PROOF, Tree(3, (Tree(1), Tree(2)))),
            "no NAF, no branches",
        ),
        (lambda: Path(Strategy.PROOF, (Step(1, 3),)), "step 1: position 1 is not on the path"),
        (lambda: Path(Strategy.PROOF, (Step(0, END), Step(0, 3))), "END must be the last"),
        (lambda: Path(Strategy.PROOF, (Step(0, 3), Step(0, 4))), "one child only"),
        (
            lambda: Path(Strategy.PROOF, (Step(0, 3), Step(1, NAF), Step(2, 4))),
            "NAF cannot be a parent",
        ),
    ],
)
def test_what_cannot_exist_cannot_be_built(build: object, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        build()  # type: ignore[operator]


def test_prediction_line() -> None:
    graph = Graph.of([3, 1, NAF], [(NAF, 3), (1, 3)])
    line = Prediction("q1", True, "solver", Strategy.PROOF, graph, 1, unreadable=(5,)).to_json()
    assert line == {
        "id": "q1",
        "answer": True,
        "strategy": "proof",
        "nodes": [1, 3, "NAF"],
        "edges": [[1, 3], ["NAF", 3]],
        "depth": 1,
        "unreadable": [5],
        "reasoner": "solver",
        "source": None,
        "checked": None,
        "confidence": None,
    }


@given(st.integers(min_value=NAF, max_value=300))
def test_nodes_survive_json(node: int) -> None:
    assert node_from_json(node_to_json(node)) == node


@pytest.mark.parametrize("value", [True, -1, "naf", 1.5, None])
def test_bad_nodes_are_refused(value: object) -> None:
    with pytest.raises(ProofError, match="is not a node"):
        node_from_json(value)
