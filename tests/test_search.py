"""Beam search against plain exhaustive search, on scorers that are random functions of the path."""

from __future__ import annotations

import math
import random
from collections.abc import Generator, Iterator
from graphlib import CycleError, TopologicalSorter

import numpy as np
import pytest

from ibr.decoding.search import QUESTION, Floats, Ints, Paths, ScoredPath, growing, search
from ibr.proof import END, NAF, Path, Step
from ibr.theory import Strategy

Story = tuple[tuple[int, int], ...]  # (parent position, column) pairs


class RandomScorer:
    """Log-probabilities drawn from a generator seeded by question, path (and parent)."""

    def __init__(
        self, strategies: list[Strategy], kinds: list[str], seed: int, entities: int = 1
    ) -> None:
        """With `entities`, so many readings follow each other for one sentence."""
        self.strategies = strategies
        width = max(map(len, kinds))
        self.is_reading = np.array([[i < len(k) for i in range(width)] for k in kinds], dtype=bool)
        self.is_rule = np.array(
            [[k[i : i + 1] == "r" for i in range(width)] for k in kinds], dtype=bool
        )
        self.sentence = np.tile(np.arange(width) // entities, (len(kinds), 1))
        self.entities = entities
        self.seed = seed

    def _logp(self, size: int, *key: object) -> Floats:
        rng = random.Random(repr((self.seed, key)))
        weights = np.array([rng.random() + 0.01 for _ in range(size)])
        return np.log(weights / weights.sum())

    def parents_of(self, question: int, story: Story) -> Floats:
        return self._logp(len(story) + 1, question, story)

    def children_of(self, question: int, story: Story, parent: int) -> Floats:
        return self._logp(self.is_rule.shape[1] + 2, question, story, parent)

    def parents(self, paths: Paths) -> Floats:
        return np.array(
            [self.parents_of(int(q), _story(paths, row)) for row, q in enumerate(paths.question)]
        )

    def children(self, paths: Paths, parent: Ints) -> Floats:
        asked = zip(paths.question, parent, strict=True)
        return np.array(
            [
                self.children_of(int(q), _story(paths, row), int(p))
                for row, (q, p) in enumerate(asked)
            ]
        )


def _story(paths: Paths, row: int) -> Story:
    pairs = zip(paths.parents[row, 1:], paths.columns[row, 1:], strict=True)
    return tuple((int(p), int(c)) for p, c in pairs)


def exhaustive(scorer: RandomScorer, question: int, limit: int) -> dict[object, float]:
    """Graph → log of the summed probability of every legal path, written from the definition."""
    is_rule, is_reading = scorer.is_rule[question], scorer.is_reading[question]
    width = len(is_rule)
    fails = scorer.strategies[question] is Strategy.FAIL_PROOF

    def legal(story: Story, parent: int, column: int) -> bool:
        at = QUESTION if parent == 0 else story[parent - 1][1]
        siblings = [c for p, c in story if p == parent]
        if scorer.entities > 1 and column < width and rests_on_itself((*story, (parent, column))):
            return False
        if column == width + 1:
            return fails or bool(story)
        if len(story) >= limit or (at != QUESTION and (at >= width or not is_rule[at])):
            return False
        if fails:
            used = {int(scorer.sentence[question, c]) for _, c in story}
            return (
                column < width
                and bool(is_rule[column])
                and int(scorer.sentence[question, column]) not in used
            )
        if column == width:
            return at != QUESTION and column not in siblings
        return bool(is_reading[column]) and column not in siblings

    def paths(story: Story, score: float) -> Iterator[tuple[Story, float]]:
        length = len(story) + 1
        positions = [length - 1] if fails else [0] if length == 1 else range(1, length)
        parent_logp = scorer.parents_of(question, story)
        for parent in positions:
            child_logp = scorer.children_of(question, story, parent)
            for column in range(width + 2):
                if not legal(story, parent, column):
                    continue
                chosen = 0.0 if fails else parent_logp[parent]  # a chain has no choice
                total = score + float(chosen + child_logp[column])
                longer = (*story, (parent, column))
                if column == width + 1:
                    yield longer, total
                else:
                    yield from paths(longer, total)

    names = {**dict(enumerate(scorer.sentence[question].tolist())), width: NAF, width + 1: END}
    sums: dict[object, float] = {}
    for story, score in paths((), 0.0):
        steps = tuple(Step(p, names[c]) for p, c in story)
        graph = Path(scorer.strategies[question], steps).to_proof().graph
        sums[graph] = float(np.logaddexp(sums.get(graph, -math.inf), score))
    return sums


def rests_on_itself(story: Story) -> bool:
    """Whether the graph of the readings has a cycle: equal readings are one node."""
    columns = [c for _, c in story]
    rests: dict[int, set[int]] = {}
    for parent, column in story:
        if parent:
            rests.setdefault(columns[parent - 1], set()).add(column)
    try:
        TopologicalSorter(rests).prepare()
    except CycleError:
        return True
    return False


BATCHES = [
    ([Strategy.PROOF], ["fr"]),
    ([Strategy.PROOF, Strategy.FAIL_PROOF], ["rf", "rrf"]),
    ([Strategy.FAIL_PROOF, Strategy.PROOF, Strategy.PROOF], ["rrr", "f", "rr"]),
]


@pytest.mark.parametrize(("strategies", "kinds"), BATCHES)
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_is_exhaustive_search(
    strategies: list[Strategy], kinds: list[str], seed: int
) -> None:
    limit = 3
    scorer = RandomScorer(strategies, kinds, seed)
    results = search(scorer, beams=1500, max_steps=limit)
    for question, found in enumerate(results):
        expected = exhaustive(scorer, question, limit)
        assert {f.graph: pytest.approx(f.score, abs=1e-9) for f in found} == expected
        assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


@pytest.mark.parametrize("seed", range(4))
def test_no_reading_rests_on_itself(seed: int) -> None:
    """Two entities: a rule may be below itself for the other entity, never for the same."""
    strategies = [Strategy.PROOF, Strategy.FAIL_PROOF]
    scorer = RandomScorer(strategies, ["rrrr", "rrff"], seed, entities=2)
    wide = search(scorer, beams=4000, max_steps=4)
    for question, found in enumerate(wide):
        expected = exhaustive(scorer, question, 4)
        assert {f.graph: pytest.approx(f.score, abs=1e-9) for f in found} == expected
    assert any((s, s) in f.graph.edges for f in wide[0] for s in (0, 1))
    for state in growing(scorer, beams=8, max_steps=9):
        for row in range(len(state.paths.question)):
            assert not rests_on_itself(_story(state.paths, row))


def test_a_search_can_be_closed_after_any_step() -> None:
    class Counting(RandomScorer):
        calls = 0

        def children(self, paths: Paths, parent: Ints) -> Floats:
            self.calls += 1
            return super().children(paths, parent)

    scorer = Counting([Strategy.PROOF], ["rrff"], 1)
    steps = growing(scorer, beams=3)
    assert isinstance(steps, Generator)
    next(steps), next(steps)
    steps.close()
    assert scorer.calls == 2
    assert next(steps, None) is None


@pytest.mark.parametrize("beams", [1, 2, 8])
def test_narrow_beams_return_legal_distinct_proofs(beams: int) -> None:
    scorer = RandomScorer([Strategy.PROOF, Strategy.FAIL_PROOF] * 3, ["rrfff", "rrrff"] * 3, 7)
    for question, found in enumerate(search(scorer, beams=beams)):
        assert 1 <= len(found) <= beams
        assert len({f.graph for f in found}) == len(found)
        for item in found:
            assert item.path.steps[-1].child == END
            assert len(item.trace) == len(item.path.steps)
            assert item.path.strategy is scorer.strategies[question]


def test_batching_changes_nothing() -> None:
    strategies = [Strategy.PROOF, Strategy.FAIL_PROOF, Strategy.PROOF]
    together = search(RandomScorer(strategies, ["rrf", "rrf", "frf"], 3), beams=3)
    for question in range(3):
        alone = RandomScorer(strategies, ["rrf", "rrf", "frf"], 3)
        alone.strategies = [strategies[question]]
        alone.is_rule, alone.is_reading = alone.is_rule[[question]], alone.is_reading[[question]]
        alone.sentence = alone.sentence[[question]]
        original = alone._logp
        alone._logp = lambda size, _, *key, q=question, o=original: o(size, q, *key)  # type: ignore[method-assign]
        (found,) = search(alone, beams=3)
        assert [(f.path, f.score) for f in found] == [(f.path, f.score) for f in together[question]]


def test_the_trace_holds_what_each_step_weighed() -> None:
    scorer = RandomScorer([Strategy.PROOF], ["rff"], 5)
    (found,) = search(scorer, beams=4)
    story: Story = ()
    for step, trace in zip(found[0].path.steps, found[0].trace, strict=True):
        parents = np.exp(scorer.parents_of(0, story))
        children = np.exp(scorer.children_of(0, story, step.parent))
        column = {NAF: 3, END: 4}.get(step.child, step.child)
        assert trace.parents[step.parent] == pytest.approx(parents[step.parent])
        assert trace.children[column] == pytest.approx(children[column])
        story = (*story, (step.parent, column))


def test_the_lead_is_the_best_path_and_watching_changes_nothing() -> None:
    """And it does change hands: a path that was second may become the first."""
    changes = 0
    for seed in range(20):
        scorer = RandomScorer([Strategy.PROOF, Strategy.FAIL_PROOF], ["rrff", "rrrf"], seed)
        before: dict[int, ScoredPath] = {}
        for state in growing(scorer, beams=4, max_steps=5):
            leads = state.leads()
            assert leads.keys() == {0, 1}
            for question, lead in leads.items():
                assert lead.score == pytest.approx(_score(scorer, question, lead.path))
                others = state.scores[state.paths.question == question].tolist()
                others += [found.score for found in state.finished[question]]
                assert round(lead.score, 4) == round(max(others), 4)
                assert len(lead.trace) == len(lead.path.steps)
                if question in before:
                    old = before[question].path.steps
                    changes += lead.path.steps[: len(old)] != old
            before = leads
        plain = search(scorer, beams=4, max_steps=5)
        watched = state.best(4)
        assert [[(f.path, f.score) for f in found] for found in watched] == [
            [(f.path, f.score) for f in found] for found in plain
        ]
        assert all(lead.path.steps[-1].child == END for lead in before.values())
    assert changes > 20


def _score(scorer: RandomScorer, question: int, path: Path) -> float:
    """The log-probability of a path, from its definition."""
    width, score = scorer.is_rule.shape[1], 0.0
    story: Story = ()
    for step in path.steps:
        column = {NAF: width, END: width + 1}.get(step.child, step.child)
        if story and path.strategy is Strategy.PROOF:
            score += float(scorer.parents_of(question, story)[step.parent])
        score += float(scorer.children_of(question, story, step.parent)[column])
        story = (*story, (step.parent, column))
    return score


def test_of_paths_that_are_as_good_the_one_that_has_ended_leads() -> None:
    class Even(RandomScorer):
        def _logp(self, size: int, *key: object) -> Floats:
            return np.zeros(size)

    for state in growing(Even([Strategy.FAIL_PROOF], ["rr"], 0), beams=3):
        assert state.leads()[0].path == Path(Strategy.FAIL_PROOF, (Step(0, END),))


class NeverEnds(RandomScorer):
    def children_of(self, question: int, story: Story, parent: int) -> Floats:
        logp = super().children_of(question, story, parent)
        logp[-1] = -1000.0
        return logp


def test_a_scorer_that_avoids_end_is_stopped() -> None:
    (found,) = search(NeverEnds([Strategy.PROOF], ["rr"], 1), beams=2, max_steps=6)
    assert found
    assert all(f.path.steps[-1].child == END and len(f.path.steps) <= 7 for f in found)


def test_nothing_can_be_proved_from_nothing() -> None:
    scorer = RandomScorer([Strategy.PROOF], [""], 0)
    (found,) = search(scorer)
    assert found[0].path.strategy is Strategy.FAIL_PROOF
    assert not found[0].graph.nodes


@pytest.mark.parametrize(("beams", "steps"), [(0, None), (1, 0)])
def test_senseless_limits_are_refused(beams: int, steps: int | None) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        search(RandomScorer([Strategy.PROOF], ["r"], 0), beams, steps)


def test_paths_know_their_level_order() -> None:
    zero = np.zeros((1, 1), dtype=np.int64)
    paths = Paths(np.array([0]), zero + QUESTION, zero, zero)
    for parent, column in [(0, 5), (1, 4), (2, 3), (1, 2)]:  # the last one returns to level 2
        paths = paths.grow(np.array([parent]), np.array([column]))
    assert paths.level_order.tolist() == [[0, 1, 2, 4, 3]]
