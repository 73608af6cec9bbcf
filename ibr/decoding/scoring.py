"""A `Scorer` for `ibr.search` over a batch that was encoded once. numpy only.

What weighs one step, torch or onnxruntime, is a subclass's; here is what both share: answers and
strategies from their logits, and paths laid out as the modules read them: in level order, and
theory by theory.

Legend: B questions, P open paths, L positions, R readings, C = R + 2 children, X nodes of the whole
batch, G theories that have open paths, W open paths of the theory that has most (at least 2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ibr.search import Bools, Floats, Ints, Paths
from ibr.theory import Strategy

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class LevelPaths:
    """Open paths with their positions from the question downwards."""

    question: Ints  # (P,) which question of the batch
    nodes: Ints  # (P, L) which of the X nodes stands at each place
    up: Ints  # (P, L) place of its parent, -1 for the question
    rank: Ints  # (P, L) the place of each position

    @classmethod
    def of(cls, paths: Paths, places: Ints) -> LevelPaths:
        """`places` (B, R + 2) say which node a column is; the last one is QUESTION."""
        row, order = np.arange(len(paths.question))[:, None], paths.level_order
        rank = np.argsort(order, axis=-1)
        up = rank[row, paths.parents[row, order]]
        up[:, 0] = -1
        nodes = places[paths.question[:, None], paths.columns[row, order]]
        return cls(paths.question, nodes, up, rank)


@dataclass(frozen=True)
class Seats:
    """Paths laid out theory by theory: candidates that many paths choose from are read once."""

    theory: Ints  # (G,)
    path: Ints  # (G, W) who sits there; anyone where nobody does
    seat: Ints  # (P,) of each path, counted through

    @classmethod
    def of(cls, owner: Ints) -> Seats:
        """`owner` (P,) is the theory of each path."""
        theory, group, count = np.unique(owner, return_inverse=True, return_counts=True)
        order = np.argsort(group, kind="stable")
        column = np.arange(len(owner)) - np.repeat(count.cumsum() - count, count)
        width = max(2, count.max())  # one row alone is multiplied otherwise, to other last digits
        path = np.zeros((len(theory), width), dtype=np.int64)
        path[group[order], column] = order
        seat = np.empty_like(order)
        seat[order] = group[order] * width + column
        return cls(theory, path, seat)


class EncodedScorer(ABC):
    """The `Scorer` of `ibr.search`; subclasses say what the steps weigh."""

    def __init__(
        self,
        answer: Array,
        strategy: Array,
        sentence: Ints,
        is_reading: Bools,
        is_rule: Bools,
        owner: Ints,
        places: Ints,
    ) -> None:
        """Logits (B, 2) of the answer (false, true) and the strategy (fail-proof, proof); (B, R)
        each for readings; the theory (B,) of each question; its nodes, for `LevelPaths`."""
        self.answers = _second(answer)  # (B,) P(true)
        self.proof_probability = _second(strategy)
        self.strategies: Sequence[Strategy] = [
            Strategy.PROOF if p > 0.5 else Strategy.FAIL_PROOF for p in self.proof_probability
        ]
        self.sentence, self.is_reading, self.is_rule = sentence, is_reading, is_rule
        self._fails: Bools = self.proof_probability <= 0.5
        self._owner, self._places = owner, places

    def parents(self, paths: Paths) -> Floats:
        level = LevelPaths.of(paths, self._places)
        logp = self.parent_logp(level).astype(np.float64)
        return np.take_along_axis(logp, level.rank, axis=-1)

    def children(self, paths: Paths, parent: Ints) -> Floats:
        level = LevelPaths.of(paths, self._places)
        place = level.rank[np.arange(len(parent)), parent]
        seats = Seats.of(self._owner[paths.question])
        fails = self._fails[paths.question]
        logp: Floats = self.child_logp(level, place, fails, seats).astype(np.float64)
        return logp

    @abstractmethod
    def parent_logp(self, level: LevelPaths) -> Array:
        """(P, L) log-probability of each place as the next parent."""

    @abstractmethod
    def child_logp(self, level: LevelPaths, parent: Ints, fails: Bools, seats: Seats) -> Array:
        """(P, C) of each child, given the parent's place (P,) and who fails (P,)."""


def _second(logits: Array) -> Floats:
    """The softmax of two logits (B, 2) → (B,) the share of the second."""
    wide = logits.astype(np.float64)
    share: Floats = np.exp(-np.logaddexp(0.0, wide[:, 0] - wide[:, 1]))
    return share
