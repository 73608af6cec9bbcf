"""ParaRules: rows with several facts, theories held out with their paraphrases, NatLang."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from natlang import write_natlang
from paraphrases import FILE_ROWS, save

from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example
from ibr.data.formats.jsonl import BadLines, DataError
from ibr.data.formats.pararules import Paraphrased, hold_out, read_tsv
from ibr.data.formats.record_in import ReadReport
from ibr.data.formats.sources import Reader
from ibr.data.making.questions import sample_paraphrased
from ibr.logic.clause import Clause, Literal
from ibr.proof import NAF
from ibr.theory import Kind, Strategy


@pytest.fixture
def small(tmp_path: Path) -> Paraphrased:
    (theory,) = read_tsv(save(tmp_path / "small.tsv", FILE_ROWS, marked=True))
    return theory


@pytest.fixture(scope="module")
def published(real_data: Path) -> list[Paraphrased]:
    return list(read_tsv(real_data / "pararules" / "turk-questions-train-mappings.tsv"))


def test_a_row_is_a_sentence_and_may_say_several_things(small: Paraphrased) -> None:
    assert (small.id, small.record_id) == ("AttNoneg12-theory", "AttNonegNatLang-12")
    assert [s.kind for s in small.theory] == [Kind.FACT, Kind.FACT, Kind.RULE, Kind.RULE]
    assert [len(clauses) for clauses in small.program.clauses] == [3, 1, 1, 1]
    assert small.program.clauses[0][1] == Clause(Literal("Dave", "is", "young"))
    assert small.rows[0].components == ("triple1", "triple2", "triple3")
    assert small.paraphrases == {"207", "208", "209", "210"}
    assert small.theory.text.startswith("Big Dave is young.  He is kind, too! Bob's")


def test_nodes_of_a_proof_are_rows(small: Paraphrased) -> None:
    examples = sample_paraphrased(small, random.Random(0))
    blue = next(e for e in examples if e.question == "Dave is blue.")
    assert (blue.depth, blue.length) == (2, 5)
    assert blue.proofs is not None
    (proof,) = blue.proofs
    assert proof.graph.nodes == {0, 2, 3}
    assert proof.graph.edges == {(0, 2), (2, 3), (0, 3)}


def test_natlang_files_are_read_with_their_mappings(small: Paraphrased, tmp_path: Path) -> None:
    examples = sample_paraphrased(small, random.Random(0))
    write_natlang(tmp_path, "train", [(small, examples)])
    meta = (tmp_path / "meta-train.jsonl").read_text(encoding="utf-8")
    assert "[(((((triple1 triple2) -> rule1) triple3) -> rule2))]" in meta
    mappings = tmp_path / "small.tsv"
    assert list(rule_reasoning.read(tmp_path, mappings=mappings)) == examples
    mappings.rename(tmp_path / "turk-questions-train-mappings.tsv")
    assert list(rule_reasoning.read(tmp_path)) == examples


def test_natlang_without_mappings_has_guessed_boundaries_and_no_proofs(
    small: Paraphrased, tmp_path: Path
) -> None:
    examples = sample_paraphrased(small, random.Random(0))
    write_natlang(tmp_path, "train", [(small, examples)])
    report = ReadReport()
    again = list(rule_reasoning.read(tmp_path, report=report))
    assert [e.answer for e in again] == [e.answer for e in examples]
    assert [s.text for s in again[0].theory][:2] == ["Big Dave is young.", "He is kind, too!"]
    assert again[0].proofs is again[0].program is None
    assert (report.guessed, report.unmapped) == (["AttNonegNatLang-12"], 1)
    assert len(report.lines()) == 2


def test_mappings_of_another_split_are_not_believed(small: Paraphrased, tmp_path: Path) -> None:
    examples = sample_paraphrased(small, random.Random(0))
    write_natlang(tmp_path, "train", [(small, examples)])
    other = [(*row[:4], row[4].replace("Bob", "Fred"), *row[5:]) for row in FILE_ROWS]
    report = ReadReport()
    mappings = save(tmp_path / "other.tsv", other)
    list(rule_reasoning.read(tmp_path, mappings=mappings, report=report))
    assert report.guessed == ["AttNonegNatLang-12"]


@pytest.mark.parametrize(
    ("cell", "value", "field"),
    [
        (4, " ", "NLSentence"),
        (6, "triple1 triple2", "Triple/RuleIDs"),
        (7, '("Dave" "is" "big")', "Triples/Rule"),
    ],
)
def test_a_bad_row_is_named_and_its_theory_skipped(
    tmp_path: Path, cell: int, value: str, field: str
) -> None:
    bad_row = [*FILE_ROWS[0][:cell], value, *FILE_ROWS[0][cell + 1 :]]
    later = [("AttNoneg13-theory", *row[1:]) for row in FILE_ROWS]
    path = save(tmp_path / "bad.tsv", [tuple(bad_row), *FILE_ROWS[1:], *later])
    with pytest.raises(DataError) as caught:
        list(read_tsv(path))
    assert (caught.value.line, caught.value.field) == (3, field)
    bad = BadLines()
    assert [theory.id for theory in read_tsv(path, bad)] == ["AttNoneg13-theory"]
    assert bad.count == 1


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.tsv"
    path.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected the columns Theory, SID"):
        list(read_tsv(path))
    path.write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="expected the columns"):
        list(read_tsv(path))


def test_the_published_file(published: list[Paraphrased]) -> None:
    rows = [row for theory in published for row in theory.rows]
    assert (len(published), len(rows)) == (1681, 16619)
    assert len({row.paraphrase for row in rows}) == 1099
    facts = [row for row in rows if row.kind is Kind.FACT]
    assert (min(len(r.clauses) for r in facts), max(len(r.clauses) for r in facts)) == (1, 7)
    bodies = Counter(len(row.clauses[0].body) for row in rows if row.kind is Kind.RULE)
    assert bodies == {3: 5073, 2: 4572, 1: 775}
    for theory in published:
        names = [name for row in theory.rows for name in row.components]
        facts_named = sum(name.startswith("triple") for name in names)
        assert names == [f"triple{n}" for n in range(1, facts_named + 1)] + [
            f"rule{n}" for n in range(1, len(names) - facts_named + 1)
        ]


def test_published_theories_are_asked_as_natlang_is(published: list[Paraphrased]) -> None:
    rng = random.Random(0)
    asked = [sample_paraphrased(theory, rng) for theory in published[:150]]
    deep = sum(max(e.depth or 0 for e in group if e.length) >= 3 for group in asked)
    assert deep == len(asked)  # the crowd was given theories that reach depth 3
    questions = [example for group in asked for example in group]
    # 28 thousand questions for 1,681 theories
    assert len(questions) / len(asked) == pytest.approx(28000 / 1681, rel=0.05)
    for example in questions:
        assert example.proofs
        for proof in example.proofs:
            assert proof.strategy is example.strategy
            assert NAF not in proof.graph.nodes


def test_published_theories_survive_the_natlang_files(
    published: list[Paraphrased], real_data: Path, tmp_path: Path
) -> None:
    rng = random.Random(1)
    asked = [(theory, sample_paraphrased(theory, rng)) for theory in published[:60]]
    write_natlang(tmp_path, "train", asked)
    name = "turk-questions-train-mappings.tsv"
    shutil.copy(real_data / "pararules" / name, tmp_path / name)
    assert list(rule_reasoning.read(tmp_path)) == [e for _, examples in asked for e in examples]


@pytest.mark.parametrize("fraction", [0.02, 0.05])
def test_held_out_theories_share_no_paraphrase_with_train(
    published: list[Paraphrased], fraction: float
) -> None:
    train, held_out = hold_out(published, fraction, seed=7)
    assert len(held_out) == round(fraction * len(published))
    assert not {t.id for t in train} & {t.id for t in held_out}
    paraphrases = {p for theory in held_out for p in theory.paraphrases}
    assert not {p for theory in train for p in theory.paraphrases} & paraphrases
    # Random theories would take half of the paraphrases with them.
    assert len(paraphrases) < {0.02: 200, 0.05: 360}[fraction]
    assert len(train) > 1400
    whole = {t.id: t for t in published}
    assert all(whole[t.id] == t for t in held_out)
    for theory in train:
        assert {row.kind for row in theory.rows} == {Kind.FACT, Kind.RULE}
        kept = [row for row in whole[theory.id].rows if row.paraphrase not in paraphrases]
        assert list(theory.rows) == kept


def test_holding_out_depends_on_the_seed_alone(published: list[Paraphrased]) -> None:
    some = published[:200]
    assert hold_out(some, 0.05, 1) == hold_out(iter(some), 0.05, 1)
    assert hold_out(some, 0.05, 1)[1] != hold_out(some, 0.05, 2)[1]
    with pytest.raises(ValueError, match="fraction"):
        hold_out(some, 1.5, 1)


def test_a_cut_theory_still_has_right_answers(published: list[Paraphrased]) -> None:
    train, _ = hold_out(published, 0.05, seed=3)
    whole = {t.id: t for t in published}
    cut = next(t for t in train if len(t.rows) < len(whole[t.id].rows))
    examples = sample_paraphrased(cut, random.Random(0))
    assert all(len(e.theory) == len(cut.rows) for e in examples)
    assert {e.strategy for e in examples} == {Strategy.PROOF, Strategy.FAIL_PROOF}


def test_a_tsv_has_two_splits(real_data: Path) -> None:
    """No theory and no paraphrase is in both."""
    path = real_data / "pararules" / "turk-questions-train-mappings.tsv"
    train, dev = (list(Reader(split).examples(path)) for split in ("train", "dev"))
    assert len(by_theory_text(dev)) == 84
    assert len(train) > 5 * len(dev)
    shared = sentences_of(train) & sentences_of(dev)
    assert not shared


def by_theory_text(examples: list[Example]) -> set[tuple[str, ...]]:
    return {tuple(sentence.text for sentence in example.theory) for example in examples}


def sentences_of(examples: list[Example]) -> set[str]:
    return {sentence.text for example in examples for sentence in example.theory}
