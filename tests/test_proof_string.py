"""The `proofs` strings: parse and print are inverse, names and sentences too, errors say where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.proof_string import Failed, Named, Names, ProofStringError, Proved, parse
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Kind, Theory

FACTS, RULES = 6, 5
NAMES = Names(
    tuple((f"triple{n}",) for n in range(1, FACTS + 1))
    + tuple((f"rule{n}",) for n in range(1, RULES + 1))
)

leaves = st.one_of(st.integers(1, FACTS).map(lambda n: Named(f"triple{n}")), st.just(Named("NAF")))
trees = st.recursive(
    leaves,
    lambda inner: st.builds(
        Named, st.integers(1, RULES).map("rule{}".format), st.lists(inner, min_size=1).map(tuple)
    ),
    max_leaves=12,
)
proved = st.lists(trees, min_size=1, max_size=4).map(lambda found: Proved(tuple(found)))
failed = st.builds(
    Failed,
    st.integers(0, 9),
    st.sampled_from(["The bell is ringing.", "Bob is kind.", "Arthur can fly."]),
    st.lists(st.integers(1, RULES).map("rule{}".format), max_size=5).map(tuple),
)


@given(st.one_of(proved, failed))
def test_what_is_printed_is_read_back(said: Proved | Failed) -> None:
    assert parse(str(said)) == said


@given(proved)
def test_names_and_sentences_are_two_spellings(said: Proved) -> None:
    proofs = NAMES.to_proofs(said)
    assert len(proofs) == len(said.alternatives)
    assert NAMES.of_proofs(proofs, "") == said


@given(failed)
def test_a_failure_is_a_chain_of_rules(said: Failed) -> None:
    (proof,) = NAMES.to_proofs(said)
    assert proof.size == len(said.rules)
    written = NAMES.of_proofs([proof], said.sentence)
    assert written == Failed(len(said.rules), said.sentence, said.rules)


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
    said = parse(text)
    assert str(said) == text
    graph = NAMES.to_proofs(said)[0].graph
    assert (graph.nodes, graph.edges) == (nodes, edges)


def test_alternatives_are_listed_in_order() -> None:
    said = parse("[(((triple5) -> rule3) OR ((triple4) -> rule3))]")
    first, second = NAMES.to_proofs(said)
    assert (first, second) == (
        Proof.of(Tree(8, (Tree(4),))),
        Proof.of(Tree(8, (Tree(3),))),
    )


def test_blanks_carry_no_meaning() -> None:
    assert parse("[ ( ( (triple1  NAF)->rule1 ) ) ]") == parse("[(((triple1 NAF) -> rule1))]")


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
        parse(text)
    assert f"column {column}:" in str(caught.value)
    assert expected in str(caught.value).split("found")[0]


def test_a_component_that_the_theory_lacks_is_named() -> None:
    with pytest.raises(ProofStringError, match="rule9 is not a sentence"):
        NAMES.to_proofs(parse("[(((triple1) -> rule9))]"))


def test_a_sentence_of_several_components_has_no_single_name() -> None:
    names = Names((("triple1", "triple2"), ("rule1",)))
    (proof,) = names.to_proofs(parse("[(((triple1 triple2) -> rule1))]"))
    assert proof.graph.nodes == {0, 1}
    with pytest.raises(ProofStringError, match="holds 2 components"):
        names.of_proofs([proof], "")


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
    count = 0
    with (real_data / "birds-electricity" / "meta-test.jsonl").open(encoding="utf-8-sig") as lines:
        for line in lines:
            for question in json.loads(line)["questions"].values():
                assert str(parse(question["proofs"])) == question["proofs"]
                count += 1
    assert count == 5270
