"""A `Scorer` for `ibr.decoding.search` over a batch that was encoded once. numpy only.

Subclasses score one step, with torch or onnxruntime; both are given the open paths as arrays by
name: in level order (`LevelPaths`) and, for children, theory by theory (`PathsByTheory`), with the
place of each parent (`parent`) and whether the path is a fail-proof (`fails`), (P,) each.

Legend: B questions, P open paths, L positions, R readings, C = R + 2 children, X nodes of the whole
batch, G theories that have open paths, W open paths of the theory that has most (at least 2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from ibr.decoding.search import Bools, Floats, Ints, Paths, SearchState
from ibr.prediction import Prediction
from ibr.theory import Strategy

Array = npt.NDArray[Any]
A = TypeVar("A")  # an array of numpy, or a tensor
StepArrays = Mapping[str, Array]


@dataclass(frozen=True)
class LevelPaths:
    """Open paths with their positions from the question downwards."""

    question: Ints  # (P,) which question of the batch
    nodes: Ints  # (P, L) which of the X nodes is at each place
    up: Ints  # (P, L) place of its parent, -1 for the question
    rank: Ints  # (P, L) the place of each position

    @classmethod
    def of(cls, paths: Paths, places: Ints) -> LevelPaths:
        """`places` (B, R + 2) are the nodes of the columns; the last one is QUESTION."""
        row, order = np.arange(len(paths.question))[:, None], paths.level_order
        rank = np.empty_like(order)
        rank[row, order] = np.arange(order.shape[1])
        up = rank[row, paths.parents[row, order]]
        up[:, 0] = -1
        nodes = places[paths.question[:, None], paths.columns[row, order]]
        return cls(paths.question, nodes, up, rank)


@dataclass(frozen=True)
class PathsByTheory(Generic[A]):
    """Paths laid out theory by theory, so that the candidates of a theory are read once."""

    theory: A  # (G,)
    path: A  # (G, W) path in each slot; padding slots hold path 0
    slot: A  # (P,) of each path, counted through all theories


def paths_by_theory(owner: Ints) -> PathsByTheory[Ints]:
    """`owner` (P,) is the theory of each path."""
    if len(owner) == 1:  # as below, in a tenth of the time
        return PathsByTheory(owner, np.zeros((1, 2), dtype=np.int64), np.zeros(1, dtype=np.int64))
    theory, group, count = np.unique(owner, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    column = np.arange(len(owner)) - np.repeat(count.cumsum() - count, count)
    width = max(2, count.max())  # a single row would be multiplied to other last digits
    path = np.zeros((len(theory), width), dtype=np.int64)
    path[group[order], column] = order
    slot = np.empty_like(order)
    slot[order] = group[order] * width + column
    return PathsByTheory(theory, path, slot)


class EncodedScorer(ABC):
    """The `Scorer` of `ibr.decoding.search`; subclasses have the two modules."""

    PARTS = ("answer", "strategy", "sentence", "is_reading", "is_rule", "owner", "places")

    def __init__(self, encoded: Mapping[str, Array]) -> None:
        """The parts by name: logits (B, 2) of the answer (false, true) and of the strategy
        (fail-proof, proof); (B, R) of readings; the theory (B,) of each question; its nodes, for
        `LevelPaths`."""
        self.answers = _second(encoded["answer"])  # (B,) P(true)
        self.proof_probability = _second(encoded["strategy"])
        proves = self.proof_probability > 0.5
        self.set_strategies([Strategy.PROOF if p else Strategy.FAIL_PROOF for p in proves])
        self.sentence: Ints = encoded["sentence"]
        self.is_reading: Bools = encoded["is_reading"]
        self.is_rule: Bools = encoded["is_rule"]
        self._owner, self._places = encoded["owner"], encoded["places"]
        self._level: tuple[Paths, LevelPaths] | None = None

    def set_strategies(self, strategies: Sequence[Strategy]) -> None:
        """Of each question: the model's own, or others in their place."""
        self.strategies = strategies
        self._fails: Bools = np.array([s is Strategy.FAIL_PROOF for s in strategies], dtype=bool)

    def parents(self, paths: Paths) -> Floats:
        level = self._in_level_order(paths)
        logp = self.parent_logp(vars(level)).astype(np.float64)
        return np.take_along_axis(logp, level.rank, axis=-1)

    def children(self, paths: Paths, parent: Ints) -> Floats:
        level = self._in_level_order(paths)
        place = level.rank[np.arange(len(parent)), parent]
        layout = paths_by_theory(self._owner[paths.question])
        step = {"parent": place, "fails": self._fails[paths.question]}
        logp: Floats = self.child_logp(vars(level) | vars(layout) | step).astype(np.float64)
        return logp

    def _in_level_order(self, paths: Paths) -> LevelPaths:
        """Computed once if the paths whose parents were scored all get a child."""
        if self._level is None or self._level[0] is not paths:
            self._level = paths, LevelPaths.of(paths, self._places)
        return self._level[1]

    @abstractmethod
    def parent_logp(self, step: StepArrays) -> Array:
        """(P, L) log-probability of each place as the next parent."""

    @abstractmethod
    def child_logp(self, step: StepArrays) -> Array:
        """(P, C) log-probability of each child of the given parents."""


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """A batch of problems during the search. `state` is None right after encoding, when the scorer
    knows the answers; the last one has the predictions.
    """

    problems: Sequence[int]  # which problem each row is
    scorer: EncodedScorer
    state: SearchState | None = None
    predictions: dict[int, Prediction] = field(default_factory=dict)  # by problem


def _second(logits: Array) -> Floats:
    """The probability (B,) of the second of two logits (B, 2)."""
    wide = logits.astype(np.float64)
    probability: Floats = np.exp(-np.logaddexp(0.0, wide[:, 0] - wide[:, 1]))
    return probability
