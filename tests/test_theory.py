"""Nouns of theories and clauses."""

from __future__ import annotations

import copy
import pickle

import pytest

from ibr.logic.clause import Clause, Literal, Name, Program, Sign
from ibr.theory import FineStrategy, Kind, Question, Sentence, Strategy, Theory


def test_theory_numbers_its_sentences() -> None:
    theory = Theory.of(["Bob is kind.", "Kind people are nice."], [Kind.FACT, Kind.RULE])
    assert theory.numbers == (0, 1)
    assert theory.text == "Bob is kind. Kind people are nice."
    assert [s.kind for s in theory] == [Kind.FACT, Kind.RULE]
    assert theory[1].text == "Kind people are nice."


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Sentence("  "), "must have text"),
        (lambda: Question(""), "must have text"),
        (lambda: Theory.of(["A is b."], []), "0 kinds for 1"),
        (lambda: Theory((Sentence("A is b."),), (1, 2)), "2 numbers for 1"),
        (lambda: Theory((Sentence("A is b."), Sentence("A is c.")), (1, 1)), "same number"),
    ],
)
def test_bad_theories_cannot_be_built(build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


def test_six_strategies_fold_to_two() -> None:
    proved = {s for s in FineStrategy if s.strategy is Strategy.PROOF}
    assert proved == {FineStrategy.PROOF, FineStrategy.INV_PROOF}


def test_names_equal_their_keys_and_remember_their_wording() -> None:
    badge = Name("badge", "a badge")
    assert badge == "badge"
    assert {badge: 1}["badge"] == 1
    assert (Name("cat").surface, Name("Anne").surface) == ("the cat", "Anne")
    for copied in (pickle.loads(pickle.dumps(badge)), copy.deepcopy(badge)):
        assert (copied, copied.surface) == ("badge", "a badge")


def test_entities_are_what_variables_range_over() -> None:
    rule = Clause(
        Literal("?x", "likes", "cat"),
        (Literal("?x", "is", "kind"), Literal("dog", "sleeps", "", Sign.NAF)),
    )
    assert rule.entities == {"cat", "dog"}
    assert rule.variables == {"?x"}
    assert rule.bind({"?x": "Bob"}).head == Literal("Bob", "likes", "cat")
    assert not rule.is_fact
    assert not Clause(Literal("?x", "is", "kind")).is_fact
    assert Clause(Literal("Bob", "is", "kind")).is_fact


def test_negation_turns_statements_around() -> None:
    kind = Literal("Bob", "is", "kind")
    assert kind.negation.negation == kind
    assert kind.negation.atom == kind


def test_programs_refuse_a_conclusion_by_failure() -> None:
    with pytest.raises(ValueError, match="negation as failure"):
        Program(((Clause(Literal("Bob", "is", "kind", Sign.NAF)),),))
