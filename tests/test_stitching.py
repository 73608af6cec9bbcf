"""Stitched theories: old sentences in new combinations, labels from the solver."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from paraphrases import ROWS
from tiny import run_config

from ibr.data.formats.pararules import Paraphrased
from ibr.data.formats.sources import Reader
from ibr.data.making.questions import sample_paraphrased
from ibr.data.making.stitching import Pool
from ibr.logic.solving.solver import Solver
from ibr.model.config import ConfigError
from ibr.theory import Kind
from ibr.training.settings import DataPart
from ibr.training.stream import Stream

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
        texts = [row.text for row in POOL.stitch(k, random.Random(k)).rows]
        if ROWS[2].text in texts and ROWS[3].text in texts:
            first += 1 if texts.index(ROWS[2].text) < texts.index(ROWS[3].text) else -1
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
        DataPart(path="data.jsonl", stitched=True)


@pytest.mark.parametrize("way", ["stitched", "paraphrased"])
def test_training_sees_sentences_of_its_split_only(real_data: Path, way: str) -> None:
    (path,) = (real_data / "pararules").glob("*.tsv")
    held = {row.text for theory in Reader("dev").paraphrased(path) for row in theory.rows}
    part = DataPart(path=str(path), split="train", depth=5, **{way: True})  # type: ignore[arg-type]
    stream = Stream(run_config(data=(part,)))
    for place in range(5):
        group = stream.group(place)
        assert group == Stream(run_config(data=(part,))).group(place)
        assert all(sentence.text not in held for e in group for sentence in e.theory)
        assert stream.group(place)[0].theory != stream.group(place + 1)[0].theory
