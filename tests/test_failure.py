"""Failure chains that are cut: never longer than the whole, and never called exact if not."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from naive import Naive
from strategies import Shape, programs

from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solving import failure
from ibr.logic.solving.solver import Solver

CYCLIC = Shape(rules=(6, 10), variables=("?x",), conditions=(1, 1, 2), clauses=1)


@pytest.mark.parametrize(("steps", "instances"), [(6, 50_000), (20_000, 2)])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(program=programs(CYCLIC))
def test_a_cut_chain_is_a_lower_bound(
    program: Program, steps: int, instances: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failure, "STEPS", steps)
    monkeypatch.setattr(failure, "INSTANCES", instances)
    solver, naive = Solver(program), Naive(program)
    for atom in sorted({clause.head.atom for _, clause in naive.ground} - naive.true):
        if atom.negation not in naive.true:
            verdict, gold = solver.judge(atom), naive.failure(atom)
            assert verdict.depth == solver.failure(atom).size
            assert verdict.depth == len(gold) if verdict.exact else verdict.depth <= len(gold)
            assert (verdict.depth > 0) == bool(gold)


def test_dozens_of_rules_that_lead_to_each_other_are_cut() -> None:
    rng = random.Random(0)
    atoms = [Literal("Bob", "is", f"a{k}") for k in range(10)]
    rules = [Clause(rng.choice(atoms), tuple(rng.sample(atoms, 2))) for _ in range(60)]
    solver = Solver(Program(tuple((rule,) for rule in rules)))
    cut = [atom for atom in atoms if not solver.judge(atom).exact]
    assert cut
    for atom in cut:
        chain = [tree.node for tree in solver.failure(atom)]
        assert len(chain) == len(set(chain)) == solver.judge(atom).depth > 5
        assert rules[chain[0]].head == atom
        assert all(rules[below].head in rules[rule].body for rule, below in pairwise(chain))
