"""Repairs equal brute force: every literal of the vocabulary is added and solved for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import ANY, WILD, Shape, programs, random_program, statements

from ibr.logic.clause import Literal, Program, Sign, is_variable
from ibr.logic.explaining import repair
from ibr.logic.explaining.repair import TooLarge, repair_text, repairs, with_fact
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.theory import Theory

Found = dict[Literal, set[Literal]]  # fact → the atoms that it makes contradictory


def vocabulary(program: Program, question: Literal) -> Iterator[Literal]:
    """Every ground literal that the words of the program and the question can say."""
    literals = [lit for _, clause in program for lit in (clause.head, *clause.body)] + [question]
    entities = sorted(program.entities | question.entities)
    for relation in sorted({literal.relation for literal in literals}):
        objects = {lit.object for lit in literals if lit.relation == relation}
        if relation != "is":
            objects |= {*entities}
        for subject in entities:
            for object_ in sorted(o for o in objects if not is_variable(o)):
                for sign in (Sign.POSITIVE, Sign.NEGATIVE):
                    yield Literal(subject, relation, object_, sign)


def brute_force(program: Program, question: Literal) -> Found:
    now = Solver(program, question.entities)
    found: Found = {}
    if now.proves(question):
        return found
    for fact in vocabulary(program, question):
        if not now.proves(fact):
            try:
                then = Solver(with_fact(program, fact), question.entities)
            except NotStratified:
                continue
            if then.proves(question):
                found[fact] = _clashes(then) - _clashes(now)
    return found


def _clashes(solver: Solver) -> set[Literal]:
    """The atoms that are proved both ways."""
    return {lit for lit in solver.model if lit.positive and lit.negation in solver.model}


def cleverly(program: Program, question: Literal) -> Found:
    found = repairs(program, question)
    assert len({repair.fact for repair in found}) == len(found)
    return {repair.fact: {*repair.contradicts} for repair in found}


@given(programs(replace(ANY, rules=(1, 6))), statements())
@settings(max_examples=120)
def test_repairs_equal_brute_force(program: Program, question: Literal) -> None:
    assert cleverly(program, question) == brute_force(program, question)


@pytest.mark.parametrize("shape", [replace(ANY, facts=(1, 3)), replace(WILD, rules=(2, 5))])
def test_repairs_equal_brute_force_on_questions_that_rules_conclude(shape: Shape) -> None:
    beyond_itself = 0
    for seed in range(150):
        rng = random.Random(seed)
        program = random_program(rng, shape)
        heads = [c.head for _, c in program if c.body and not c.variables] or [
            Literal("Anne", *clause.head[1:])
            for _, clause in program
            if clause.body and not is_variable(clause.head.object)
        ]
        question = rng.choice(heads or [Literal("Bob", "is", "red")])
        try:
            Solver(program, question.entities)
        except NotStratified:
            continue
        found = brute_force(program, question)
        assert cleverly(program, question) == found, seed
        beyond_itself += any(fact != question for fact in found)
    assert beyond_itself > 15


def found(question: str, *texts: str) -> list[str]:
    program = program_of(Theory.of(texts))
    return [repair_text(repair) for repair in repairs(program, read_question(question))]


def test_what_is_missing_is_found_at_every_depth() -> None:
    texts = (
        "Bob is kind.",
        "If someone is kind and quiet then they are big.",
        "All red things are quiet.",
    )
    assert found("Bob is big.", *texts) == ["Bob is quiet.", "Bob is red.", "Bob is big."]


def test_what_stands_in_the_way_can_be_defeated() -> None:
    """A new fact unproves "cold", which kept Bob from being big."""
    texts = (
        "Bob is young.",
        "If someone is young and not furry then they are cold.",
        "If someone is young and not cold then they are big.",
    )
    assert found("Bob is big.", *texts) == ["Bob is furry.", "Bob is big."]


def test_two_missing_facts_are_no_repair() -> None:
    texts = ("Anne is red.", "If Bob is kind and Bob is quiet then Bob is big.")
    assert found("Bob is big.", *texts) == ["Bob is big."]


def test_one_fact_may_serve_twice() -> None:
    texts = (
        "Bob is red.",
        "Kind people are quiet.",
        "If someone is kind and quiet then they are big.",
    )
    assert found("Bob is big.", *texts) == ["Bob is kind.", "Bob is big."]


def test_a_clash_is_said() -> None:
    texts = ("Bob is cold.", "Cold people are not kind.", "Kind people are big.")
    assert found("Bob is big.", *texts) == [
        "Bob is kind. (but then it is both proved and denied that Bob is kind)",
        "Bob is big.",
    ]


def test_a_question_whose_negation_is_proved_clashes_unless_that_is_defeated() -> None:
    texts = (
        "Bob is young.",
        "If someone is young and not kind then they are not big.",
        "Kind people are big.",
    )
    assert found("Bob is big.", *texts) == [
        "Bob is kind.",
        "Bob is big. (but then it is both proved and denied that Bob is big)",
    ]


def test_a_negative_question_needs_a_negative_conclusion() -> None:
    texts = ("Bob is young.", "Cold people are not kind.")
    assert found("Bob is not kind.", *texts) == ["Bob is cold.", "Bob is not kind."]


def test_a_fact_that_makes_a_paradox_is_no_repair() -> None:
    texts = ("Bob is young.", "If someone is green and not blue then they are blue.")
    assert found("Bob is green.", *texts) == []
    assert found("Anne is blue.", *texts) == ["Anne is blue."]


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "MOST_INSTANCES", 1)
    texts = ("Bob is red.", "Kind people are big.", "Quiet people are kind.")
    with pytest.raises(TooLarge, match="more than 1 instances"):
        found("Bob is big.", *texts)


def test_what_is_provable_needs_no_repair() -> None:
    assert found("Bob is kind.", "Bob is kind.") == []
