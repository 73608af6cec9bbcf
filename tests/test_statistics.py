"""Figures of section 5: counted right on a theory by hand, and met by generated data."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibr.data.formats.example import Example
from ibr.data.formats.rule_reasoning import read
from ibr.data.making.generator import Recipe, generate
from ibr.data.statistics import ComparisonRow, Figure, Statistics, Unit, compare, describe, du5_dev
from ibr.logic.language import program_of, theory_from_text
from ibr.proof import Proof, Tree
from ibr.theory import FineStrategy, Problem, Question

RULES = """The cat likes the dog. The dog is not big. The dog is kind.
If someone likes the dog and they are not red then the dog sees the cat.
All kind, big people are not red. Kind people are big. If the dog is big then the cat is big."""


def example(k: int, text: str, **labels: object) -> Example:
    theory = theory_from_text(RULES)
    problem = Problem(f"RelNeg-D1-7-{k}", theory, Question(text))
    return Example(problem, program=program_of(theory), **labels)  # type: ignore[arg-type]


def by_hand() -> list[Example]:
    leaf = Proof.of(Tree(2))
    longer, deeper = Proof.of(Tree(5, (Tree(2),))), Proof.of(Tree(5, (Tree(5, (Tree(2),)),)))
    return [
        example(
            1, "The dog is kind.", answer=True, depth=0, length=1,
            fine_strategy=FineStrategy.PROOF, proofs=(leaf,),
        ),
        example(
            2, "The dog is not big.", answer=False, depth=1, length=2,
            fine_strategy=FineStrategy.INV_PROOF, proofs=(deeper, longer),
        ),
        example(
            3, "The cat is red.", answer=False, depth=0,
            fine_strategy=FineStrategy.RANDOM, proofs=(Proof.failure(()),),
        ),
        example(
            4, "The dog sees the cat.", answer=False, depth=2,
            fine_strategy=FineStrategy.RCONC, proofs=(Proof.failure((3, 5)),),
        ),
    ]  # fmt: skip


def test_counts_by_hand() -> None:
    found = describe(by_hand())
    assert (found.theories, found.questions) == (1, 4)

    def value(name: str) -> float:
        return found.figures[name].value

    assert value("facts") == 3
    assert value("rules") == 4
    assert value("sentences") == 7
    assert value("questions") == 4
    assert value("entities") == 2
    assert value("words of the context") == len(RULES.split())
    assert value("words of a fact") == (5 + 5 + 4) / 3
    assert value("words of a rule") == (16 + 7 + 4 + 10) / 4
    assert found.figures["words of a rule"].low == 4
    assert found.figures["words of a rule"].high == 16
    assert value("theories: RelNeg") == 1
    assert value("theories: someone, not something") == 1
    assert value("rules: If") == 0.5
    assert value("rules: All") == value("rules: bare plural") == 0.25
    assert value("RelNeg: negative facts") == pytest.approx(1 / 3)
    assert value("RelNeg: relational facts") == pytest.approx(1 / 3)
    assert value("RelNeg: 1-condition rules") == 0.5
    assert value("RelNeg: rules with NAF") == 0.25
    assert value("RelNeg: negative heads") == 0.25
    assert value("RelNeg: ground rules") == 0.25
    assert value("RelNeg: variable body, ground head") == 0.25
    assert value("RelNeg: relational heads") == 0.25
    assert value("questions: true") == 0.25
    assert value("questions: rconc") == 0.25
    assert value("rconc at depth: 2") == 1
    assert value("size of the shortest proof, depth 0") == 0.5  # a fact, and nothing
    assert value("size of the shortest proof, depth 1") == 2  # the smaller of two


def test_a_theory_without_a_telling_id_goes_by_what_it_says() -> None:
    first = by_hand()[0]
    problem = Problem("mine-1", first.theory, first.problem.question)
    found = describe([Example(problem, answer=True)])
    assert found.figures["theories: RelNeg"].value == 1


def row(measured: dict[str, Figure], name: str, published: Figure) -> ComparisonRow:
    return compare(Statistics(1, 1, measured), {name: published})[0]


@pytest.mark.parametrize(
    ("measured", "published", "within"),
    [
        (Figure(Unit.MEAN, 11.0), Figure(Unit.MEAN, 10.0), True),
        (Figure(Unit.MEAN, 11.1), Figure(Unit.MEAN, 10.0), False),
        (Figure(Unit.MEAN, 8.9), Figure(Unit.MEAN, 10.0), False),
        (Figure(Unit.SHARE, 0.55), Figure(Unit.SHARE, 0.50), True),
        (Figure(Unit.SHARE, 0.56), Figure(Unit.SHARE, 0.50), False),
        (Figure(Unit.SHARE, 0.0), Figure(Unit.SHARE, 0.06), False),
    ],
)
def test_tolerances(measured: Figure, published: Figure, within: bool) -> None:
    assert row({"x": measured}, "x", published).within is within


def test_what_is_not_there() -> None:
    share = Figure(Unit.SHARE, 0.01)
    assert row({}, "rconc at depth: 7", share) == ComparisonRow(
        "rconc at depth: 7", None, share, None, False
    )
    # Counted, and none of that kind: a share of 0.
    other = {"rconc at depth: 1": Figure(Unit.SHARE, 1.0)}
    assert row(other, "rconc at depth: 7", share).difference == pytest.approx(-0.01)


def test_published_kinds_add_up() -> None:
    for kind in ("theories", "rules", "rconc at depth", "proof at depth"):
        shares = [
            f.value for name, f in du5_dev().items()
            if name.rpartition(": ")[0] == kind and "someone" not in name
        ]  # fmt: skip
        assert sum(shares) == pytest.approx(1)


def test_real_theories_have_the_published_figures(real_data: Path) -> None:
    """A hundred of the 484 theories that were counted: near the whole, whatever the figure."""
    found = describe(read(real_data / "depth-5-dev-slice"))
    assert (found.theories, found.figures["entities"].value) == (100, 4)
    for row in compare(found, du5_dev(), mean=0.10, share=0.08):
        if not row.name.startswith("size"):  # the file has no proofs
            assert row.within, row


def assert_like_du5(theories: int, seed: int) -> None:
    recipe = Recipe(5, max_proofs=1, all_proofs=False)
    found = describe(e for group in generate(recipe, seed, theories) for e in group)
    far = [row for row in compare(found, du5_dev()) if not row.within]
    assert not far


def test_generated_theories_are_like_the_real_ones() -> None:
    assert_like_du5(900, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_five_thousand_generated_theories_are_like_the_real_ones(seed: int) -> None:
    assert_like_du5(5000, seed)
