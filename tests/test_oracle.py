"""The model against clingo's, an independent engine, on random theories with negation.

Explicit negatives are predicates of their own there as here. A stratified program has exactly one
stable model, and so has any whose well-founded model is total.
"""

from __future__ import annotations

import random

import clingo
import pytest
from strategies import ANY, WILD, Shape, random_program

from ibr.logic.clause import Literal, Program, Sign, is_variable
from ibr.logic.solver import NotStratified, Solver


def _term(term: str) -> str:
    return term.removeprefix("?").upper() if is_variable(term) else f'"{term}"'


def _atom(literal: Literal) -> str:
    name = "not_true" if literal.sign == Sign.NEGATIVE else "true"
    parts = map(_term, (literal.subject, literal.relation, literal.object))
    return f"{'not ' if literal.sign == Sign.NAF else ''}{name}({','.join(parts)})"


def _text(program: Program) -> str:
    lines = [f'entity("{entity}").' for entity in program.entities]
    for _, (head, body) in program:
        variables = head.variables.union(*(literal.variables for literal in body))
        conditions = [f"entity({_term(v)})" for v in sorted(variables)] + [_atom(b) for b in body]
        lines.append(f"{_atom(head)} :- {', '.join(conditions)}.")
    return "\n".join(lines)


def _complain(code: clingo.MessageCode, message: str) -> None:
    if code != clingo.MessageCode.AtomUndefined:  # a condition that no sentence can meet
        raise AssertionError(message)


def stable_models(program: Program) -> list[set[Literal]]:
    control = clingo.Control(["0"], logger=_complain)
    control.add("base", [], _text(program))
    control.ground([("base", [])])
    models: list[set[Literal]] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            models.append(set())
            for symbol in model.symbols(atoms=True):
                if symbol.name != "entity":
                    sign = Sign.NEGATIVE if symbol.name == "not_true" else Sign.POSITIVE
                    models[-1].add(Literal(*(a.string for a in symbol.arguments), sign))
    return models


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
