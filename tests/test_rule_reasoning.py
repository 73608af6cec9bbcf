"""RuleTaker directories: read, written back byte for byte, and refused with a reason."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import random_examples

from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example, by_theory
from ibr.data.formats.jsonl import BadLines, DataError
from ibr.data.formats.proof_string import Names
from ibr.data.formats.record_in import ReadReport, split_plain, split_stops
from ibr.data.making.questions import MAX_PROOFS
from ibr.logic.clause import Literal, Name, Sign
from ibr.logic.solving.solver import Solver
from ibr.proof import NAF
from ibr.theory import FineStrategy, Kind

RECORD: dict[str, Any] = {
    "id": "AttNeg-D1-1",
    "context": "All big things are kind. Bob is big. If Bob is kind and not red then Bob is ill.",
    "meta": {"sentenceScramble": [2, 1, 3]},
    "questions": [
        {
            "id": "AttNeg-D1-1-1",
            "text": "Bob is kind.",
            "label": True,
            "meta": {"QDep": 1, "QLen": 2, "strategy": "proof", "Qid": "Q1"},
        },
        {
            "id": "AttNeg-D1-1-2",
            "text": "Bob is not red.",
            "label": True,
            "meta": {"QDep": 0, "QLen": "", "strategy": "inv-random", "Qid": "Q2"},
        },
    ],
}
META: dict[str, Any] = {
    "id": "AttNeg-D1-1",
    "maxD": 2,
    "NFact": 1,
    "NRule": 2,
    "triples": {
        "triple1": {"text": "Bob is big.", "representation": '("Bob" "is" "big" "+")'},
    },
    "rules": {
        "rule1": {
            "text": "All big things are kind.",
            "representation": '((("something" "is" "big" "+")) -> ("something" "is" "kind" "+"))',
        },
        "rule2": {
            "text": "If Bob is kind and not red then Bob is ill.",
            "representation": '((("Bob" "is" "kind" "+") ("Bob" "is" "red" "~"))'
            ' -> ("Bob" "is" "ill" "+"))',
        },
    },
    "questions": {
        "Q1": {
            "question": "Bob is kind.",
            "answer": True,
            "QDep": 1,
            "QLen": 2,
            "strategy": "proof",
            "proofs": "[(((triple1) -> rule1))]",
            "representation": '("Bob" "is" "kind" "+")',
        },
        "Q2": {
            "question": "Bob is not red.",
            "answer": True,
            "QDep": 0,
            "QLen": "",
            "strategy": "inv-random",
            "proofs": "[@0: Bob is red.[CWA. Example of deepest failure = (FAIL)]]",
            "representation": '("Bob" "is" "red" "-")',
        },
    },
    "allProofs": "@0: Bob is big.[(triple1)] @1: Bob is kind.[(((triple1) -> rule1))]",
}


def copy(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(record))
    return found


def save(folder: Path, records: list[Any], metas: list[Any] | None = None) -> Path:
    for name, lines in (("dev.jsonl", records), ("meta-dev.jsonl", metas)):
        if lines is not None:
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def renamed(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    record, meta = copy(RECORD), copy(META)
    record["id"] = meta["id"] = name
    for k, question in enumerate(record["questions"], start=1):
        question["id"] = f"{name}-{k}"
    return record, meta


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


@pytest.mark.parametrize("name", ["birds-electricity", "depth-5-dev-slice"])
def test_published_files_are_written_back_byte_for_byte(
    real_data: Path, tmp_path: Path, name: str
) -> None:
    folder = real_data / name
    examples = list(rule_reasoning.read(folder))
    (file,) = rule_reasoning.find_files(folder)
    assert rule_reasoning.write(tmp_path, file.stem, examples) == len(examples)
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(path.name for path in folder.iterdir())
    for path in folder.iterdir():
        # The published files have no line break at their end.
        ours, theirs = (tmp_path / path.name).read_bytes(), path.read_bytes()
        assert ours.rstrip(b"\n") == theirs.rstrip(b"\n")
    assert list(rule_reasoning.read(tmp_path)) == examples


def test_birds_are_read_in_full(real_data: Path) -> None:
    report = ReadReport()
    examples = list(rule_reasoning.read(real_data / "birds-electricity", report=report))
    assert (len(examples), report.theories, report.lines()) == (5270, 140, [])
    groups = Counter(example.theory_id.rpartition("-")[0][6:] for example in examples)
    assert groups == {
        "BirdsVar1": 40,
        "BirdsVar2": 40,
        "ElectricityRB1": 162,
        "ElectricityRB2": 180,
        "ElectricityRB3": 624,
        "ElectricityRB4": 4224,
    }
    for example in examples:
        assert example.proofs is not None
        assert example.fine_strategy is not None
        (proof,) = example.proofs  # every statement has exactly one
        assert proof.strategy is example.strategy
        assert proof.size == (example.length if example.length is not None else example.depth)
    ostrich = next(e.literal for e in examples if e.question == "Bill is an ostrich.")
    assert ostrich == Literal("Bill", "is", "ostrich")
    assert isinstance(ostrich.object, Name)
    assert ostrich.object.surface == "an ostrich"


def test_the_slice_is_read_in_full(real_data: Path) -> None:
    report = ReadReport()
    examples = list(rule_reasoning.read(real_data / "depth-5-dev-slice", "dev", report=report))
    assert (len(examples), report.theories, report.without_meta) == (2068, 100, 100)
    assert report.unusual == {("QDep", "6"): 4, ("QDep", "7"): 1}
    assert max(e.depth for e in examples if e.depth is not None) == 7
    assert len(list(by_theory(examples))) == 100


def test_all_proofs_are_listed_as_published(real_data: Path) -> None:
    for group in by_theory(rule_reasoning.read(real_data / "birds-electricity")):
        example = group[0]
        if "BirdsVar2" in example.theory_id:
            continue  # "can fly" is written there, though its logic says "is flying"
        assert example.program is not None
        names = Names.of_theory(example.theory)
        solver = Solver(example.program)
        assert example.source is not None
        assert max(solver.model.values()) == example.source.max_depth
        assert rule_reasoning.all_proofs(solver, names, MAX_PROOFS) == example.source.all_proofs


@given(st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_what_is_written_is_read_back(rng: random.Random) -> None:
    examples = [e for n in range(3) for e in random_examples(rng, f"AttNeg-D2-{n}")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rule_reasoning.write(folder, "train", examples)
        again = list(rule_reasoning.read(folder, "train"))
        assert [_comparable(e) for e in again] == [_comparable(e) for e in examples]
        rule_reasoning.write(folder, "dev", again)
        for start in ("", "meta-"):
            one, two = (folder / f"{start}{split}.jsonl" for split in ("train", "dev"))
            assert one.read_bytes() == two.read_bytes()
        with pytest.raises(DataError, match="exists already"):
            rule_reasoning.write(folder, "dev", again)


def _comparable(example: Example) -> Any:
    """Equal literals may be worded apart ("bird", "a bird"): sentences and questions tell."""
    line = example.to_json()
    line["wordings"] = [example.question, *line["sentences"]]
    return line


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


def test_a_theory_without_logic_gets_no_meta_record(tmp_path: Path) -> None:
    examples = list(rule_reasoning.read(save(tmp_path, [RECORD])))
    (tmp_path / "meta-test.jsonl").write_text("stale", encoding="utf-8")
    rule_reasoning.write(tmp_path, "test", examples)
    assert not (tmp_path / "meta-test.jsonl").exists()
    assert json.loads((tmp_path / "test.jsonl").read_text(encoding="utf-8")) == RECORD


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


def test_directories_and_files(tmp_path: Path) -> None:
    for split in ("test", "train"):
        record, _ = renamed(f"{split}-1")
        (tmp_path / f"{split}.jsonl").write_text(json.dumps(record), encoding="utf-8-sig")
    ids = [e.id for e in rule_reasoning.read(tmp_path)]
    assert ids == ["train-1-1", "train-1-2", "test-1-1", "test-1-2"]
    assert [e.id for e in rule_reasoning.read(tmp_path, "test")] == ids[2:]
    assert [e.id for e in rule_reasoning.read(tmp_path / "train.jsonl")] == ids[:2]
    with pytest.raises(DataError, match=r"no dev\.jsonl"):
        list(rule_reasoning.read(tmp_path, "dev"))
    with pytest.raises(DataError, match="no such file"):
        list(rule_reasoning.read(tmp_path / "nowhere"))


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


def test_a_broken_meta_line_is_named_as_such(tmp_path: Path) -> None:
    folder = save(tmp_path, [RECORD])
    (folder / "meta-dev.jsonl").write_text('{"id": ', encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(rule_reasoning.read(folder))
    assert caught.value.file.endswith("meta-dev.jsonl")
    assert caught.value.line == 1


def test_several_clauses_in_one_component_cannot_be_written(tmp_path: Path) -> None:
    examples = random_examples(random.Random(2))
    program = examples[0].program
    assert program is not None
    object.__setattr__(program, "clauses", (program.clauses[0] * 2, *program.clauses[1:]))
    with pytest.raises(ValueError, match="one each"):
        rule_reasoning.write(tmp_path, "dev", examples)
    assert list(tmp_path.iterdir()) == []


def test_naf_is_a_node_of_its_own(real_data: Path) -> None:
    examples = rule_reasoning.read(real_data / "birds-electricity")
    flying = next(e for e in examples if e.question == "Arthur is flying.")
    assert flying.proofs is not None
    assert NAF in flying.proofs[0].graph.nodes
