"""Generated theories in the wording of people: patterns of ParaRules, generated logic."""

from __future__ import annotations

import random
import re

import pytest
from paraphrases import ROWS, fact, rule

from ibr.data.formats.pararules import Paraphrased
from ibr.data.making import phrasebook
from ibr.data.making.phrasebook import Pattern, Phrasebook
from ibr.data.making.questions import sample_paraphrased
from ibr.logic.solving.solver import Solver
from ibr.model.config import ConfigError
from ibr.theory import Kind
from ibr.training.settings import DataPart

BOOK = Phrasebook([Paraphrased("A1-theory", ROWS)])


def test_a_pattern_has_a_place_for_every_attribute() -> None:
    assert Pattern.of(ROWS[0]) == Pattern("{name} is a {0} and {1} guy.", 2)
    assert Pattern.of(ROWS[3]) == Pattern("Whoever is {0} and {1} is {2}.", 3)


def test_what_does_not_end_with_its_conclusion_is_no_pattern() -> None:
    assert Pattern.of(rule(7, "Red is who is big.", "big", "red")) is None
    assert Pattern.of(fact(8, "Bob is tall.", '("Bob" "is" "big" "+")')) is None


def test_one_pattern_may_go_on_as_another_ends() -> None:
    whoever = Pattern("Whoever is {0} and {1} is {2}.", 3)
    people = Pattern("{0}, {1} people, if {2}, tend to be {3} in shape.", 4)
    crossed = whoever.crossed(people, 1, 2)
    assert crossed == Pattern("Whoever is {0}, tend to be {1} in shape.", 2)
    assert people.crossed(whoever, 2, 3) == Pattern("{0}, {1} is {2}.", 3)
    assert not Pattern("{0} is {0}.", 1).is_simple


def test_crossed_sentences_are_seen() -> None:
    folk = rule(9, "If folk have big, red hair, they never stay blue.", "big red", "blue")
    book = Phrasebook([Paraphrased("A1-theory", (*ROWS, folk))])
    rows = [row for k in range(200) for row in book.write(k, 3, random.Random(k)).rows]
    found = [
        row for row in rows if row.text.startswith("Whoever") and "they never stay" in row.text
    ]
    assert found
    for row in found:
        assert row.text.endswith(f"they never stay {row.clauses[0].head.object}.")


def test_a_sentence_may_be_patched_from_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrasebook, "_PATCHED", 1.0)  # not now and then
    folk = rule(9, "If folk have big, red hair, they never stay blue.", "big red", "blue")
    book = Phrasebook([Paraphrased("A1-theory", (*ROWS, folk))])
    texts = [row.text for k in range(300) for row in book.write(k, 3, random.Random(k)).rows]
    found = r"If folk have (\w+) and (\w+) people tend to be (\w+)\."
    assert not any(row.text.count("people tend") and "and" in row.text for row in ROWS)
    assert any(re.fullmatch(found, text) for text in texts)


@pytest.mark.parametrize("number", range(20))
def test_every_sentence_says_its_clauses_and_nothing_else(number: int) -> None:
    made = BOOK.write(number, 4, random.Random(number))
    assert {row.kind for row in made.rows} == {Kind.FACT, Kind.RULE}
    about = {lit.object for _, c in made.program for lit in (c.head, *c.body)}
    for row in made.rows:
        words = re.findall(r"[A-Za-z]+", row.text)
        found = {lit.object for c in row.clauses for lit in (c.head, *c.body)}
        assert about & set(map(str.lower, words)) == found
        if row.kind is Kind.FACT:
            assert str(row.clauses[0].head.subject) in words
        elif not row.text.startswith("If"):
            assert [w for w in words if w.lower() in about][-1] == row.clauses[0].head.object
    names = [name for row in made.rows for name in row.components]
    assert len(set(names)) == len(names)


def test_it_reaches_its_depth_and_the_solver_labels_it() -> None:
    depths = set()
    for number in range(30):
        made = BOOK.write(number, 3, random.Random(number))
        solver = Solver(made.program)
        depths.add(max(solver.model.values()))
        for example in sample_paraphrased(made, random.Random(1), 5, 1):
            verdict = solver.judge(example.literal)
            assert (example.answer, example.depth) == (verdict.answer, verdict.depth)
    assert depths == {0, 1, 2, 3}


def test_meaningless_words_are_swapped_and_grammar_is_not() -> None:
    book = Phrasebook(
        [
            Paraphrased(
                "A1-theory",
                (
                    *ROWS,
                    rule(9, "Whoever is big around strangers will blush with red.", "big", "red"),
                ),
            )
        ]
    )
    rows = [row for k in range(200) for row in book.write(k, 2, random.Random(k)).rows]
    found = [row.text for row in rows if " around " in row.text]
    assert any("strangers" not in text for text in found)
    assert any("strangers" in text for text in found)
    assert all(" will " in text and " with " in text for text in found)


def test_a_phrasebook_needs_facts_and_rules() -> None:
    with pytest.raises(ValueError, match="facts and rules"):
        Phrasebook([Paraphrased("A1-theory", ROWS[:2])])


def test_only_a_tsv_gives_patterns() -> None:
    with pytest.raises(ConfigError, match="tsv"):
        DataPart(path="data.jsonl", paraphrased=True)
