"""Stitched theories: old sentences, new company, labels from the solver."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tiny import run_config

from ibr.data.logic_string import parse_facts, parse_rule
from ibr.data.pararules import Paraphrased, Row
from ibr.data.questions import sample_paraphrased
from ibr.data.stitching import Pool
from ibr.logic.solver import Solver
from ibr.model.config import ConfigError
from ibr.sources import Reader
from ibr.theory import Kind
from ibr.training.config import Ingredient
from ibr.training.stream import Stream


def fact(number: int, text: str, logic: str) -> Row:
    clauses = parse_facts(logic)
    return Row(str(number), text, tuple(f"triple{k}" for k in range(len(clauses))), clauses)


def rule(number: int, text: str, body: str, head: str) -> Row:
    conditions = " ".join(f'("someone" "is" "{word}" "+")' for word in body.split())
    logic = f'(({conditions}) -> ("someone" "is" "{head}" "+"))'
    return Row(str(number), text, ("rule1",), (parse_rule(logic),))


ROWS = (
    fact(1, "Bob is a big and round guy.", '("Bob" "is" "big" "+") ("Bob" "is" "round" "+")'),
    fact(2, "Anne feels cold.", '("Anne" "is" "cold" "+")'),
    rule(3, "Big people tend to be red.", "big", "red"),
    rule(4, "Whoever is red and round is nice.", "red round", "nice"),
    rule(5, "A cold person is blue.", "cold", "blue"),
    rule(6, "Nice people are kind.", "nice", "kind"),
)
POOL = Pool([Paraphrased("A1-theory", ROWS[:4]), Paraphrased("A2-theory", (*ROWS[2:], ROWS[0]))])


def test_sentences_are_the_pools_and_none_comes_twice() -> None:
    known = {row.text: row.clauses for row in ROWS}
    for number in range(30):
        made = POOL.stitch(number, random.Random(number))
        assert len({row.text for row in made.rows}) == len(made.rows)
        assert all(known[row.text] == row.clauses for row in made.rows)
        assert {row.kind for row in made.rows} == {Kind.FACT, Kind.RULE}
        names = [name for row in made.rows for name in row.components]
        assert len(set(names)) == len(names)


def test_rules_go_on_where_others_end() -> None:
    depths = [
        max(Solver(POOL.stitch(k, random.Random(k)).program).model.values()) for k in range(60)
    ]
    assert max(depths) == 3
    assert sum(depth >= 2 for depth in depths) > 20


def test_a_number_does_not_tell_how_deep_a_rule_is() -> None:
    first = 0
    for k in range(60):
        said = [row.text for row in POOL.stitch(k, random.Random(k)).rows]
        if ROWS[2].text in said and ROWS[3].text in said:
            first += 1 if said.index(ROWS[2].text) < said.index(ROWS[3].text) else -1
    assert abs(first) < 20


def test_questions_have_proofs() -> None:
    made = POOL.stitch(1, random.Random(1))
    examples = sample_paraphrased(made, random.Random(1), 5, 1)
    assert examples
    for example in examples:
        verdict = Solver(made.program).judge(example.literal)
        assert (example.answer, example.depth) == (verdict.answer, verdict.depth)


def test_a_pool_needs_facts_and_rules() -> None:
    with pytest.raises(ValueError, match="facts and rules"):
        Pool([Paraphrased("A1-theory", ROWS[:2])])


def test_only_a_tsv_is_stitched() -> None:
    with pytest.raises(ConfigError, match="tsv"):
        Ingredient(path="data.jsonl", stitched=True)


def test_training_sees_stitched_theories_of_its_split_only(real_data: Path) -> None:
    (path,) = (real_data / "pararules").glob("*.tsv")
    held = {row.text for theory in Reader("dev").paraphrased(path) for row in theory.rows}
    part = Ingredient(path=str(path), split="train", stitched=True, depth=5)
    stream = Stream(run_config(data=(part,)))
    for place in range(5):
        group = stream.group(place)
        assert group == Stream(run_config(data=(part,))).group(place)
        assert all(sentence.text not in held for e in group for sentence in e.theory)
        assert stream.group(place)[0].theory != stream.group(place + 1)[0].theory
