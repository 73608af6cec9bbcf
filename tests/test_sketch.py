"""The sketch of an unfinished theory against the solver."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.data.making.growth import Plan, StuckDraft, grow
from ibr.data.making.shape import PRESETS
from ibr.data.making.vocabulary import draw_world, vocabulary
from ibr.logic.clause import Program
from ibr.logic.solving.solver import Solver


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(sorted(PRESETS)), st.integers(0, 8), st.floats(0, 0.999), st.integers(0, 10**6)
)
def test_a_sketch_sees_what_the_solver_proves(
    preset: str, depth: int, share: float, seed: int
) -> None:
    rng = random.Random(seed)
    shape = PRESETS[preset](depth, share, rng)
    plan = Plan.draw(shape, rng)
    try:
        draft = grow(plan, draw_world(shape, plan.entities, vocabulary("open"), rng), shape, rng)
    except StuckDraft:
        return
    program = Program(tuple((clause,) for clause in (*draft.facts, *draft.rules)))
    levels = draft.sketch.outcome.levels
    seen = {lit: d for d, level in enumerate(levels) for lit in draft.sketch.literals(level)}
    assert seen == Solver(program).model
