"""Generated theories: as deep as asked for, the same for a seed, read and proved by others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.data.formats.example import Example
from ibr.data.formats.rule_reasoning import read, write
from ibr.data.making import generator as generate_module
from ibr.data.making.generator import Recipe, generate, make_theory
from ibr.data.making.growth import Plan, grow
from ibr.data.making.questions import SolvableTheory
from ibr.data.making.shape import PRESETS, Count, GenerateError, Shape
from ibr.logic.checking.verifier import check
from ibr.logic.solving.solver import Solver
from ibr.logic.surface.templates import parse
from ibr.prediction import Status
from ibr.theory import FineStrategy, Kind

RECIPES = (
    *(Recipe(depth) for depth in (0, 1, 2, 3, 5, 9)),
    Recipe(4, vocabulary="open"),
    Recipe(8, "wide", "open", all_proofs=False, max_proofs=16),
    Recipe(14, vocabulary="open", all_proofs=False, max_proofs=16),
    Recipe(3, entities=1),
    Recipe(6, sentences=60, vocabulary="open", max_proofs=4),
)
recipes = st.sampled_from(RECIPES)
places = st.integers(min_value=0, max_value=10**6)


@settings(max_examples=150, deadline=None)
@given(recipes, places)
def test_something_is_proved_at_every_depth_and_nothing_deeper(recipe: Recipe, k: int) -> None:
    made = make_theory(recipe, 5, k)
    solver = Solver(made.program)  # raises if negation runs in a circle
    depth = depth_of(made)
    assert set(solver.model.values()) == set(range(depth + 1))
    assert depth <= recipe.depth if recipe.preset == "wide" else depth == recipe.depth
    assert not any(literal.negation in solver.model for literal in solver.model)
    assert made.world is not None
    assert made.program.entities == set(made.world.entities)


def depth_of(made: SolvableTheory) -> int:
    """The depth of its shape, which the id names: AttNeg-D5-3."""
    return int(made.id.split("-D")[1].split("-")[0])


@settings(max_examples=100, deadline=None)
@given(recipes, places)
def test_the_text_says_the_program(recipe: Recipe, k: int) -> None:
    made = make_theory(recipe, 6, k)
    assert len(set(made.theory.sentences)) == len(made.theory), "a sentence occurs twice"
    for sentence, clauses in zip(made.theory, made.program.clauses, strict=True):
        reading = parse(sentence.text)
        assert reading is not None, sentence.text
        assert reading.clauses == clauses
        assert reading.kind is sentence.kind
    facts = [
        n for n, s in zip(made.theory.numbers, made.theory, strict=True) if s.kind == Kind.FACT
    ]
    assert sorted(facts) == list(range(min(made.theory.numbers), max(facts) + 1)), "facts first"


@settings(max_examples=40, deadline=None)
@given(recipes, places)
def test_every_gold_proof_is_valid(recipe: Recipe, k: int) -> None:
    (examples,) = generate(recipe, 7, 1, first=k)
    for example in examples:
        assert example.program is not None
        assert example.literal is not None
        assert example.proofs
        for proof in example.proofs:
            verdict = check(example.program, example.literal, proof.graph, proof.strategy)
            assert verdict.status is Status.VALID, (example.id, verdict)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(RECIPES[:6]), places)
def test_questions_come_in_the_published_order(recipe: Recipe, k: int) -> None:
    (examples,) = generate(recipe, 8, 1, first=k)
    proved = 2 * (recipe.depth + 1)
    strategies = [example.fine_strategy for example in examples]
    assert strategies[:proved] == [FineStrategy.PROOF, FineStrategy.INV_PROOF] * (recipe.depth + 1)
    assert [e.depth for e in examples[:proved]] == [
        d for d in range(recipe.depth + 1) for _ in "12"
    ]
    assert len(examples) <= 2 * proved
    assert all(s in _UNPROVED for s in strategies[proved:])
    assert sum(example.answer for example in examples) * 2 == len(examples)


_UNPROVED = (
    FineStrategy.RCONC,
    FineStrategy.INV_RCONC,
    FineStrategy.RANDOM,
    FineStrategy.INV_RANDOM,
)


def texts(made: SolvableTheory) -> list[str]:
    return [made.id, *(sentence.text for sentence in made.theory)]


def test_a_theory_depends_on_seed_and_number_only() -> None:
    recipe = Recipe(3)
    whole = list(generate(recipe, 1, 12))
    assert list(generate(recipe, 1, 5, first=4)) == whole[4:9]
    assert texts(make_theory(recipe, 1, 4)) == texts(make_theory(recipe, 1, 4))
    assert texts(make_theory(recipe, 1, 4)) != texts(make_theory(recipe, 2, 4))
    assert len({tuple(texts(make_theory(recipe, 1, k))) for k in range(40)}) == 40


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_another_process_makes_the_same(preset: str) -> None:
    code = (
        "from ibr.data.making.generator import *\n"
        f"recipe = Recipe(5, {preset!r}, 'open')\n"
        "for group in generate(recipe, 3, 6):\n"
        "    for example in group: print(example)\n"
    )
    outputs = set()
    for hash_seed in ("0", "1"):  # sets of strings are ordered otherwise
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count("Example(") > 60


def test_theories_are_grown_not_drawn_and_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = Counter[str]()

    def counted(plan: Plan, *rest: object) -> object:
        drafts["begun"] += 1
        return grow(plan, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(generate_module, "grow", counted)
    for k in range(150):
        make_theory(Recipe(5), 0, k)
    assert drafts["begun"] < 1.4 * 150


def test_numbers_asked_for_are_kept() -> None:
    made = make_theory(Recipe(20, sentences=200, vocabulary="open"), 0, 0)
    assert len(made.theory) == 200
    assert depth_of(made) == 20
    made = make_theory(Recipe(5, entities=7, facts=30, rules=12), 0, 1)
    kinds = Counter(sentence.kind for sentence in made.theory)
    assert kinds == {Kind.FACT: 30, Kind.RULE: 12}
    assert len(made.program.entities) == 7
    (examples,) = generate(Recipe(2, unproved=4), 0, 1)
    assert len(examples) == 6 + 4


def test_a_shape_of_ones_own() -> None:
    shape = Shape("Mine", 3, entities=Count.exactly(3), conditions=(0.0, 0.0, 1.0), ground=1.0)
    made = make_theory(Recipe(own=shape), 0, 0)
    rules = [clause for _, clause in made.program if clause.body]
    assert made.id == "Mine-D3-0"
    assert not any(rule.variables for rule in rules)
    assert sum(len(rule.body) == 3 for rule in rules) >= len(rules) - 3  # the first step may not


def test_wide_is_wide() -> None:
    made = [make_theory(Recipe(8, "wide", "open"), 2, k) for k in range(250)]
    assert {depth_of(theory) for theory in made} == set(range(1, 9))
    sizes = [len(theory.theory) for theory in made]
    assert min(sizes) <= 8
    assert max(sizes) >= 40
    rules = [[c for _, c in theory.program if c.body] for theory in made]
    assert {len(rule.body) for own in rules for rule in own} == {1, 2, 3, 4}
    assert sum(not any(rule.variables for rule in own) for own in rules) > 30, "ground theories"
    text = " ".join(theory.theory.text for theory in made)
    assert " is a " in text
    assert " can " in text
    assert " cannot " in text
    ground = [rule for own in rules for rule in own if not rule.variables]
    assert sum(len(rule.entities) >= 3 for rule in ground) > 50, "several entities in one rule"
    assert " is on" in text
    assert " has the " in text
    assert sum(" " in entity for theory in made for entity in theory.world.entities) > 30
    hubs = [theory for theory in made if theory.world.hub is not None]
    assert len(hubs) > 30
    for theory in hubs:
        literals = [lit for _, c in theory.program for lit in (c.head, *c.body)]
        doing = {lit.subject for lit in literals if lit.relation in theory.world.verbs}
        assert doing <= {theory.world.hub}


def test_files_hold_all_of_it(tmp_path: Path) -> None:
    examples = [example for group in generate(Recipe(3), 0, 20) for example in group]
    assert write(tmp_path, "dev", examples) == len(examples)
    back = list(read(tmp_path, "dev"))
    assert list(map(labels, back)) == list(map(labels, examples))
    assert [e.program for e in back] == [e.program for e in examples]


def labels(example: Example) -> tuple[object, ...]:
    proofs = frozenset(proof.graph for proof in example.proofs or ())
    return (
        example.id,
        example.theory.text,
        example.question,
        example.answer,
        example.depth,
        example.length,
        example.fine_strategy,
        proofs,
    )


def test_a_large_theory_gets_one_proof_a_question() -> None:
    recipe = Recipe(20, sentences=200, vocabulary="open")
    (examples,) = generate(recipe, 0, 1, first=3)  # some statements have proofs past counting
    assert [len(e.proofs or ()) for e in examples] == [1] * len(examples)
    assert {e.depth for e in examples} >= set(range(21))


def test_the_number_of_proofs_is_capped() -> None:
    recipe = Recipe(5, max_proofs=2, all_proofs=False)
    many = [e for group in generate(Recipe(5), 0, 30) for e in group]
    few = [e for group in generate(recipe, 0, 30) for e in group]
    assert any(len(e.proofs or ()) > 2 for e in many)
    for full, capped in zip(many, few, strict=True):
        assert capped.proofs == tuple(islice(full.proofs or (), 2))


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ({"depth": 21}, "depth 21: use 0 to 20"),
        ({"preset": "narrow"}, "'narrow': use ruletaker or wide"),
        ({"sentences": 201}, "sentences 201: use 1 to 200"),
        ({"depth": 5, "rules": 4}, "depth 5 needs as many rules, not 4"),
        ({"entities": 6, "facts": 3}, "3 facts are too few"),
        ({"max_proofs": 0}, "max_proofs 0"),
    ],
)
def test_impossible_recipes(recipe: dict[str, int], complaint: str) -> None:
    with pytest.raises(GenerateError, match=complaint):
        Recipe(**recipe)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        (Recipe(20), '14 adjectives, but a theory needs 22.*vocabulary "open"'),
        (Recipe(5, entities=30, facts=60), "8 names, but a theory needs 30"),
        (Recipe(5, entities=2, facts=40), "too few statements for 40 facts.*more entities"),
    ],
)
def test_recipes_that_the_words_cannot_fill(recipe: Recipe, complaint: str) -> None:
    with pytest.raises(GenerateError, match=complaint):
        list(generate(recipe, 0, 3))


def test_a_shape_that_nothing_fits_is_drawn_anew() -> None:
    """The first shape of this theory needs more depth than its one doer can carry."""
    recipe = Recipe(5, "wide", "open")
    made = make_theory(recipe, 0, 64)
    assert made == make_theory(recipe, 0, 64)
    with pytest.raises(GenerateError, match="attempts"):
        make_theory(Recipe(1, entities=1, facts=50, rules=50), 0, 0)  # here there is no choice
