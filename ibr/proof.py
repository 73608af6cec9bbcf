"""Proofs and backward paths; what a system predicts for a question is `ibr.prediction`.

Three views of one proof. A `Proof` is the tree of sentence *occurrences* under the conclusion; its
`Graph` forgets occurrences (what files and metrics compare); its `Path` is the paper's backward
order, one `Step` per iteration. A *node* is a sentence index, NAF or (in steps only) END; a
*position* is a place on a Path: 0 is the question, k the child of step k - 1.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ibr.errors import InputError
from ibr.theory import Strategy

NAF: Final = -1  # "not provable, so taken as false": the one node that is no sentence
END: Final = -2  # the child that stops a path
ROOT: Final = 0  # the question's position on every path


class ProofError(InputError):
    """A proof, path or graph that cannot exist; the message says which part and why."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes and (premise, rule) edges, as sets: the form that is scored and checked.

    Example: {0, 4} with {(0, 4)} says that sentence 4 was applied to sentence 0.
    """

    nodes: frozenset[int] = frozenset()
    edges: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        for node in self.nodes:
            if node < NAF:
                raise ProofError(f"{node} is not a node: use a sentence index or NAF")
        for premise, rule in self.edges:
            missing = {premise, rule} - self.nodes
            if missing:
                raise ProofError(f"edge {premise} -> {rule}: {min(missing)} is not a node")
            if rule == NAF:
                raise ProofError(f"edge {premise} -> NAF: nothing leads to NAF")

    @classmethod
    def of(cls, nodes: Iterable[int], edges: Iterable[Sequence[int]] = ()) -> Graph:
        pairs = [tuple(edge) for edge in edges]
        for pair in pairs:
            if len(pair) != 2:
                raise ProofError(f"edge {pair}: an edge is a (premise, rule) pair")
        return cls(frozenset(nodes), frozenset((p, r) for p, r in pairs))

    def premises(self, rule: int) -> frozenset[int]:
        return frozenset(p for p, r in self.edges if r == rule)


@dataclass(frozen=True, slots=True)
class Tree:
    """One occurrence of a node and the occurrences it rests on: `Tree(4, (Tree(0), Tree(NAF)))`."""

    node: int
    premises: tuple[Tree, ...] = ()

    def __post_init__(self) -> None:
        if self.node < NAF:
            raise ProofError(f"{self.node} is not a node: use a sentence index or NAF")
        if self.node == NAF and self.premises:
            raise ProofError("NAF rests on nothing: it cannot have premises")

    def __iter__(self) -> Iterator[Tree]:
        """Every occurrence, this one first. A stack: proofs may be deeper than Python's own."""
        stack = [self]
        while stack:
            tree = stack.pop()
            yield tree
            stack.extend(reversed(tree.premises))

    @property
    def rank(self) -> int:
        """Place among the children of one parent: NAF, facts (any leaf sentence), rules."""
        return 0 if self.node == NAF else 2 if self.premises else 1

    @property
    def size(self) -> int:
        """Facts + NAFs + rules, repeats counted (RuleTaker's QLen)."""
        return sum(1 for _ in self)

    @property
    def depth(self) -> int:
        depth, level = 0, self.premises
        while level:
            depth, level = depth + 1, tuple(p for tree in level for p in tree.premises)
        return depth


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof tree, or for a fail-proof the chain of rules that failed deepest (maybe none)."""

    strategy: Strategy
    root: Tree | None = None

    def __post_init__(self) -> None:
        if self.strategy is Strategy.PROOF and self.root is None:
            raise ProofError("a proof must have a root; only a fail-proof may be empty")
        if self.strategy is Strategy.FAIL_PROOF and self.root is not None:
            for tree in self.root:
                if tree.node == NAF or len(tree.premises) > 1:
                    raise ProofError("a fail-proof is a chain of rules: no NAF, no branches")

    @classmethod
    def of(cls, root: Tree) -> Proof:
        return cls(Strategy.PROOF, root)

    @classmethod
    def failure(cls, rules: Sequence[int] = ()) -> Proof:
        """The fail chain `rules[0] <- rules[1] <- ... <- FAIL`."""
        tree: Tree | None = None
        for rule in reversed(rules):
            tree = Tree(rule, (tree,) if tree else ())
        return cls(Strategy.FAIL_PROOF, tree)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.root) if self.root else iter(())

    @property
    def graph(self) -> Graph:
        return Graph(
            frozenset(tree.node for tree in self),
            frozenset((p.node, tree.node) for tree in self for p in tree.premises),
        )

    @property
    def size(self) -> int:
        return self.root.size if self.root else 0

    @property
    def cost(self) -> tuple[int, int]:
        """Depth and size: the proofs of least cost are the minimal ones."""
        return (self.root.depth if self.root else 0, self.size)

    def to_path(self, rng: random.Random) -> Path:
        """The paper's gold order: parents breadth-first, children by rank, END last.

        Within a rank the order is shuffled.
        """
        steps: list[Step] = []
        queue: deque[tuple[int, Tree]] = deque([(ROOT, self.root)] if self.root else [])
        while queue:
            parent, tree = queue.popleft()
            steps.append(Step(parent, tree.node))
            children = list(tree.premises)
            rng.shuffle(children)
            children.sort(key=lambda child: child.rank)
            queue.extend((len(steps), child) for child in children)
            # Children of one parent are consecutive in breadth-first order, as the paper asks.
        steps.append(Step(len(steps), END))
        return Path(self.strategy, tuple(steps))


@dataclass(frozen=True, slots=True)
class Step:
    """One iteration: hang `child` (a node or END) under the node at position `parent`."""

    parent: int
    child: int


@dataclass(frozen=True, slots=True)
class Path:
    """A backward tree in the order in which it grew; finished when its last child is END."""

    strategy: Strategy
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        nodes = self.nodes
        for k, step in enumerate(self.steps):
            if not 0 <= step.parent <= k:
                raise ProofError(f"step {k + 1}: position {step.parent} is not on the path yet")
            if step.child < END:
                raise ProofError(f"step {k + 1}: {step.child} is not a node")
            if step.child == END and k + 1 < len(self.steps):
                raise ProofError(f"step {k + 1}: END must be the last child")
            if k and step.parent == ROOT and step.child != END:
                raise ProofError(f"step {k + 1}: the question has one child only")
            if step.parent and nodes[step.parent] == NAF and step.child != END:
                raise ProofError(f"step {k + 1}: NAF cannot be a parent")

    @property
    def nodes(self) -> tuple[int | None, ...]:
        """The node at each position; None stands for the question at position 0."""
        return (None, *(step.child for step in self.steps if step.child != END))

    def to_proof(self) -> Proof:
        """Path → Proof: drop the question, turn the links around. Inverse of `Proof.to_path`."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for position, step in enumerate((s for s in self.steps if s.child != END), start=1):
            children[step.parent].append(position)

        def tree(position: int) -> Tree:
            return Tree(self.steps[position - 1].child, tuple(map(tree, children[position])))

        return Proof(self.strategy, tree(children[ROOT][0]) if children[ROOT] else None)


def node_to_json(node: int) -> int | str:
    return "NAF" if node == NAF else node


def node_from_json(value: Any) -> int:
    if value == "NAF":
        return NAF
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ProofError(f'{value!r} is not a node: use a sentence index or "NAF"')
    return value


def naf_last(nodes: Iterable[int]) -> list[int]:
    """Sentence indices in order, NAF last."""
    return sorted(nodes, key=lambda node: (node == NAF, node))


def nodes_to_json(nodes: Iterable[int]) -> list[int | str]:
    return [node_to_json(node) for node in naf_last(nodes)]


def edges_to_json(edges: Iterable[tuple[int, int]]) -> list[list[int | str]]:
    ordered = sorted(edges, key=lambda edge: (edge[1], edge[0] == NAF, edge[0]))
    return [[node_to_json(premise), node_to_json(rule)] for premise, rule in ordered]


def graph_to_json(graph: Graph) -> dict[str, Any]:
    return {"nodes": nodes_to_json(graph.nodes), "edges": edges_to_json(graph.edges)}
