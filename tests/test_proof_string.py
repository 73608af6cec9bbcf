"""The `proofs` strings: parse and write are inverse, and errors name the column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.formats.proof_string import Names, ProofStringError
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Kind, Theory

FACTS, RULES = 6, 5


def numbered(facts: int, rules: int) -> Names:
    names = [f"triple{n}" for n in range(1, facts + 1)] + [f"rule{n}" for n in range(1, rules + 1)]
    return Names(tuple((name,) for name in names))


NAMES = numbered(FACTS, RULES)
rules = st.integers(FACTS, FACTS + RULES - 1)
leaves = st.builds(Tree, st.integers(0, FACTS - 1) | st.just(NAF))
trees = st.recursive(
    leaves,
    lambda inner: st.builds(Tree, rules, st.lists(inner, min_size=1).map(tuple)),
    max_leaves=12,
)
proved = st.lists(trees.map(Proof.of), min_size=1, max_size=4).map(tuple)
failed = st.lists(rules, max_size=5).map(lambda chain: (Proof.failure(chain),))
sentences = st.sampled_from(["The bell is ringing.", "Bob is kind.", "Arthur can fly."])


@given(proved | failed, sentences)
def test_what_is_written_is_read_back(proofs: tuple[Proof, ...], sentence: str) -> None:
    text = NAMES.write(proofs, sentence)
    assert NAMES.parse(text) == proofs
    assert written(text, NAMES) == text


def written(text: str, names: Names) -> str:
    """The proofs of a text, written again."""
    _, _, sentence = text.partition("[CWA")[0].partition(": ")
    return names.write(names.parse(text), sentence)


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("[(triple3)]", {2}, set()),
        ("[(((triple1 triple2) -> rule1))]", {0, 1, 6}, {(0, 6), (1, 6)}),
        ("[(((NAF) -> rule2))]", {NAF, 7}, {(NAF, 7)}),
        (
            "[(((((triple1 NAF) -> rule1) ((NAF) -> rule3) ((triple3) -> rule4)) -> rule5))]",
            {0, 2, NAF, 6, 8, 9, 10},
            {(0, 6), (NAF, 6), (NAF, 8), (2, 9), (6, 10), (8, 10), (9, 10)},
        ),
        ("[@0: Bob is red.[CWA. Example of deepest failure = (FAIL)]]", set(), set()),
        (
            "[@2: Bob is red.[CWA. Example of deepest failure = (rule1 <- rule2 <- FAIL)]]",
            {6, 7},
            {(7, 6)},
        ),
    ],
)
def test_the_published_examples_give_their_graphs(
    text: str, nodes: set[int], edges: set[tuple[int, int]]
) -> None:
    assert written(text, NAMES) == text
    graph = NAMES.parse(text)[0].graph
    assert (graph.nodes, graph.edges) == (nodes, edges)


def test_alternatives_are_listed_in_order() -> None:
    first, second = NAMES.parse("[(((triple5) -> rule3) OR ((triple4) -> rule3))]")
    assert (first, second) == (
        Proof.of(Tree(8, (Tree(4),))),
        Proof.of(Tree(8, (Tree(3),))),
    )


def test_blanks_carry_no_meaning() -> None:
    spaced = NAMES.parse("[ ( ( (triple1  NAF)->rule1 ) ) ]")
    assert spaced == NAMES.parse("[(((triple1 NAF) -> rule1))]")


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("[(triple1]", 10, '")"'),
        ("[()]", 3, "a triple"),
        ("[(((triple1) -> triple2))]", 17, "a rule"),
        ("[(triple1 triple2)]", 11, '"OR"'),
        ("[(((triple1 triple2) - rule1))]", 22, '"->"'),
        ("[@x: Bob is red.[CWA. Example of deepest failure = (FAIL)]]", 3, "a depth"),
        ("[@0: Bob is red.[CWA. Example of deepest failure = (rule1)]]", 58, '"<-"'),
        ("[(triple1)", 11, '"]"'),
        ("", 1, '"["'),
        ("[(rule1)]", 3, "a triple"),
    ],
)
def test_an_error_says_the_column_and_what_was_expected(
    text: str, column: int, expected: str
) -> None:
    with pytest.raises(ProofStringError) as caught:
        NAMES.parse(text)
    assert f"column {column}:" in str(caught.value)
    assert expected in str(caught.value).split("found")[0]


def test_a_component_that_the_theory_lacks_is_named() -> None:
    with pytest.raises(ProofStringError, match="rule9 is not a sentence"):
        NAMES.parse("[(((triple1) -> rule9))]")


def test_a_sentence_of_several_components_has_no_single_name() -> None:
    names = Names((("triple1", "triple2"), ("rule1",)))
    (proof,) = names.parse("[(((triple1 triple2) -> rule1))]")
    assert proof.graph.nodes == {0, 1}
    with pytest.raises(ProofStringError, match="holds 2 components"):
        names.write([proof], "")


def test_names_count_facts_and_rules_apart_in_the_order_of_numbers() -> None:
    kinds = [Kind.RULE, Kind.FACT, Kind.FACT, Kind.RULE]
    theory = Theory(Theory.of(["a", "b", "c", "d"], kinds).sentences, (3, 1, 0, 2))
    assert Names.of_theory(theory).components == (
        ("rule2",),
        ("triple2",),
        ("triple1",),
        ("rule1",),
    )


def test_every_published_string_is_its_own_print(real_data: Path) -> None:
    count, names = 0, numbered(40, 40)
    with (real_data / "birds-electricity" / "meta-test.jsonl").open(encoding="utf-8-sig") as lines:
        for line in lines:
            for question in json.loads(line)["questions"].values():
                assert written(question["proofs"], names) == question["proofs"]
                count += 1
    assert count == 5270
