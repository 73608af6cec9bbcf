"""The model against clingo's, an independent engine, on random theories with negation."""

from __future__ import annotations

import random

import pytest
from strategies import ANY, WILD, Shape, random_program

from benchmarks.asp import stable_models
from ibr.logic.solving.solver import NotStratified, Solver


def _differences(seeds: range, shape: Shape) -> list[int]:
    return [
        seed
        for seed in seeds
        if stable_models(program := random_program(random.Random(seed), shape))
        != [set(Solver(program).model)]
    ]


def test_500_theories_have_clingos_model() -> None:
    assert _differences(range(500), ANY) == []


@pytest.mark.slow
def test_10_000_theories_have_clingos_model() -> None:
    big = Shape(facts=(1, 12), rules=(1, 15))
    assert _differences(range(5_000), ANY) + _differences(range(5_000), big) == []


def test_what_is_not_refused_as_unstratified_has_clingos_model() -> None:
    refused = 0
    for seed in range(500):
        program = random_program(random.Random(seed), WILD)
        try:
            model = set(Solver(program).model)
        except NotStratified:
            refused += 1
        else:
            assert stable_models(program) == [model], f"seed {seed}"
    assert 0 < refused < 400
