"""A `Scorer` for `ibr.search` over a batch that was encoded once. numpy only.

What weighs one step, torch or onnxruntime, is a subclass's; here is what both share: answers and
strategies from their logits, and paths laid out in level order, as the modules read them.

Legend: B questions, A open questions, K beams, L positions, R readings, C = R + 2 children.
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

    question: Ints  # (A,) which question of the batch
    columns: Ints  # (A, K, L) node at each place
    up: Ints  # (A, K, L) place of its parent, -1 for the question
    rank: Ints  # (A, K, L) the place of each position

    @classmethod
    def of(cls, paths: Paths) -> LevelPaths:
        order = paths.level_order
        rank = np.argsort(order, axis=-1)
        up = np.take_along_axis(rank, np.take_along_axis(paths.parents, order, axis=-1), axis=-1)
        up[..., 0] = -1
        columns = np.take_along_axis(paths.columns, order, axis=-1)
        return cls(paths.question, columns, up, rank)


class EncodedScorer(ABC):
    """The `Scorer` of `ibr.search`; subclasses say what the steps weigh."""

    def __init__(
        self, answer: Array, strategy: Array, sentence: Ints, is_reading: Bools, is_rule: Bools
    ) -> None:
        """Logits (B, 2) of the answer (false, true) and the strategy (fail-proof, proof); (B, R)
        each for the rest."""
        self.answers = _second(answer)  # (B,) P(true)
        self.proof_probability = _second(strategy)
        self.strategies: Sequence[Strategy] = [
            Strategy.PROOF if p > 0.5 else Strategy.FAIL_PROOF for p in self.proof_probability
        ]
        self.sentence, self.is_reading, self.is_rule = sentence, is_reading, is_rule
        self._fails: Bools = self.proof_probability <= 0.5

    def parents(self, paths: Paths) -> Floats:
        level = LevelPaths.of(paths)
        logp = self.parent_logp(level).astype(np.float64)
        return np.take_along_axis(logp, level.rank, axis=-1)

    def children(self, paths: Paths, parent: Ints) -> Floats:
        level = LevelPaths.of(paths)
        place = np.take_along_axis(level.rank, parent[..., None], axis=-1)[..., 0]
        logp: Floats = self.child_logp(level, place, self._fails[paths.question]).astype(np.float64)
        return logp

    @abstractmethod
    def parent_logp(self, level: LevelPaths) -> Array:
        """(A, K, L) log-probability of each place as the next parent."""

    @abstractmethod
    def child_logp(self, level: LevelPaths, parent: Ints, fails: Bools) -> Array:
        """(A, K, C) of each child, given the parent's place (A, K) and who fails (A,)."""


def _second(logits: Array) -> Floats:
    """The softmax of two logits (B, 2) → (B,) the share of the second."""
    wide = logits.astype(np.float64)
    share: Floats = np.exp(-np.logaddexp(0.0, wide[:, 0] - wide[:, 1]))
    return share
