"""Where literals rest on each other: counting by shared states against growing every tree."""

from __future__ import annotations

import random
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from naive import lit, theory
from strategies import Shape, programs

from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solving.solver import Solver, TooManyStates

KNOTTED = Shape(facts=(2, 6), rules=(8, 20), variables=("?x",), conditions=(1, 1, 2, 2, 3))
MOST = 2000


@settings(max_examples=150)
@given(programs(KNOTTED))
def test_the_count_is_the_number_of_proofs(program: Program) -> None:
    solver = Solver(program)
    for literal in islice(solver.model, 12):
        number = solver.count_proofs(literal)
        if number <= MOST:
            proofs = list(solver.proofs(literal))
            assert len(proofs) == number
            assert all(a.size <= b.size for a, b in pairwise(proofs))


def _ring(size: int) -> Program:
    """A ring of facts and a transitive rule: every literal rests on every other."""
    names = [f"E{k}" for k in range(size)]
    facts = [Literal(name, "likes", names[(k + 1) % size]) for k, name in enumerate(names)]
    likes = Clause(
        Literal("?x", "likes", "?z"), (Literal("?x", "likes", "?y"), Literal("?y", "likes", "?z"))
    )
    return Program((*((Clause(fact),) for fact in facts), (likes,)))


def test_a_ring_of_friends() -> None:
    solver = Solver(_ring(5))
    last = Literal("E0", "likes", "E4")
    assert solver.count_proofs(last) == len(list(solver.proofs(last))) == 89
    assert solver.proof(last).size == 7


def test_counting_stops_after_so_many_states() -> None:
    solver = Solver(_ring(12))
    last = Literal("E0", "likes", "E11")
    with pytest.raises(TooManyStates, match="more than 500 states"):
        solver.count_proofs(last, max_states=500)
    first = next(solver.proofs(last))
    assert first.size == 2 * 11 - 1
    assert solver.accepts(last, first.graph)


def _ladder(steps: int) -> Program:
    """Each step rests on two of the step before: 2 ** steps proofs of the last."""
    rungs = [
        f"Bob is {side}{k} <- Bob is {other}{k - 1}"
        for k in range(1, steps + 1)
        for side in "ab"
        for other in "ab"
    ]
    return theory("Bob is a0", "Bob is b0", *rungs)


def test_millions_of_proofs_are_counted_and_begun_without_being_listed() -> None:
    solver = Solver(_ladder(60))
    top = lit("Bob is a60")
    assert solver.count_proofs(top) == 2**60
    first = list(islice(solver.proofs(top), 100))
    assert len(set(first)) == 100
    assert all(solver.accepts(top, proof.graph) for proof in first[:5])


def test_proofs_and_failures_may_be_deeper_than_the_python_stack() -> None:
    rules = [f"?x is a{k + 1} <- ?x is a{k}" for k in range(3000)]
    random.Random(0).shuffle(rules)
    solver = Solver(theory("Bob is a0", *rules, "Ann is b"))
    top = lit("Bob is a3000")
    assert solver.judge(top).depth == 3000
    assert solver.proof(top).size == next(solver.proofs(top)).size == 3001
    assert solver.count_proofs(top) == 1
    assert solver.accepts(top, solver.proof(top).graph)
    assert solver.judge(lit("Ann is a3000")).depth == 3000


def test_a_ring_is_counted_without_repeating_a_literal() -> None:
    rules = [f"Bob is a{(k + 1) % 400} <- Bob is a{k}" for k in range(400)]
    solver = Solver(theory("Bob is a0", *rules))
    assert solver.count_proofs(lit("Bob is a0")) == 1
    assert solver.count_proofs(lit("Bob is a399")) == 1
