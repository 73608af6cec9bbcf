"""The verifier's own model against two other engines: the solver, and clingo's stable models."""

from __future__ import annotations

import random

from strategies import ANY, WILD, random_program

from benchmarks.asp import stable_models
from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.solving.solver import NotStratified, Solver


def test_it_is_the_solvers_model_where_negation_is_stratified() -> None:
    for seed in range(1500):
        program = random_program(random.Random(seed), ANY)
        extra = frozenset({"Zoe"} if seed % 3 == 0 else ())
        model = well_founded(program, extra)
        assert model.proved == model.possible == set(Solver(program, extra).model), seed


def test_it_bounds_every_stable_model_of_wild_programs() -> None:
    """The well-founded model lies inside each stable one, and leaves open only what it must."""
    unsettled = 0
    for seed in range(600):
        program = random_program(random.Random(seed), WILD)
        model = well_founded(program)
        assert model.proved <= model.possible
        for stable in stable_models(program):
            assert model.proved <= stable <= model.possible, seed
        try:
            solved = set(Solver(program).model)
        except NotStratified:
            unsettled += model.proved != model.possible
        else:
            assert model.proved == model.possible == solved, seed
    assert unsettled > 20  # such programs were among them


def test_a_paradox_is_possible_but_not_proved() -> None:
    odd, kind = Literal("Bob", "is", "odd"), Literal("Bob", "is", "kind")
    paradox = Clause(odd, (Literal("Bob", "is", "odd", Sign.NAF),))
    model = well_founded(Program(((paradox,), (Clause(kind),))))
    assert model.proved == {kind}
    assert model.possible == {kind, odd}
    assert not model.underivable(odd)


def test_a_variable_is_an_entity_and_nothing_else() -> None:
    """ "Bob runs" has no object that a variable could stand for."""
    runs = Clause(Literal("Bob", "runs", ""))
    rule = Clause(Literal("?x", "is", "busy"), (Literal("?x", "runs", "?y"),))
    assert well_founded(Program(((runs,), (rule,)))).proved == {runs.head}


def test_one_variable_twice_means_the_same_twice() -> None:
    facts = [Clause(Literal("Bob", "likes", "Anne")), Clause(Literal("Anne", "likes", "Anne"))]
    rule = Clause(Literal("?x", "is", "vain"), (Literal("?x", "likes", "?x"),))
    proved = well_founded(Program(((*facts,), (rule,)))).proved
    assert proved == {facts[0].head, facts[1].head, Literal("Anne", "is", "vain")}
