"""Provers and fixed models for the tests of asking and serving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest
import torch
from tiny import model_config

import ibr
from ibr.decoding import manifest
from ibr.decoding.proving import SearchingReasoner, Traced
from ibr.decoding.scoring import EncodedScorer
from ibr.decoding.search import Floats, Ints, Paths, ScoredPath, Scorer
from ibr.inputs.arrays import Asked
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.prediction import Prediction, Source
from ibr.proof import END, NAF, Path, Step
from ibr.theory import Problem, Strategy

BIRD = ("Arthur is a bird.", "If someone is a bird and not wounded then they are flying.")


class Fixed(SearchingReasoner):
    """A model that found these proofs, best first, and has this probability of "true"."""

    def __init__(self, probability: float, *paths: Path) -> None:
        super().__init__("fixed")
        self._probability, self._paths = probability, paths

    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        raise NotImplementedError

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        assert self.trace
        found = tuple(ScoredPath(path, -float(k), ()) for k, path in enumerate(self._paths))
        answer = self._probability > 0.5
        return [
            Traced(
                problem.id,
                answer,
                self.name,
                found[0].path.strategy,
                found[0].graph,
                source=Source.MODEL,
                confidence=max(self._probability, 1 - self._probability),
                found=found,
            )
            for problem in problems
        ]


def path(*steps: tuple[int, int], strategy: Strategy = Strategy.PROOF) -> Path:
    return Path(strategy, (*(Step(*step) for step in steps), Step(len(steps), END)))


FLIES = path((0, 1), (1, NAF), (1, 0))
FORGETS = path((0, 1), (1, 0))  # the NAF
NOTHING = path(strategy=Strategy.FAIL_PROOF)

needs_model = pytest.mark.skipif(
    not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
    reason="ibr/models/small is not here: export a model to it to run this test",
)

RULES = """\
Arthur is a bird.
Bill is a bird. Bill is wounded.
If someone is a bird and not wounded then they are flying.
If someone is flying then they are happy.
Wounded people are not happy.
"""
CIRCLE = (
    "Bob is big.\n"
    "If someone is not red then they are blue.\n"
    "If someone is not blue then they are red."
)


@cache
def untrained() -> ModelReasoner:
    torch.manual_seed(3)
    return ModelReasoner(IBR(model_config(dropout=0.0)).eval())


def solver() -> ibr.Prover:
    return ibr.Prover(SolverReasoner())


def model(verify: bool = True) -> ibr.Prover:
    return ibr.Prover(untrained(), verify)


class Counting:
    """A scorer that counts the steps of the search, and calls `before` each."""

    def __init__(self, scorer: Scorer, before: Callable[[int], None] = lambda step: None) -> None:
        self.strategies, self.sentence = scorer.strategies, scorer.sentence
        self.is_rule, self.is_reading = scorer.is_rule, scorer.is_reading
        self.parents, self._scorer, self._before = scorer.parents, scorer, before
        self.steps = 0

    def children(self, paths: Paths, parent: Ints) -> Floats:
        self._before(self.steps)
        self.steps += 1
        return self._scorer.children(paths, parent)
