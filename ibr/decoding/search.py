"""Beam search over backward paths (§3.6 of the paper). Knows no text, no encoder, no framework.

A path grows by two decisions a step, the parent and then the child, and the beam is cut after
each, so a wide enough beam is exhaustive search. All open paths of a batch have the same length:
what finds END leaves the beam. The search knows only a `Scorer`; `growing` lets it be watched.

A score only falls as its path grows: when K paths of a question have ended and no open one is
better than the last of them, it is answered. Only open paths of open questions are scored.

A sentence may have several *readings* (one per entity that its rule may speak of): they are
different nodes while the path grows and one sentence in what is found.

Legend: P open paths, K beams, L positions on a path, N readings of the largest theory,
C = N + 2 child columns: the readings, then NAF (column N), then END (column N + 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The open paths, question by question; position 0 of each is the question."""

    question: Ints  # (P,) which question of the batch, ascending
    columns: Ints  # (P, L) child column at each position
    parents: Ints  # (P, L) position of its parent (0 for the question itself)
    levels: Ints  # (P, L) distance from the question

    @property
    def level_order(self) -> Ints:
        """(P, L) positions from the question downwards, in order of growth within a level."""
        return np.argsort(self.levels, axis=-1, kind="stable")

    def take(self, rows: Ints | Bools) -> Paths:
        parts = (self.question, self.columns, self.parents, self.levels)
        return Paths(*(part[rows] for part in parts))

    def grow(self, parent: Ints, column: Ints) -> Paths:
        """Hang a child (P,) under the parent positions (P,)."""
        level = self.levels[np.arange(len(parent)), parent] + 1
        return replace(
            self,
            columns=np.concatenate([self.columns, column[:, None]], axis=1),
            parents=np.concatenate([self.parents, parent[:, None]], axis=1),
            levels=np.concatenate([self.levels, level[:, None]], axis=1),
        )


class Scorer(Protocol):
    """Scores for a batch of questions that was encoded once."""

    strategies: Sequence[Strategy]
    sentence: Ints  # (questions, N) the sentence of each reading
    is_rule: Bools  # (questions, N): only a rule can be a parent of sentences
    is_reading: Bools  # (questions, N): False is padding

    def parents(self, paths: Paths) -> Floats:
        """(P, L) log-probability of each position as the next parent."""
        ...

    def children(self, paths: Paths, parent: Ints) -> Floats:
        """(P, C) log-probability of each child, given the parent's position (P,)."""
        ...


@dataclass(frozen=True)
class StepTrace:
    """What one step weighed: probabilities of the positions, and of the child columns."""

    parents: Floats
    children: Floats


@dataclass(frozen=True)
class Found:
    """A path and how its steps were chosen; `score` is its log-probability.

    What a search finds is finished, and its score is that of its graph, summed over every order of
    growth that was found for it.
    """

    path: Path
    score: float
    trace: tuple[StepTrace, ...]

    @property
    def graph(self) -> Graph:
        nodes = [step.child for step in self.path.steps if step.child != END]
        hung = zip(nodes, self.path.steps, strict=False)
        edges = [(node, nodes[step.parent - 1]) for node, step in hung if step.parent]
        return Graph(frozenset(nodes), frozenset(edges))


@dataclass(frozen=True)
class Front:
    """Where a search stands: its open paths, and what has ended. The next step changes it."""

    scorer: Scorer
    fails: Bools  # (questions,)
    paths: Paths  # the best first within a question
    scores: Floats  # (P,)
    traces: list[tuple[StepTrace, ...]]  # of each path
    finished: list[list[Found]]  # by question

    def found(self, row: int) -> Found:
        question = self.paths.question[row]
        strategy = Strategy.FAIL_PROOF if self.fails[question] else Strategy.PROOF
        nodes = [*self.scorer.sentence[question].tolist(), NAF, END]
        grown = np.stack([self.paths.parents[row], self.paths.columns[row]], axis=1)[1:].tolist()
        path = Path(strategy, tuple(Step(parent, nodes[column]) for parent, column in grown))
        return Found(path, float(self.scores[row]), self.traces[row])

    def leads(self) -> dict[int, Found]:
        """The best path of each question: one that has ended before an open one as good."""
        known = dict(enumerate(map(list, self.finished)))
        questions, firsts = np.unique(self.paths.question, return_index=True)
        for question, row in zip(questions.tolist(), firsts.tolist(), strict=True):
            known[question].append(self.found(row))
        return {question: min(found, key=_rank) for question, found in known.items() if found}

    def best(self, beams: int) -> list[list[Found]]:
        """Of each question what has ended, best first."""
        return [_ranked(found)[:beams] for found in self.finished]


def search(scorer: Scorer, beams: int = 8, max_steps: int | None = None) -> list[list[Found]]:
    """For each question its best proofs, at most `beams`, best first.

    No path grows beyond `max_steps` nodes (default: twice the sentences of its own theory); at the
    limit END is the only child left.
    """
    for front in growing(scorer, beams, max_steps):
        last = front
    return last.best(beams)


def growing(scorer: Scorer, beams: int = 8, max_steps: int | None = None) -> Iterator[Front]:
    """The search itself, step by step; the last front has all that is found."""
    if beams < 1 or (max_steps is not None and max_steps < 1):
        raise ValueError(f"beams and max_steps must be at least 1, not {beams} and {max_steps}")
    count, width = scorer.is_rule.shape
    legal = _Legal.of(scorer, max_steps)
    finished: list[list[Found]] = [[] for _ in range(count)]
    root = np.zeros((count, 1), dtype=np.int64)
    paths, scores = Paths(np.arange(count), root + QUESTION, root, root), np.zeros(count)
    traces: list[tuple[StepTrace, ...]] = [()] * count

    for _ in range(int(legal.limit.max(initial=0)) + 1):
        parent_logp = _parents(scorer, paths, legal.fails[paths.question])
        scores, rows, parent = _best(scores[:, None] + parent_logp, paths.question, beams)
        paths = paths.take(rows)
        child_logp = scorer.children(paths, parent)
        child_logp = np.where(legal.may_be_child(paths, parent), child_logp, -np.inf)
        scores, source, column = _best(scores[:, None] + child_logp, paths.question, beams)
        paths = paths.take(source).grow(parent[source], column)
        parents, children = np.exp(parent_logp), np.exp(child_logp)
        traces = [
            (*traces[row], StepTrace(parents[row], children[child]))
            for row, child in zip(rows[source].tolist(), source.tolist(), strict=True)
        ]
        front = Front(scorer, legal.fails, paths, scores, traces, finished)
        ended = column == width + 1
        for row in np.flatnonzero(ended).tolist():
            finished[paths.question[row]].append(front.found(row))
        open_ = np.flatnonzero(~ended & _is_open(paths, scores, ended, finished, beams))
        paths, scores = paths.take(open_), scores[open_]
        traces = [traces[row] for row in open_.tolist()]
        yield replace(front, paths=paths, scores=scores, traces=traces)
        if not len(open_):
            break


def _best(scores: Floats, question: Ints, beams: int) -> tuple[Floats, Ints, Ints]:
    """Of (P, X) the `beams` best of each question (P,), question by question, best first.

    Returns their scores, and the P and X they stand at.
    """
    rounded = scores.round(_DECIMALS)
    kept = scores > -np.inf
    if scores.shape[1] > beams:  # none but the best of a path can be among the best
        kept &= rounded >= np.partition(rounded, -beams, axis=1)[:, -beams, None]
    row, place = np.nonzero(kept)
    order = np.lexsort((-rounded[row, place], question[row]))
    ranked = question[row[order]]
    order = order[np.arange(len(order)) - np.searchsorted(ranked, ranked) < beams]
    row, place = row[order], place[order]
    return scores[row, place], row, place


def _is_open(
    paths: Paths, scores: Floats, ended: Bools, finished: Sequence[Sequence[Found]], beams: int
) -> Bools:
    """(P,) Whether some open path of its question could still be among the best."""
    best = np.full(len(finished), -np.inf)
    np.maximum.at(best, paths.question[~ended], scores[~ended])
    return (best > [_last(found, beams) for found in finished])[paths.question]


def _last(found: Sequence[Found], beams: int) -> float:
    """The score of the last path that is among the best."""
    scores = sorted((f.score for f in found), reverse=True)
    return scores[beams - 1] if len(scores) >= beams else -np.inf


def _parents(scorer: Scorer, paths: Paths, fails: Bools) -> Floats:
    """The question has one child. A fail-proof (P,) grows at its end: that is no decision."""
    logp = np.full(paths.columns.shape, -np.inf)
    logp[:, -1] = 0.0
    decides = np.flatnonzero(~fails)
    if len(decides) and paths.columns.shape[1] > 1:
        logp[decides] = scorer.parents(paths.take(decides))
        logp[decides, 0] = -np.inf
    return logp


@dataclass(frozen=True)
class _Legal:
    """Sentences hang under rules, each reading once under one; fail-proofs are chains of different
    rules; proofs are not empty. All by question.
    """

    fails: Bools  # (questions,)
    limit: Ints  # (questions,) the most nodes of a path: its own, whatever else is in the batch
    candidate: Bools  # (questions, N) what can be a child at all
    name: Ints  # (questions, N) what stands once among siblings, or in a chain
    bears: Bools  # (questions, N + 2) what can have children: rules, not NAF, and QUESTION (-1)

    @classmethod
    def of(cls, scorer: Scorer, max_steps: int | None) -> _Legal:
        """The strategies are the scorer's, but nothing can be proved from no sentences."""
        count, width = scorer.is_rule.shape
        fails = np.array([s is Strategy.FAIL_PROOF for s in scorer.strategies], dtype=bool)
        fails |= ~scorer.is_reading.any(axis=1)
        last = np.where(scorer.is_reading, scorer.sentence, 0).max(axis=1, initial=0)
        chain = fails[:, None]
        return cls(
            fails=fails,
            limit=2 * (last + 1) if max_steps is None else np.full(count, max_steps),
            candidate=np.where(chain, scorer.is_rule, scorer.is_reading),
            name=np.where(chain, scorer.sentence, np.arange(width)),
            bears=np.column_stack([scorer.is_rule, np.zeros(count, bool), np.ones(count, bool)]),
        )

    def may_be_child(self, paths: Paths, parent: Ints) -> Bools:
        """(P, C). END is always left except as the first child of a proof; at the limit it is all
        that is left.
        """
        (count, length), width = paths.columns.shape, self.name.shape[1]
        chain, only_end = self.fails[paths.question], length > self.limit[paths.question]
        at = paths.columns[np.arange(count), parent]
        bears = self.bears[paths.question, at] & ~only_end
        beside = paths.parents == parent[:, None]  # (P, L)
        has_naf = (beside & (paths.columns == width)).any(axis=1)
        used = self._used(paths, beside | chain[:, None])
        may = np.empty((count, width + 2), dtype=bool)
        may[:, :width] = self.candidate[paths.question] & bears[:, None] & ~used
        may[:, width] = bears & (at != QUESTION) & ~chain & ~has_naf
        may[:, width + 1] = chain | only_end | (length > 1)
        return may

    def _used(self, paths: Paths, where: Bools) -> Bools:
        """(P, N): the readings with the name of one that stands at the marked positions (P, L)."""
        name, columns = self.name[paths.question], paths.columns
        row, position = np.nonzero(where & (columns >= 0) & (columns < name.shape[1]))
        marks = np.zeros(name.shape, dtype=bool)
        marks[row, name[row, columns[row, position]]] = True
        return marks[np.arange(len(marks))[:, None], name]


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
