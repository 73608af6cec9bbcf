"""The ablations Gold-Parent and Gold-Child: scorers that are given one decision of each step.

As long as a path agrees with a gold proof, the oracle's decision is gold and the other one is the
model's; from where it departs, both are the model's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ibr.choices import GoldDecision
from ibr.decoding.search import Floats, Ints, Paths, Scorer
from ibr.proof import END, NAF, Proof, Tree
from ibr.theory import Problem

Golds = Sequence[Sequence[Proof]]  # of each question of the batch


def oracle(
    choice: GoldDecision, proofs_of: Callable[[Problem], Sequence[Proof]]
) -> Callable[[Sequence[Problem], Scorer], Scorer]:
    """The `wrap` of a `SearchingReasoner`."""
    kind = GoldParent if choice is GoldDecision.PARENT else GoldChild
    return lambda problems, scorer: kind(scorer, [proofs_of(problem) for problem in problems])


@dataclass(frozen=True)
class Growth:
    """A path that agrees with a gold proof: what each of its positions still needs below it."""

    missing: tuple[tuple[Tree, ...], ...]  # (L,)

    @property
    def parent(self) -> int:
        """The gold parent of the next step; END hangs under the last node."""
        return next((p for p, trees in enumerate(self.missing) if trees), len(self.missing) - 1)

    def children(self, parent: int) -> frozenset[int]:
        """The gold children: NAF, then facts, then rules; any order among equals."""
        trees = self.missing[parent] or self.missing[self.parent]
        first = min((tree.rank for tree in trees), default=0)
        return frozenset(t.node for t in trees if t.rank == first) or frozenset({END})


class WrappedScorer:
    """A scorer that decides as the model does."""

    def __init__(self, scorer: Scorer, golds: Golds = ()) -> None:
        self.scorer, self.golds = scorer, golds
        self.strategies = scorer.strategies
        self.sentence, self.is_rule = scorer.sentence, scorer.is_rule
        self.is_reading = scorer.is_reading

    def parents(self, paths: Paths) -> Floats:
        return self.scorer.parents(paths)

    def children(self, paths: Paths, parent: Ints) -> Floats:
        return self.scorer.children(paths, parent)

    def _growths(self, paths: Paths) -> Iterator[tuple[int, Growth]]:
        """(row, growth) of the paths that agree with a gold proof."""
        for row, question in enumerate(paths.question):
            named = np.concatenate([self.sentence[question], [NAF, END]])  # END for the question
            strategy = self.strategies[question]
            proofs = [p for p in self.golds[question] if p.strategy is strategy]
            nodes, parents = named[paths.columns[row, 1:]].tolist(), paths.parents[row, 1:].tolist()
            grown = (grow(proof, nodes, parents) for proof in proofs)
            growth = next((g for g in grown if g is not None), None)
            if growth is not None:
                yield row, growth


class GoldParent(WrappedScorer):
    def parents(self, paths: Paths) -> Floats:
        logp = self.scorer.parents(paths).copy()
        for row, growth in self._growths(paths):
            logp[row] = -np.inf
            logp[row, growth.parent] = 0.0
        return logp


class GoldChild(WrappedScorer):
    def children(self, paths: Paths, parent: Ints) -> Floats:
        logp = self.scorer.children(paths, parent).copy()
        for row, growth in self._growths(paths):
            gold = growth.children(int(parent[row]))
            question = paths.question[row]
            named = np.concatenate([self.sentence[question], [NAF, END]])
            real = np.concatenate([self.is_reading[question], [True, True]])
            kept = np.where(np.isin(named, list(gold)) & real, logp[row], -np.inf)
            if np.isfinite(kept).any():
                logp[row] = kept - np.logaddexp.reduce(kept)
        return logp


def grow(proof: Proof, nodes: Sequence[int], parents: Sequence[int]) -> Growth | None:
    """For positions 1, 2, … with these nodes and parents; None if they are no part of the proof."""
    missing = [list((cited(proof.root),) if proof.root else ())]
    for node, parent in zip(nodes, parents, strict=True):
        tree = next((t for t in missing[parent] if t.node == node), None)
        if tree is None:
            return None
        missing[parent].remove(tree)
        missing.append(list(tree.premises))
    return Growth(tuple(map(tuple, missing)))


def cited(tree: Tree) -> Tree:
    """Equal premises of one rule are one step, in training, too."""
    return Tree(tree.node, tuple(dict.fromkeys(map(cited, tree.premises))))
