"""RuleTaker directories: read, written back byte for byte, and refused with a reason."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import RECORD, renamed, save
from tiny import random_examples

from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example, by_theory
from ibr.data.formats.jsonl import DataError
from ibr.data.formats.proof_string import Names
from ibr.data.formats.record_in import ReadReport
from ibr.data.making.questions import MAX_PROOFS
from ibr.logic.clause import Literal, Name
from ibr.logic.solving.solver import Solver
from ibr.proof import NAF


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


def test_a_theory_without_logic_gets_no_meta_record(tmp_path: Path) -> None:
    examples = list(rule_reasoning.read(save(tmp_path, [RECORD])))
    (tmp_path / "meta-test.jsonl").write_text("stale", encoding="utf-8")
    rule_reasoning.write(tmp_path, "test", examples)
    assert not (tmp_path / "meta-test.jsonl").exists()
    assert json.loads((tmp_path / "test.jsonl").read_text(encoding="utf-8")) == RECORD


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
