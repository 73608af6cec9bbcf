"""One record of RuleTaker's files: everything read, odd values counted, bad fields named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from records import META, RECORD, copy, renamed, save

from ibr.data.formats import rule_reasoning
from ibr.data.formats.jsonl import BadLines, DataError
from ibr.data.formats.record_in import ReadReport, split_plain, split_stops
from ibr.logic.clause import Literal, Sign
from ibr.theory import FineStrategy, Kind


def test_a_record_says_everything(tmp_path: Path) -> None:
    first, second = rule_reasoning.read(save(tmp_path, [RECORD], [META]))
    assert [s.text for s in first.theory] == [
        "All big things are kind.",
        "Bob is big.",
        "If Bob is kind and not red then Bob is ill.",
    ]
    assert [s.kind for s in first.theory] == [Kind.RULE, Kind.FACT, Kind.RULE]
    assert first.theory.numbers == (1, 0, 2)
    assert (first.id, first.answer, first.depth, first.length) == ("AttNeg-D1-1-1", True, 1, 2)
    assert first.fine_strategy is FineStrategy.PROOF
    assert first.proofs is not None
    assert first.proofs[0].graph.edges == {(1, 0)}
    assert first.literal == Literal("Bob", "is", "kind")
    assert first.program is not None
    assert first.program.clauses[0][0].variables == {"?x"}
    assert second.length is None
    assert second.proofs is not None
    assert second.proofs[0].root is None
    assert second.theory is first.theory
    assert second.program is first.program
    assert first.source is not None
    assert first.source.max_depth == 2


def test_without_a_meta_file_the_labels_remain(tmp_path: Path) -> None:
    report = ReadReport()
    first, second = rule_reasoning.read(save(tmp_path, [RECORD]), report=report)
    assert first.theory.numbers == (1, 0, 2)
    assert {s.kind for s in first.theory} == {Kind.UNKNOWN}
    assert first.proofs is first.program is first.literal is None
    assert (second.answer, second.fine_strategy) == (True, FineStrategy.INV_RANDOM)
    assert report.without_meta == 1


def test_unknown_fields_are_ignored_and_unusual_values_counted(tmp_path: Path) -> None:
    record, meta = copy(RECORD), copy(META)
    record["origin"] = "elsewhere"
    record["context"] = record["context"].replace(". ", ".  ")
    record["questions"][0]["hard"] = True
    record["questions"][0]["meta"].update(QDep="deep", QLen="long", strategy="guess", note=1)
    record["questions"][1]["meta"].update(Qid="Q7", QDep=-1)
    meta["version"] = 2
    meta["questions"]["Q7"] = meta["questions"].pop("Q2")
    meta["questions"]["Q7"]["QDep"] = -1
    report = ReadReport()
    examples = list(rule_reasoning.read(save(tmp_path, [record], [meta]), report=report))
    assert (examples[0].depth, examples[0].length, examples[0].fine_strategy) == (None,) * 3
    assert examples[0].theory == next(rule_reasoning.read(save(tmp_path, [RECORD], [META]))).theory
    assert examples[1].depth == -1
    assert examples[1].literal == Literal("Bob", "is", "red", Sign.NEGATIVE)
    assert report.unusual == {
        ("QDep", "'deep'"): 1,
        ("QDep", "-1"): 1,
        ("QLen", "'long'"): 1,
        ("strategy", "'guess'"): 1,
    }
    assert len(report.lines()) == 4


def test_meta_records_are_found_by_id_where_lines_disagree(tmp_path: Path) -> None:
    pairs = [renamed(f"T-{n}") for n in range(5)]
    records = [record for record, _ in pairs]
    metas = [meta for _, meta in pairs]
    metas = [metas[0], metas[4], metas[2], metas[1]]  # T-3 has none
    report = ReadReport()
    examples = list(rule_reasoning.read(save(tmp_path, records, metas), report=report))
    assert [e.theory_id for e in examples[::2]] == [f"T-{n}" for n in range(5)]
    assert [e.theory_id for e in examples[::2] if e.proofs is None] == ["T-3"]
    assert report.lines() == ["no meta record for 1 of 5 theories"]


@pytest.mark.parametrize("scramble", [[], None])
def test_without_a_scramble_the_text_tells(tmp_path: Path, scramble: list[int] | None) -> None:
    record = copy(RECORD)
    record["meta"] = {} if scramble is None else {"sentenceScramble": scramble}
    (example, _) = rule_reasoning.read(save(tmp_path, [record], [META]))
    assert example.theory.numbers == (1, 0, 2)
    assert example.proofs is not None
    assert example.proofs[0].graph.edges == {(1, 0)}


def test_without_scramble_and_meta_sentences_keep_their_order(tmp_path: Path) -> None:
    record = copy(RECORD)
    del record["meta"]
    (example, _) = rule_reasoning.read(save(tmp_path, [record]))
    assert example.theory.numbers == (0, 1, 2)


def test_odd_spacing_does_not_move_a_boundary() -> None:
    assert split_stops(" Bob is big.Anne is  red .\n\nAll big things are red") == [
        "Bob is big.",
        "Anne is red .",
        "All big things are red",
    ]
    assert split_stops("Bob is big..") == ["Bob is big."]
    assert split_plain('He is 3.5 feet. "Really!" Yes? No.') == [
        "He is 3.5 feet.",
        '"Really!"',
        "Yes?",
        "No.",
    ]


Change = Callable[[dict[str, Any], dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (lambda r, m: r.pop("id"), "id", "missing"),
        (lambda r, m: r.update(context=3), "context", "expected a text"),
        (lambda r, m: r.update(questions={}), "questions", "expected a list"),
        (lambda r, m: r["questions"][1].pop("label"), "questions[1].label", "missing"),
        (lambda r, m: r["questions"][0].update(text=""), "questions[0].text", "text"),
        (lambda r, m: r["meta"].update(sentenceScramble=[1, 1, 2]), "meta.sentence", "order"),
        (lambda r, m: r["meta"].update(sentenceScramble=[1, 2]), "meta.sentence", "3 components"),
        (lambda r, m: r["meta"].update(sentenceScramble="123"), "sentenceScramble", "a list"),
        (lambda r, m: r.update(context="Bob is big."), "context", "1 sentences"),
        (
            lambda r, m: m["questions"]["Q1"].update(proofs="[(triple1]"),
            "questions[0].meta file.proofs",
            "column 10",
        ),
        (
            lambda r, m: m["questions"]["Q1"].update(proofs="[(triple4)]"),
            "questions[0].meta file.proofs",
            "triple4 is not",
        ),
        (
            lambda r, m: m["questions"]["Q2"].update(question="Bob is big."),
            "questions[1].meta file.Q2",
            "asks 'Bob is big.'",
        ),
        (
            lambda r, m: m["questions"]["Q2"].update(answer=False),
            "questions[1].meta file.Q2",
            "answers False",
        ),
        (
            lambda r, m: m["rules"]["rule2"].update(representation="(("),
            "meta file: rules.rule2.representation",
            "cannot read",
        ),
        (lambda r, m: m["triples"]["triple1"].pop("text"), "meta file: triples.triple1", "missing"),
        (lambda r, m: m["rules"].pop("rule1"), "meta file: rules.rule1", "missing"),
    ],
)
def test_a_bad_record_is_refused_with_its_place(
    tmp_path: Path, change: Change, field: str, reason: str
) -> None:
    (good, good_meta), (bad, bad_meta), (last, last_meta) = (renamed(f"T-{n}") for n in range(3))
    change(bad, bad_meta)
    folder = save(tmp_path, [good, bad, last], [good_meta, bad_meta, last_meta])
    with pytest.raises(DataError) as caught:
        list(rule_reasoning.read(folder))
    assert caught.value.line == 2
    assert caught.value.field.startswith(field)
    assert reason in caught.value.reason
    skipped, report = BadLines(), ReadReport()
    ids = [e.theory_id for e in rule_reasoning.read(folder, bad=skipped, report=report)]
    assert ids == ["T-0", "T-0", "T-2", "T-2"]
    assert (skipped.count, report.theories, report.questions) == (1, 2, 4)
