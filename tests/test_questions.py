"""Questions are drawn in RuleTaker's order, and from the same pools as the published ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example, by_theory
from ibr.data.making.generator import Recipe, generate
from ibr.data.making.questions import QuestionPlan, SolvableTheory, sample_questions
from ibr.data.making.vocabulary import World
from ibr.logic.checking.verifier import check
from ibr.logic.clause import Literal, Name, Program
from ibr.logic.solving.solver import Solver
from ibr.logic.surface import templates
from ibr.theory import FineStrategy, Strategy, Theory

CHAIN = Theory.of(
    [
        "Anne is red.",
        "Bob is not cold.",
        "All red people are big.",
        "If someone is big and not kind then they are young.",
        "If Bob is big then Bob is nice.",
        "If someone is nice then they are furry.",
    ]
)


def read(theory: Theory) -> tuple[Theory, Program]:
    readings = [templates.parse(sentence.text) for sentence in theory]
    readable = [reading for reading in readings if reading is not None]
    assert len(readable) == len(theory)
    known = Theory.of([s.text for s in theory], [reading.kind for reading in readable])
    return Theory(known.sentences, theory.numbers), Program(
        tuple(reading.clauses for reading in readable), theory.numbers
    )


def sampled(theory: Theory, program: Program, plan: QuestionPlan) -> list[Example]:
    return sample_questions(SolvableTheory("T", theory, program), plan, random.Random(0))


def ask(seed: int, unproved: int | None = None, world: World | None = None):
    theory, program = read(CHAIN)
    rng = random.Random(seed)
    made = SolvableTheory("T-1", theory, program, world)
    return sample_questions(made, QuestionPlan(range(3), unproved), rng)


@given(st.integers(), st.integers(0, 20))
@settings(max_examples=50, deadline=None)
def test_order_balance_and_labels(seed: int, unproved: int) -> None:
    examples = ask(seed, unproved)
    proved, rest = examples[:6], examples[6:]
    assert [(e.fine_strategy, e.depth) for e in proved] == [
        (strategy, depth)
        for depth in range(3)
        for strategy in (FineStrategy.PROOF, FineStrategy.INV_PROOF)
    ]
    assert sum(e.answer for e in examples) * 2 == len(examples)
    assert len(rest) <= unproved
    for k, example in enumerate(rest):
        assert example.strategy is Strategy.FAIL_PROOF
        assert example.answer is (k % 2 == 0)
        assert example.literal is not None
        assert example.literal.positive is not example.answer
    concluded = [e.fine_strategy in (FineStrategy.RCONC, FineStrategy.INV_RCONC) for e in rest]
    assert concluded == sorted(concluded, reverse=True)
    assert sum(concluded) <= unproved // 2
    atoms = [e.literal.atom for e in rest if e.literal]
    assert len(set(atoms)) == len(atoms)
    assert [e.id for e in examples] == [f"T-1-{k}" for k in range(1, len(examples) + 1)]


@given(st.integers())
@settings(max_examples=25, deadline=None)
def test_every_label_comes_with_a_valid_proof(seed: int) -> None:
    for example in ask(seed):
        assert example.program is not None
        assert example.literal is not None
        assert example.proofs
        assert templates.write_literal(example.literal) == example.question
        for proof in example.proofs:
            found = check(example.program, example.literal, proof.graph, proof.strategy)
            assert found.status == "valid", found


def test_as_many_unprovable_as_provable_by_default() -> None:
    assert len(ask(0)) == 12


def test_deep_failures_come_first_and_of_every_length() -> None:
    lines = [f"If someone is a{k} then they are a{k + 1}." for k in range(5)]
    theory, program = read(Theory.of(["Anne is z.", *lines]))
    for seed in range(10):
        rng = random.Random(seed)
        plan = QuestionPlan([0], 10, deep_failures=True)
        asked = sample_questions(SolvableTheory("T", theory, program), plan, rng)
        failing = [e for e in asked if e.proofs and e.proofs[0].strategy is Strategy.FAIL_PROOF]
        assert sorted(e.depth for e in failing)[-5:] == [1, 2, 3, 4, 5]


def test_where_failures_are_wanted_facts_are_missing_and_chains_are_long() -> None:
    """And every theory still settles: it proves nothing and its negation."""

    def long_failures(deep: bool) -> float:
        recipe = Recipe(5, "wide", vocabulary="open", deep_failures=deep)
        asked = [e for theory in generate(recipe, 3, 30) for e in theory]
        long = [e for e in asked if e.strategy is Strategy.FAIL_PROOF and (e.depth or 0) >= 2]
        for example in asked:
            assert example.literal is not None
            assert example.program is not None
            solver = Solver(example.program, example.literal.entities)
            assert not (solver.proves(example.literal) and solver.proves(example.literal.negation))
        return len(long) / len(asked)

    assert long_failures(deep=True) > 2 * long_failures(deep=False)


def test_the_same_seed_asks_the_same() -> None:
    assert ask(5) == ask(5)
    assert ask(5) != ask(6)


def test_a_depth_that_proves_nothing_is_left_out() -> None:
    theory, program = read(CHAIN)
    examples = sampled(theory, program, QuestionPlan([0, 2, 9], 0))
    assert [e.depth for e in examples] == [0, 0, 2, 2]


def test_a_vocabulary_may_hold_words_that_the_theory_lacks() -> None:
    world = World(("Anne", "Bob"), (("is", "quiet"), ("can fly", "")), ("likes",))
    asked = {e.literal.atom for e in ask(0, 14, world)[6:] if e.literal}
    rest = {
        Literal(a, relation, obj)
        for a in world.entities
        for relation, obj in [("is", "quiet"), ("likes", "Anne"), ("likes", "Bob"), ("can fly", "")]
    }
    concluded = {Literal("Bob", "is", word) for word in ("big", "young", "nice", "furry")}
    concluded.add(Literal("Anne", "is", "furry"))
    assert concluded < asked < concluded | rest
    assert len(asked) == 12  # of 13: their number is even


def test_words_of_a_program_keep_their_wording() -> None:
    _, program = read(Theory.of(["Bob is a bird.", "The cat sees Bob.", "All birds fly."][:2]))
    world = World.of(program)
    assert world == World(("Bob", "cat"), (("is", "bird"),), ("sees",))
    bird = world.attributes[0][1]
    assert isinstance(bird, Name)
    assert bird.surface == "a bird"


def test_what_is_proved_both_ways_is_not_asked() -> None:
    theory, program = read(Theory.of(["Bob is red.", "Bob is not red.", "Bob is big."]))
    examples = sampled(theory, program, QuestionPlan([0], 4))
    assert {e.literal.atom for e in examples if e.literal} == {Literal("Bob", "is", "big")}


@pytest.fixture(scope="module")
def published(real_data: Path) -> list[list[Example]]:
    return list(by_theory(rule_reasoning.read(real_data / "depth-5-dev-slice")))


def literals_of(group: list[Example], strategies: set[FineStrategy]) -> Iterator[Literal]:
    for example in group:
        reading = templates.parse(example.question)
        assert reading is not None
        if example.fine_strategy in strategies:
            yield reading.clauses[0].head


def test_pools_are_those_of_the_published_questions(published: list[list[Example]]) -> None:
    """Where the vocabulary is all in the text, we ask exactly as many of each kind as they do."""
    compared = 0
    for group in published:
        theory, program = read(group[0].theory)
        random_ones = {FineStrategy.RANDOM, FineStrategy.INV_RANDOM}
        words = World.of(program)
        if any(
            literal.object not in (*(object_ for _, object_ in words.attributes), *words.entities)
            or literal.relation not in ("is", *words.verbs)
            for literal in literals_of(group, random_ones)
        ):
            continue  # asks for a word that the theory does not use
        ours = sampled(theory, program, QuestionPlan(range(6), 12))
        kinds = [[(e.fine_strategy, e.answer) for e in examples] for examples in (group, ours)]
        assert kinds[0] == kinds[1], group[0].theory_id
        assert [e.depth for e in group[:12]] == [e.depth for e in ours[:12]]
        compared += 1
    assert compared > 75


def test_published_statements_are_in_our_pools(published: list[list[Example]]) -> None:
    """Each depth is drawn from all that is provable there, proof and inv-proof independently."""
    same = expected = 0.0
    for group in published:
        _, program = read(group[0].theory)
        model = Solver(program).model
        proofs = list(literals_of(group, {FineStrategy.PROOF}))
        inverted = [lit.negation for lit in literals_of(group, {FineStrategy.INV_PROOF})]
        for depth, (proof, inverse) in enumerate(zip(proofs, inverted, strict=True)):
            assert model[proof] == model[inverse] == depth
            same += proof == inverse
            expected += 1 / sum(d == depth for d in model.values())
    assert same == pytest.approx(expected, rel=0.05)
