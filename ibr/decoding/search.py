"""Beam search over backward paths (§3.6). Knows no text, no encoder, no framework: a `Scorer` only.

A path grows by two decisions per step, the parent and then the child, and the beam is cut after
each: a wide enough beam is exhaustive search. All open paths of a batch have the same length; a
path that gets END leaves the beam. A score only falls as its path grows: when K paths of a question
have ended and no open one is better than the last of them, the question is finished.

A sentence may have several *readings* (one per entity that its rule may be about): they are
different nodes while the path grows and one sentence in the result.

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
_DECIMALS = 4  # smaller differences are ties: rounding depends on the batch
QUESTION = -1  # the column at position 0 of every path


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

    def take(self, rows: Ints) -> Paths:
        """Of all in order it is the same object, so that nothing is computed twice."""
        is_all = len(rows) == len(self.question) and (rows == np.arange(len(rows))).all()
        return self if is_all else Paths(*(part[rows] for part in vars(self).values()))

    def grow(self, parent: Ints, column: Ints) -> Paths:
        """Add a child column (P,) below the parent positions (P,)."""
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

    def children(self, paths: Paths, parent: Ints) -> Floats:
        """(P, C) log-probability of each child, given the parent's position (P,)."""


@dataclass(frozen=True)
class StepTrace:
    """The probabilities of one step: of each position as parent, of each child column."""

    parents: Floats
    children: Floats


@dataclass(frozen=True)
class ScoredPath:
    """A path, its log-probability, and the probabilities of its steps.

    In the result of a search the path is finished, and the score is that of its graph: summed over
    every order of growth that was found for it.
    """

    path: Path
    score: float
    trace: tuple[StepTrace, ...]

    @property
    def graph(self) -> Graph:
        nodes = [step.child for step in self.path.steps if step.child != END]
        pairs = zip(nodes, self.path.steps, strict=False)
        edges = [(node, nodes[step.parent - 1]) for node, step in pairs if step.parent]
        return Graph(frozenset(nodes), frozenset(edges))


@dataclass(frozen=True)
class SearchState:
    """A search after one step: open and finished paths. The next step changes `finished`."""

    scorer: Scorer
    fails: Bools  # (questions,)
    paths: Paths  # the best first within a question
    scores: Floats  # (P,)
    traces: list[tuple[StepTrace, ...]]  # of each path
    finished: list[list[ScoredPath]]  # by question

    def found(self, row: int) -> ScoredPath:
        question = self.paths.question[row]
        strategy = Strategy.FAIL_PROOF if self.fails[question] else Strategy.PROOF
        nodes = [*self.scorer.sentence[question].tolist(), NAF, END]
        grown = np.stack([self.paths.parents[row], self.paths.columns[row]], axis=1)[1:].tolist()
        path = Path(strategy, tuple(Step(parent, nodes[column]) for parent, column in grown))
        return ScoredPath(path, float(self.scores[row]), self.traces[row])

    def leads(self) -> dict[int, ScoredPath]:
        """The best path of each question; of equals, one that has ended."""
        known = dict(enumerate(map(list, self.finished)))
        for question, row in zip(*np.unique(self.paths.question, return_index=True), strict=True):
            known[int(question)].append(self.found(int(row)))
        return {question: min(found, key=_rank) for question, found in known.items() if found}

    def best(self, beams: int) -> list[list[ScoredPath]]:
        """The finished paths of each question, best first, one per graph."""
        return [_ranked(found)[:beams] for found in self.finished]


def search(scorer: Scorer, beams: int = 8, max_steps: int | None = None) -> list[list[ScoredPath]]:
    """For each question its best proofs, at most `beams`, best first, none of more than `max_steps`
    nodes (default: twice the sentences of its own theory)."""
    *_, last = growing(scorer, beams, max_steps)
    return last.best(beams)


def growing(scorer: Scorer, beams: int = 8, max_steps: int | None = None) -> Iterator[SearchState]:
    """The search step by step; the last state has the result. It may be closed after any step."""
    if beams < 1 or (max_steps is not None and max_steps < 1):
        raise ValueError(f"beams and max_steps must be at least 1, not {beams} and {max_steps}")
    count, width = scorer.is_rule.shape
    legal = _Legal.of(scorer, max_steps)
    finished: list[list[ScoredPath]] = [[] for _ in range(count)]
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
        pairs = zip(rows[source].tolist(), source.tolist(), strict=True)
        traces = [(*traces[row], StepTrace(parents[row], children[at])) for row, at in pairs]
        state = SearchState(scorer, legal.fails, paths, scores, traces, finished)
        ended = column == width + 1
        for row in np.flatnonzero(ended).tolist():
            finished[paths.question[row]].append(state.found(row))
        open_ = np.flatnonzero(~ended & _is_open(paths, scores, ended, finished, beams))
        paths, scores = paths.take(open_), scores[open_]
        traces = [traces[row] for row in open_.tolist()]
        yield replace(state, paths=paths, scores=scores, traces=traces)
        if not len(open_):
            break


def _best(scores: Floats, question: Ints, beams: int) -> tuple[Floats, Ints, Ints]:
    """Of (P, X) the `beams` best of each question (P,), best first: scores, rows, columns."""
    rounded = scores.round(_DECIMALS)
    kept = scores > -np.inf
    if scores.shape[1] > beams:  # the others of a row cannot be among the best
        kept &= rounded >= np.partition(rounded, -beams, axis=1)[:, -beams, None]
    row, place = np.nonzero(kept)
    if len(row) > 1:
        order = np.lexsort((-rounded[row, place], question[row]))
        ranked = question[row[order]]
        order = order[np.arange(len(order)) - np.searchsorted(ranked, ranked) < beams]
        row, place = row[order], place[order]
    return scores[row, place], row, place


def _is_open(
    paths: Paths, scores: Floats, ended: Bools, finished: Sequence[Sequence[ScoredPath]], beams: int
) -> Bools:
    """(P,) Whether some open path of its question could still be among the best."""
    best = np.full(len(finished), -np.inf)
    np.maximum.at(best, paths.question[~ended], scores[~ended])
    ranked = (sorted((one.score for one in found), reverse=True) for found in finished)
    worst = [found[beams - 1] if len(found) >= beams else -np.inf for found in ranked]
    return (best > worst)[paths.question]


def _parents(scorer: Scorer, paths: Paths, fails: Bools) -> Floats:
    """(P, L) log-probabilities. The question has one child; a fail-proof (P,) grows at its end."""
    logp = np.full(paths.columns.shape, -np.inf)
    logp[:, -1] = 0.0
    decides = np.flatnonzero(~fails)
    if len(decides) and paths.columns.shape[1] > 1:
        logp[decides] = scorer.parents(paths.take(decides))
        logp[decides, 0] = -np.inf
    return logp


@dataclass(frozen=True)
class _Legal:
    """Which children a path may get: by question.

    Only rules have children; a reading is once among the children of a node; no reading rests on
    itself (a rule may be below itself for another entity). A fail-proof is a chain of different
    rules. A proof is not empty.
    """

    fails: Bools  # (questions,)
    limit: Ints  # (questions,) the most nodes of a path: its own, whatever else is in the batch
    candidate: Bools  # (questions, N) what can be a child at all
    name: Ints  # (questions, N) is unique among siblings, or in a chain
    bears: Bools  # (questions, N + 2) what can have children: rules, not NAF, and QUESTION (-1)
    by_entity: Bools  # (questions,) has several readings of a sentence: a repeat is a loop

    @classmethod
    def of(cls, scorer: Scorer, max_steps: int | None) -> _Legal:
        """The strategies are the scorer's, but nothing can be proved from no sentences."""
        count, width = scorer.is_rule.shape
        fails = np.array([s is Strategy.FAIL_PROOF for s in scorer.strategies], dtype=bool)
        fails |= ~scorer.is_reading.any(axis=1)
        last = np.where(scorer.is_reading, scorer.sentence, 0).max(axis=1, initial=0)
        readings = zip(scorer.sentence, scorer.is_reading, strict=True)
        chain = fails[:, None]
        return cls(
            fails=fails,
            limit=2 * (last + 1) if max_steps is None else np.full(count, max_steps),
            candidate=np.where(chain, scorer.is_rule, scorer.is_reading),
            name=np.where(chain, scorer.sentence, np.arange(width)),
            bears=np.column_stack([scorer.is_rule, np.zeros(count, bool), np.ones(count, bool)]),
            by_entity=np.array([len(set(s[r])) < r.sum() for s, r in readings], dtype=bool),
        )

    def may_be_child(self, paths: Paths, parent: Ints) -> Bools:
        """(P, C). END is allowed except as the first child of a proof; at the limit only END is."""
        (count, length), width = paths.columns.shape, self.name.shape[1]
        chain, only_end = self.fails[paths.question], length > self.limit[paths.question]
        at = paths.columns[np.arange(count), parent]
        bears = self.bears[paths.question, at] & ~only_end
        beside = paths.parents == parent[:, None]  # (P, L)
        has_naf = (beside & (paths.columns == width)).any(axis=1)
        above = _above(paths, parent) & self.by_entity[paths.question, None]
        used = self._used(paths, beside | above | chain[:, None])
        may = np.empty((count, width + 2), dtype=bool)
        may[:, :width] = self.candidate[paths.question] & bears[:, None] & ~used
        may[:, width] = bears & (at != QUESTION) & ~chain & ~has_naf
        may[:, width + 1] = chain | only_end | (length > 1)
        return may

    def _used(self, paths: Paths, where: Bools) -> Bools:
        """(P, N): the readings with the name of one that is at the marked positions (P, L)."""
        name, columns = self.name[paths.question], paths.columns
        row, position = np.nonzero(where & (columns >= 0) & (columns < name.shape[1]))
        marks = np.zeros(name.shape, dtype=bool)
        marks[row, name[row, columns[row, position]]] = True
        return marks[np.arange(len(marks))[:, None], name]


def _above(paths: Paths, parent: Ints) -> Bools:
    """(P, L): every occurrence of the parent's reading, and of all readings that rest on it."""
    length = paths.columns.shape[1]
    same = paths.columns[:, :, None] == paths.columns[:, None, :]  # (P, L, L)
    rests = same | (paths.parents[:, :, None] == np.arange(length))  # on position i: position j
    marks: Bools = np.arange(length) == parent[:, None]
    found = 0
    while (total := int(marks.sum())) > found:
        found, marks = total, (marks[:, :, None] & rests).any(axis=1)
    return marks


def _ranked(found: Sequence[ScoredPath]) -> list[ScoredPath]:
    """One entry per graph, best first: its likeliest path, with the probability of all of them."""
    groups: dict[Graph, list[ScoredPath]] = {}
    for item in sorted(found, key=_rank):
        groups.setdefault(item.graph, []).append(item)
    merged = [
        replace(items[0], score=float(np.logaddexp.reduce([f.score for f in items])))
        for items in groups.values()
    ]
    return sorted(merged, key=_rank)


def _rank(one: ScoredPath) -> float:
    return -round(one.score, _DECIMALS)
