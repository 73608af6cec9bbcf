"""The solver on RuleTaker's published files: every label, depth, length, strategy and proof."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path

from natlang import write_natlang
from shell import Run

from ibr.data.formats.pararules import read_tsv
from ibr.data.making.questions import sample_paraphrased

METRICS = ("qa", "node", "edge", "pa", "pa_min", "fa", "strategy", "depth", "length")


def test_birds_and_electricity(run: Run, real_data: Path) -> None:
    """5,270 questions with published proofs; sizes of the groups as in the paper's table."""
    folder = real_data / "birds-electricity"
    report = run("evaluate", "--reasoner", "solver", "--data", folder, "--json").json
    sizes = {"B1": 40, "B2": 40, "E1": 162, "E2": 180, "E3": 624, "E4": 4224}
    assert {name: row["count"] for name, row in report["by_group"].items()} == sizes
    assert report["all"]["count"] == 5270
    assert (report["solver_proofs"], report["file_logic"], report["not_stratified"]) == (0, 0, 0)
    for row in (report["all"], report["provable"]["all"], *report["by_group"].values()):
        assert {row[name] for name in METRICS} == {100.0}
        assert row["fine_strategy"] == 100.0


def test_depth_5(run: Run, real_data: Path) -> None:
    """Label, QDep, QLen and the six strategies agree with the file on every question."""
    folder = real_data / "depth-5-dev-slice"
    report = run("evaluate", "--reasoner", "solver", "--data", folder, "--json").json
    agreement = ("qa", "depth", "length", "fine_strategy", "strategy")
    assert {report["all"][name] for name in agreement} == {100.0}
    assert report["all"]["count"] == report["solver_proofs"] == 2068
    assert report["all"]["count"] - report["depth_0_to_5"]["count"] == 5
    assert set(report["by_group"]) == {"AttNeg", "AttNoneg", "RelNeg", "RelNoneg"}


def test_predictions_of_a_published_file_pass_the_verifier(
    run: Run, real_data: Path, tmp_path: Path
) -> None:
    data, out = real_data / "depth-5-dev-slice" / "dev.jsonl", tmp_path / "out.jsonl"
    assert run("predict", "--reasoner", "solver", "--in", data, "--out", out).code == 0
    ids = [json.loads(line)["id"] for line in out.read_text().splitlines()]
    with data.open(encoding="utf-8-sig") as stream:
        assert ids == [q["id"] for line in stream for q in json.loads(line)["questions"]]
    done = run("check", "--in", data, "--predictions", out)
    assert done.out == "2,068 valid\n"


def test_paraphrases_are_read_by_the_files_own_logic(
    run: Run, real_data: Path, tmp_path: Path
) -> None:
    """NatLang files as published: one running text, boundaries and logic from the mappings."""
    tsv = real_data / "pararules" / "turk-questions-train-mappings.tsv"
    theories = list(islice(read_tsv(tsv), 60))
    rng = random.Random(1)
    asked = [(theory, sample_paraphrased(theory, rng)) for theory in theories]
    write_natlang(tmp_path, "train", asked)
    count = sum(len(examples) for _, examples in asked)
    arguments = ("--reasoner", "solver", "--data", tmp_path, "--mappings", tsv, "--json")
    report = run("evaluate", *arguments).json
    assert report["file_logic"] == report["all"]["count"] == count
    assert {report["all"][name] for name in METRICS} == {100.0}
    (tmp_path / "meta-train.jsonl").unlink()
    report = run("evaluate", *arguments).json
    assert {report["all"][name] for name in METRICS} == {100.0}
    assert report["solver_proofs"] == count
