"""Beam search over backward paths (§3.6 of the paper). Knows no text, no encoder, no framework.

A path grows by two decisions a step, the parent and then the child, and the beam is cut after
each, so a wide enough beam is exhaustive search. All open paths of a batch have the same length:
what finds END leaves the beam. The search knows only a `Scorer`.

A sentence may have several *readings* (one per entity that its rule may speak of): they are
different nodes while the path grows and one sentence in what is found.

Legend: A open questions, K beams, L positions on a path, N readings of the largest theory,
C = N + 2 child columns: the readings, then NAF (column N), then END (column N + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ibr.proof import END, NAF, Graph, Path, Step
from ibr.theory import Strategy

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
_DECIMALS = 4  # scores that differ by less are ties: the rest is rounding, as the batch has it
QUESTION = -1  # what stands at position 0 of `Paths.columns`


@dataclass(frozen=True)
class Paths:
    """The open paths, position by position; position 0 is the question."""

    question: Ints  # (A,) which question of the batch
    columns: Ints  # (A, K, L) child column at each position
    parents: Ints  # (A, K, L) position of its parent (0 for the question itself)
    levels: Ints  # (A, K, L) distance from the question

    @property
    def level_order(self) -> Ints:
        """(A, K, L) positions from the question downwards, in order of growth within a level."""
        return np.argsort(self.levels, axis=-1, kind="stable")

    def of(self, questions: Bools) -> Paths:
        parts = (self.question, self.columns, self.parents, self.levels)
        return Paths(*(part[questions] for part in parts))

    def take(self, rows: Ints) -> Paths:
        """The same questions with other beams: `rows` (A, K) says which one each slot continues."""
        pick = rows[..., None]
        columns, parents, levels = (
            np.take_along_axis(part, pick, axis=1)
            for part in (self.columns, self.parents, self.levels)
        )
        return replace(self, columns=columns, parents=parents, levels=levels)

    def grow(self, parent: Ints, column: Ints) -> Paths:
        """Hang a child (A, K) under the parent positions (A, K)."""
        level = np.take_along_axis(self.levels, parent[..., None], axis=-1) + 1
        return replace(
            self,
            columns=np.concatenate([self.columns, column[..., None]], -1),
            parents=np.concatenate([self.parents, parent[..., None]], -1),
            levels=np.concatenate([self.levels, level], -1),
        )


class Scorer(Protocol):
    """Scores for a batch of questions that was encoded once."""

    strategies: Sequence[Strategy]
    sentence: Ints  # (questions, N) the sentence of each reading
    is_rule: Bools  # (questions, N): only a rule can be a parent of sentences
    is_reading: Bools  # (questions, N): False is padding

    def parents(self, paths: Paths) -> Floats:
        """(A, K, L) log-probability of each position as the next parent."""
        ...

    def children(self, paths: Paths, parent: Ints) -> Floats:
        """(A, K, C) log-probability of each child, given the parent's position (A, K)."""
        ...


@dataclass(frozen=True)
class StepTrace:
    """What one step weighed: probabilities of the positions, and of the child columns."""

    parents: Floats
    children: Floats


@dataclass(frozen=True)
class Found:
    """A finished path and how its steps were chosen; `score` is the log-probability of its graph,

    summed over every order of growth that was found for it.
    """

    path: Path
    score: float
    trace: tuple[StepTrace, ...]

    @property
    def graph(self) -> Graph:
        return self.path.to_proof().graph


@dataclass(frozen=True)
class _Story:
    """What a beam slot did so far."""

    steps: tuple[Step, ...] = ()
    trace: tuple[StepTrace, ...] = ()

    def then(self, step: Step, trace: StepTrace) -> _Story:
        return _Story((*self.steps, step), (*self.trace, trace))


def search(scorer: Scorer, beams: int = 8, max_steps: int | None = None) -> list[list[Found]]:
    """For each question its best proofs, at most `beams`, best first.

    No path grows beyond `max_steps` nodes (default: twice the sentences of its own theory); at the
    limit END is the only child left.
    """
    if beams < 1 or (max_steps is not None and max_steps < 1):
        raise ValueError(f"beams and max_steps must be at least 1, not {beams} and {max_steps}")
    count, width = scorer.is_rule.shape
    limits = _limits(scorer, max_steps)
    finished: list[list[Found]] = [[] for _ in range(count)]
    stories = [[_Story()] * beams for _ in range(count)]
    root = np.zeros((count, beams, 1), dtype=np.int64)
    paths = Paths(np.arange(count), root + QUESTION, root, root)
    scores = np.full((count, beams), -np.inf)
    scores[:, 0] = 0.0  # the other slots are empty until the first step fills them

    for step in range(int(limits.max(initial=0)) + 1):
        parent_logp = _parents(scorer, paths)
        scores, rows, parent = _best(scores[..., None] + parent_logp, beams)
        paths = paths.take(rows)
        child_logp = np.where(
            _may_be_child(scorer, paths, parent, step >= limits[paths.question]),
            scorer.children(paths, parent),
            -np.inf,
        )
        scores, source, column = _best(scores[..., None] + child_logp, beams)
        paths, parent = paths.take(source), np.take_along_axis(parent, source, axis=1)
        weighed = np.exp(parent_logp), np.exp(child_logp)
        for a, slots in enumerate(stories):
            before = [rows[a, s] for s in source[a]]
            stories[a] = [
                slots[row].then(
                    Step(int(parent[a, k]), _node(scorer, int(paths.question[a]), column[a, k])),
                    StepTrace(weighed[0][a, row], weighed[1][a, source[a, k]]),
                )
                for k, row in enumerate(before)
            ]
        ended = np.isfinite(scores) & (column == width + 1)
        for a, k in zip(*np.nonzero(ended), strict=True):
            question, story = int(paths.question[a]), stories[a][k]
            path = Path(_strategy(scorer, question), story.steps)
            finished[question].append(Found(path, float(scores[a, k]), story.trace))
        scores = np.where(ended, -np.inf, scores)
        alive = [_is_open(scores[a], finished[int(q)], beams) for a, q in enumerate(paths.question)]
        open_ = np.array(alive, dtype=bool)
        if not open_.any():
            break
        column = np.minimum(column, width)  # slots that ended are empty now; any node will do
        paths, scores = paths.grow(parent, column).of(open_), scores[open_]
        stories = [slots for slots, still in zip(stories, alive, strict=True) if still]
    return [_ranked(found)[:beams] for found in finished]


def _best(scores: Floats, beams: int) -> tuple[Floats, Ints, Ints]:
    """The `beams` best of (A, K, X): their scores, and the K and X they stand at, each (A, K)."""
    questions, _, width = scores.shape
    flat = scores.reshape(questions, -1)
    order = np.argsort(-flat.round(_DECIMALS), axis=1, kind="stable")[:, :beams]
    best = np.take_along_axis(flat, order, axis=1)
    empty = ((0, 0), (0, beams - order.shape[1]))  # fewer candidates than slots
    order = np.pad(order, empty, mode="edge")
    return np.pad(best, empty, constant_values=-np.inf), order // width, order % width


def _parents(scorer: Scorer, paths: Paths) -> Floats:
    """The question has one child. A fail-proof grows at its end: that is no decision."""
    position = np.arange(paths.columns.shape[-1])
    proof = np.where((position > 0) | (len(position) == 1), scorer.parents(paths), -np.inf)
    chain = np.where(position == len(position) - 1, 0.0, -np.inf)
    return np.where(_fails(scorer, paths)[:, None, None], chain, proof)


def _may_be_child(scorer: Scorer, paths: Paths, parent: Ints, only_end: Bools) -> Bools:
    """Sentences hang under rules, each reading once under one; fail-proofs are chains of different
    rules; proofs are not empty.

    Returns (A, K, C). END is always left except as the first child of a proof, and nothing else
    where `only_end` (A,).
    """
    questions, beams, length = paths.columns.shape
    width = scorer.is_rule.shape[1]
    fails = _fails(scorer, paths)[:, None, None]
    is_rule, is_reading = scorer.is_rule[paths.question], scorer.is_reading[paths.question]
    at = np.take_along_axis(paths.columns, parent[..., None], axis=-1)[..., 0]  # (A, K)
    rests = (at == QUESTION) | _look_up(is_rule, at)
    sentences = np.where(fails, is_rule[:, None], is_reading[:, None]) & rests[..., None]
    used = _columns_at(paths.columns, (paths.parents == parent[..., None]) | fails, width)
    sentences &= ~np.where(fails, _same_sentence(scorer.sentence[paths.question], used), used)
    has_naf = ((paths.parents == parent[..., None]) & (paths.columns == width)).any(axis=-1)
    naf: Bools = rests & (at != QUESTION) & ~fails[..., 0] & ~has_naf
    end = np.broadcast_to((length > 1) | fails[..., 0], (questions, beams))
    last = only_end[:, None, None]
    return np.concatenate([sentences & ~last, naf[..., None] & ~last, end[..., None] | last], -1)


def _limits(scorer: Scorer, max_steps: int | None) -> Ints:
    """(questions,) The most nodes of a path: a question's own, whatever else is in the batch."""
    if max_steps is not None:
        return np.full(len(scorer.sentence), max_steps)
    last: Ints = np.where(scorer.is_reading, scorer.sentence, 0).max(axis=1, initial=0)
    return 2 * (last + 1)


def _strategy(scorer: Scorer, question: int) -> Strategy:
    """The scorer's, but nothing can be proved from no sentences."""
    provable = bool(scorer.is_reading[question].any())
    return scorer.strategies[question] if provable else Strategy.FAIL_PROOF


def _fails(scorer: Scorer, paths: Paths) -> Bools:
    strategies = [_strategy(scorer, int(q)) for q in paths.question]
    return np.array([strategy is Strategy.FAIL_PROOF for strategy in strategies], dtype=bool)


def _look_up(is_rule: Bools, column: Ints) -> Bools:
    """is_rule (A, N) at columns (A, K); NAF and the question are no rules."""
    padded = np.pad(is_rule, ((0, 0), (0, 2)))  # NAF, and QUESTION as -1
    return np.take_along_axis(padded, column, axis=1)


def _columns_at(columns: Ints, where: Bools, width: int) -> Bools:
    """(A, K, N): which readings stand at the marked positions (A, K, L)."""
    marks = np.zeros((*columns.shape[:2], width), dtype=bool)
    a, k, position = np.nonzero(where & (columns >= 0) & (columns < width))
    marks[a, k, columns[a, k, position]] = True
    return marks


def _same_sentence(sentence: Ints, marks: Bools) -> Bools:
    """(A, K, N): every reading of a sentence (A, N) of which some reading is marked."""
    member = sentence[:, :, None] == sentence[:, None, :]  # (A, N, N)
    same: Bools = np.matmul(marks, member)
    return same


def _node(scorer: Scorer, question: int, column: np.int64) -> int:
    width = scorer.sentence.shape[1]
    return (
        NAF
        if column == width
        else END
        if column > width
        else int(scorer.sentence[question, column])
    )


def _is_open(scores: Floats, found: Sequence[Found], beams: int) -> bool:
    """Whether some open path could still be among the best."""
    if not np.isfinite(scores).any():
        return False
    if len(found) < beams:
        return True
    return float(scores.max()) > sorted((f.score for f in found), reverse=True)[beams - 1]


def _ranked(found: Sequence[Found]) -> list[Found]:
    """One entry a graph, best first: the likeliest path, with the probability of all of them."""
    groups: dict[Graph, list[Found]] = {}
    for item in sorted(found, key=_rank):
        groups.setdefault(item.graph, []).append(item)
    merged = [
        replace(items[0], score=float(np.logaddexp.reduce([f.score for f in items])))
        for items in groups.values()
    ]
    return sorted(merged, key=_rank)


def _rank(found: Found) -> float:
    return -round(found.score, _DECIMALS)
