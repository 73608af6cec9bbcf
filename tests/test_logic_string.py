"""The `representation` strings and the logic they stand for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.formats.proof_string import (
    LogicStringError,
    parse_facts,
    parse_literal,
    parse_rule,
    write_clause,
    write_literal,
)
from ibr.logic.clause import Clause, Literal, Name, Sign

words = st.sampled_from(["Anne", "bald eagle", "kind", "light bulb", Name("bird", "a bird")])
signs = st.sampled_from([Sign.POSITIVE, Sign.NEGATIVE])


def literals(subjects: st.SearchStrategy[str], sign: st.SearchStrategy[Sign]):
    relations = st.sampled_from(["is", "has", "runs through"])
    return st.builds(Literal, subjects, relations, words, sign)


@given(literals(words, signs))
def test_a_literal_is_read_back_with_its_wording(literal: Literal) -> None:
    again = parse_literal(write_literal(literal))
    assert again == literal
    assert write_literal(again) == write_literal(literal)


@given(
    literals(st.just("?x") | words, signs),
    st.lists(
        literals(st.just("?x") | words, st.sampled_from([Sign.POSITIVE, Sign.NAF])), min_size=1
    ),
    st.sampled_from(["someone", "something"]),
)
def test_a_rule_is_read_back(head: Literal, body: list[Literal], variable: str) -> None:
    clause = Clause(head, tuple(body))
    assert parse_rule(write_clause(clause, variable)) == clause


LITERAL = '("a" "is" "b" "+") '


@pytest.mark.parametrize("end", ["", '("a" "is" "b" "+"'])
def test_a_long_representation_that_ends_badly_is_refused_at_once(end: str) -> None:
    with pytest.raises(LogicStringError):
        parse_rule(f"(({LITERAL * 5000}{end}) -> (")
    with pytest.raises(LogicStringError):
        parse_facts(f"{LITERAL * 5000}(")


def test_the_published_notation() -> None:
    text = '((("someone" "is" "a bird" "+") ("someone" "is" "ill" "~")) -> ("Bob" "has" "cat" "-"))'
    clause = parse_rule(text)
    assert clause == Clause(
        Literal("Bob", "has", "cat", Sign.NEGATIVE),
        (Literal("?x", "is", "bird"), Literal("?x", "is", "ill", Sign.NAF)),
    )
    assert write_clause(clause) == text


def test_a_fact_row_says_several_literals() -> None:
    facts = parse_facts('("Dave" "is" "big" "+") ("Dave" "is" "young" "+") ')
    assert [fact.head.object for fact in facts] == ["big", "young"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        '("Bob" "is" "red")',
        '("Bob" "is" "red" "*")',
        '("Bob" "is" "red" "+"',
        '(("Bob" "is" "red" "+") -> ("Bob" "is" "big" "+"))',
    ],
)
def test_anything_else_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(LogicStringError, match="cannot read the representation"):
        parse_literal(text)


def test_signs_out_of_place_are_refused() -> None:
    with pytest.raises(LogicStringError, match="negation as failure"):
        parse_facts('("Bob" "is" "red" "~")')
    with pytest.raises(LogicStringError, match="negated condition"):
        parse_rule('((("Bob" "is" "red" "-")) -> ("Bob" "is" "big" "+"))')


def test_what_the_notation_cannot_say_is_refused() -> None:
    two = Clause(Literal("?x", "likes", "?y"), (Literal("?y", "likes", "?x"),))
    with pytest.raises(LogicStringError, match="one variable"):
        write_clause(two)
    with pytest.raises(LogicStringError, match="it holds"):
        write_literal(Literal('Bob "the bear"', "is", "red"))


def test_every_published_representation_is_its_own_print(real_data: Path) -> None:
    with (real_data / "birds-electricity" / "meta-test.jsonl").open(encoding="utf-8-sig") as lines:
        for line in lines:
            record = json.loads(line)
            for entry in [*record["triples"].values(), *record["questions"].values()]:
                text = entry["representation"]
                assert write_literal(parse_literal(text)) == text
            for entry in record["rules"].values():
                assert write_clause(parse_rule(entry["representation"])) == entry["representation"]
