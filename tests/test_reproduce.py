"""The tables of the paper: published figures, plans, scores, pages; killed and resumed."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import ROOT
from shell import Run
from tiny import examples, model_config
from tiny_roberta import HIDDEN, roberta

from ibr.choices import LogicFrom
from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example, write_jsonl
from ibr.data.formats.sources import FileLogic
from ibr.data.making.generator import Recipe, generate
from ibr.errors import ExitCode, UsageError
from ibr.model.ibr import IBR
from ibr.prediction import Prediction
from ibr.proof import Graph
from ibr.reasoner import Recorded
from ibr.reproduce.measuring import Figures, ScoreSheet, add_scores, measure
from ibr.reproduce.paper_tables import PaperTable, Query, table, tables
from ibr.reproduce.plan import PlanOptions, TablePlan, config_of
from ibr.reproduce.report_page import Measured, _differences
from ibr.theory import Strategy
from ibr.training.checkpoint import publish

torch.set_num_threads(1)

NAMES = [one.name for one in tables()]
SETTINGS = (
    "width=16", "hidden=16", "theory_turns=2", "heads=2", "channels=4", "theories=1", "questions=2",
    "workers=0", "dev_questions=2",
)  # fmt: skip
TINY = [
    "--samples", "700", "--questions", "12", "--threads", "1",
    *(part for setting in SETTINGS for part in ("--set", setting)),
]  # fmt: skip


# Published figures


def published(one: PaperTable) -> list[float]:
    """In the order of print, with the depths that begin a line."""
    rows: dict[str, list[Any]] = {"": list(one.counts)} if one.counts else {}
    rows |= one.rows
    if one.transpose:
        rows = dict(zip(one.columns, map(list, zip(*rows.values(), strict=True)), strict=True))
    lines = [[label.rpartition(" ")[2], *row] for label, row in rows.items()]
    found = [f for line in lines for f in line if not isinstance(f, str) or f.isdigit()]
    return [float(figure) for figure in found if figure is not None]


def figures_of(tabular: str) -> list[float]:
    plain = re.sub(r"\\(multirow|multicolumn)\{\d\}\{[^}]*\}", "", tabular)
    plain = re.sub(r"\\(specialrule|cline|setlength|renewcommand)(\{[^}]*\})+", "", plain)
    found = re.findall(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w.-])", plain.replace("\\\\", " "))
    return [float(text.replace(",", "")) for text in found]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "latency"])
def test_published_figures_are_those_of_the_paper(name: str, real_data: Path) -> None:
    paper = real_data.parent / "paper" / "ibr.tex"
    if not paper.exists():
        pytest.skip(f"{paper} is not here")
    one = table(name)
    text = paper.read_text(encoding="utf-8").partition(rf"\label{{{one.label}}}")[0]
    tabular = text.rpartition(r"\begin{tabular}")[2].partition("}")[2]
    ours = published(one)
    assert figures_of(tabular)[-len(ours) :] == ours
    assert all(len(row) == len(one.columns) for row in (*one.rows.values(), *one.others.values()))


# Plans


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Something to stand for the files that some tables need."""
    tsv = tmp_path / "mappings.tsv"
    tsv.write_text("", encoding="utf-8")
    return ["--pararules", str(tsv), "--birds", str(tmp_path)]


RUNS = {
    "full": 4, "evr": 2, "fewer": 9, "fewer-evr": 6, "birds": 4, "birds-evr": 2, "depths": 15,
    "pararules": 3, "ablations": 4, "strategy": 1, "failing": 2, "statistics": 0, "latency": 5,
    "systems": 4,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_dry_run_of_every_table(name: str, files: list[str], run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("reproduce", name, "--dry-run", "--minutes", "10", "--out", str(out), *files)
    assert done.code == 0, done.err
    count = RUNS[name]
    minutes = f"{count} of {count} trainings to do, {10 * count} minutes"
    assert minutes in done.out
    assert sum(line.startswith("run ") for line in done.out.splitlines()) == count
    assert not out.exists()


def test_list_names_every_table(run: Run) -> None:
    assert [line.split()[0] for line in run("reproduce", "list").out.splitlines()] == NAMES


def plan(name: str, **options: Any) -> TablePlan:
    steps = dict.fromkeys(("ibr", "prover", "probr", "evr", "ruletaker"), 100)
    return TablePlan(table(name), PlanOptions(**options), steps)


def test_one_run_serves_every_table_that_needs_it() -> None:
    (base,) = plan("strategy").runs
    for name in ("full", "evr", "fewer", "fewer-evr", "depths", "ablations", "failing", "latency"):
        assert base.name in [one.name for one in plan(name).runs], name
    assert len({one.name for one in plan("strategy", seeds=3).runs}) == 3
    assert plan("strategy", minutes=5).runs[0].name == base.name  # only its steps count


def test_a_plan_is_data() -> None:
    found = json.loads(json.dumps(plan("fewer", systems=("ibr", "prover")).to_json()))
    assert [run["data"] for run in found["runs"][:3]] == ["du5", "du5-30k", "du5-10k"]
    theories = [run["config"]["data"][0]["theories"] for run in found["runs"][:3]]
    assert [round(count * 20.3, -4) for count in theories] == [70_000, 30_000, 10_000]
    assert {run["config"]["steps"] for run in found["runs"]} == {100}
    assert len(found["evaluations"]) == 6


def test_systems_of_the_table_come_first_and_others_are_added() -> None:
    rows = table("full").chosen(["proofwriter", "ibr"])
    assert rows == ["QA IBR", "QA PW", "PA IBR", "PA PW", "FA IBR", "FA PW"]
    assert table("full").published("PA PW", "all") == 96.2
    with pytest.raises(UsageError, match="no system gpt"):
        table("full").chosen(["gpt"])


def test_equal_examples_are_equal_steps() -> None:
    options = PlanOptions(equal_examples=True)
    runs = TablePlan(table("full"), options, {"ibr": 70}).runs
    assert {one.config.steps for one in runs} == {70}


def test_settings_may_be_of_one_system() -> None:
    options = PlanOptions(settings=("width=32", "evr:max_calls=7"))
    assert options.settings_of("evr") == ["width=32", "max_calls=7"]
    assert options.settings_of("ibr") == ["width=32"]


def test_limited_data_comes_again() -> None:
    from ibr.training.stream import Stream

    config = config_of(Query("ibr", "qa", "du5-10k"), PlanOptions(samples=7 * 41), 5, 0)
    stream = Stream(config)
    assert config.data[0].theories == 2
    assert stream.group(0)[0].theory == stream.group(2)[0].theory
    assert stream.group(0)[0].theory != stream.group(1)[0].theory


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["birds"], "give --birds PATH"),
        (["pararules"], "give --pararules PATH"),
        (["chess"], "no table 'chess'"),
        (["full", "--systems", "gpt"], "no system gpt"),
        (["full", "--data", "nowhere"], "--data nowhere: no such file or folder"),
    ],
)
def test_bad_input_says_what_to_do(
    arguments: list[str], why: str, run: Run, tmp_path: Path
) -> None:
    done = run("reproduce", *arguments, "--dry-run", "--out", str(tmp_path))
    assert done.code == ExitCode.USAGE
    assert why in done.err


# Scores


def recorded(found: list[Example], **other: Any) -> Figures:
    """The scores of a system that predicts the gold proof, or with `other`, something else."""
    predictions = [
        replace(
            Prediction(e.id, e.answer, "x", e.strategy, (e.proofs or ())[0].graph),
            **(other if e.strategy is Strategy.FAIL_PROOF else {}),
        )
        for e in found
    ]
    return scores(predictions, found)


def scores(predictions: list[Prediction], found: list[Example]) -> Figures:
    """Counted in two parts, the first of them through JSON."""
    sheet = ScoreSheet()
    for part in (found[:3], found[3:]):
        sheet = ScoreSheet(json.loads(json.dumps(sheet.counts)))
        add_scores(sheet, Recorded(predictions, "x"), FileLogic(LogicFrom.AUTO), part)
    return sheet.figures


def test_three_conventions_of_what_is_not_provable() -> None:
    found = examples(2, 4)
    gold = recorded(found)["all"]["all"]
    for metric in ("qa", "pa", "fa", "pa_none", "fa_none", "strategy"):
        assert gold[metric] == [len(found), len(found)]
    assert gold["malformed"] == [0, len(found)]
    assert recorded(found)["proof"]["all"]["valid"][0] == gold["valid"][1] > 0

    silent = recorded(found, graph=Graph())
    empty = sum(not e.proofs[0].graph.nodes for e in found if e.proofs)
    fails = silent["fail"]["all"]
    assert fails["pa"] == [empty, fails["questions"]]
    assert 0 < empty < fails["questions"]
    assert fails["pa_none"] == [fails["questions"]] * 2

    malformed = recorded(found, graph=None)["fail"]["all"]
    assert malformed["pa"][0] == malformed["pa_none"][0] == 0
    assert malformed["malformed"] == [malformed["questions"]] * 2


def test_a_system_whose_proofs_are_all_malformed_has_none_right() -> None:
    found = examples(1, 2)
    predictions = [Prediction(e.id, e.answer, "x", Strategy.FAIL_PROOF) for e in found]
    figures = scores(predictions, found)["all"]["all"]
    assert figures["pa"] == figures["fa"] == figures["pa_none"] == [0, len(found)]
    assert figures["malformed"] == figures["qa"] == [len(found), len(found)]


def test_a_system_without_proofs_has_no_proof_figures() -> None:
    found = examples(1, 2)
    predictions = [Prediction(e.id, e.answer, "x") for e in found]
    figures = scores(predictions, found)
    assert set(figures["all"]["all"]) == {"questions", "qa"}


def test_what_a_system_refuses_is_wrong() -> None:
    found = examples(1, 2)
    predictions = [Prediction(e.id, e.answer, "x") for e in found[1:]]
    figures = scores(predictions, found)
    assert figures["all"]["all"]["qa"] == [len(found) - 1, len(found)]


def test_a_figure_is_100_only_if_nothing_is_wrong() -> None:
    assert str(Measured(100.0)) == "100.0"
    assert str(Measured(99.99)) == "99.9"
    assert str(Measured(90.0, 1.25)) == "90.0 ± 1.2"


def test_the_order_of_the_systems_is_compared_with_the_published_one() -> None:
    one = table("full")
    rows = one.chosen(["ibr", "prover", "probr", "nlprolog"])  # of the last nothing is published
    means = {"IBR": 90.0, "PV": 85.0, "PB": 80.0, "NLProlog": 99.0}
    cells = {(row, "all"): Measured(means[row.split()[1]], None, 900) for row in rows}
    chance, order = _differences(one, rows, cells)
    assert "900 questions: 2.0 points" in chance
    assert order == "PA by all: ours IBR > PV > PB; published IBR > PB > PV: another order."


# Carried out


def pages(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_killed_reproduce_resumes_and_ends_the_same(run: Run, tmp_path: Path) -> None:
    """Killed in its second training; the pages are byte for byte those of a run without a kill."""
    arguments = ["reproduce", "full", "--systems", "ibr,prover", "--steps", "12", *TINY]
    broken, straight = tmp_path / "broken", tmp_path / "straight"
    child = subprocess.Popen(
        [sys.executable, "-m", "ibr", *arguments, "--out", str(broken)],
        cwd=ROOT, stderr=subprocess.PIPE,
    )  # fmt: skip
    begun = time.monotonic()
    while len(list(broken.glob("runs/*/latest"))) < 2:
        assert child.poll() is None, child.communicate()[1]
        assert time.monotonic() - begun < 300
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert not (broken / "full" / "full.md").exists()
    for out in (broken, straight):
        done = run(*arguments, "--out", str(out))
        assert done.code == 0, done.err
    assert pages(broken / "full") == pages(straight / "full")
    assert {"full.md", "full.json", "full-du5.svg", "plan.json"} == set(pages(broken / "full"))
    page = (broken / "full" / "full.md").read_text(encoding="utf-8")
    assert "/ 93.5" in page
    assert "PA by all: ours " in page

    again = run("reproduce", "strategy", *arguments[2:], "--out", str(broken))
    assert again.code == 0, again.err
    assert "started" not in again.err  # its runs are there


def test_a_killed_evaluation_goes_on_where_it_was(tmp_path: Path) -> None:
    model, part = tmp_path / "model", tmp_path / "part.json"
    publish(IBR(model_config()), model)
    found = examples(1, 7)
    whole = measure(model, found, None, part, lambda *_: None)
    assert not part.exists()

    def die(done: int, left: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(model, found, None, part, die)
    asked: list[tuple[int, int]] = []
    assert measure(model, found, None, part, lambda *at: asked.append(at)) == whole
    assert asked == [(2, 0)]  # five of seven were done


def test_minutes_become_steps_once(run: Run, tmp_path: Path) -> None:
    """By a short timing; the number is kept, so that a resumed plan has it again."""
    arguments = ["reproduce", "strategy", "--minutes", "0.01", "--out", str(tmp_path), *TINY]
    assert run(*arguments).code == 0
    (steps,) = json.loads((tmp_path / "steps.json").read_text()).values()
    plan = json.loads((tmp_path / "strategy" / "plan.json").read_text())
    assert [one["config"]["steps"] for one in plan["runs"]] == [steps]
    assert "timing" not in run(*arguments).err
    assert f"{steps:,} steps" in run(*arguments, "--seeds", "2", "--dry-run").out


def test_every_trained_system_is_on_one_page(run: Run, tmp_path: Path) -> None:
    """At equal time and at equal steps; what is not trained is named, and nothing is trained."""
    write_jsonl(tmp_path / "birds.jsonl", examples(1, 2))
    here = ["--out", str(tmp_path), *TINY]
    options = ["--minutes", "0.5", "--birds", str(tmp_path / "birds.jsonl"), *here]
    assert run("reproduce", "systems", *options).code == ExitCode.USAGE
    key = f"quick, 0.5 minutes, 1 threads {' '.join(SETTINGS)}"
    (tmp_path / "steps.json").write_text(json.dumps({f"ibr, {key}": 2, f"prover, {key}": 3}))
    for system, count in (("ibr", "2"), ("prover", "3"), ("ruletaker", "2")):
        done = run("reproduce", "full", "--systems", system, "--steps", count, *here)
        assert done.code == 0, done.err
    trained = sorted((tmp_path / "runs").iterdir())
    done = run("reproduce", "systems", *options)
    assert done.code == 0, done.err
    assert sorted((tmp_path / "runs").iterdir()) == trained
    found = json.loads((tmp_path / "systems" / "systems.json").read_text())
    names = [{name.split("-")[0] for name in part["runs"]} for part in found.values()]
    assert names == [{"ibr", "prover"}, {"ibr", "ruletaker"}]
    assert [key.split("-")[0] for key in found["equal time"]["ours"]] == ["du5", "birds"]
    (figures,) = (v for key, v in found["equal time"]["published"].items() if "birds" in key)
    assert figures["PA IBR, all"] == 83.2  # not that of DU5
    page = (tmp_path / "systems" / "systems.md").read_text(encoding="utf-8")
    assert "Not trained: RT, PB, EVR, PW, PW-iter, NLProlog." in page
    assert page.count("| PA, all, None |") == 4
    assert page.count("parameters | minutes |") == 2


def test_statistics_stand_beside_the_published_ones(run: Run, tmp_path: Path) -> None:
    done = run("reproduce", "statistics", "--out", str(tmp_path), *TINY)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "statistics" / "statistics.json").read_text())["ours"]
    assert found["Test all"][0] == 12
    assert found["Train all"][0] == sum(found[f"Train {depth}"][0] for depth in range(6))
    assert found["Train 1"][3] < found["Train 3"][3] < found["Train 5"][3]
    assert "/ 69,683" in (tmp_path / "statistics" / "statistics.md").read_text(encoding="utf-8")


def test_the_papers_own_setting_on_small_stand_ins(run: Run, tmp_path: Path) -> None:
    """RuleTaker folders, a pretrained encoder, epochs instead of minutes."""
    torch.manual_seed(0)
    encoder = roberta(tmp_path / "roberta")
    for split, seed in (("train", 1), ("dev", 2), ("test", 3)):
        recipe = Recipe(depth=1, facts=3, rules=2, unproved=2)
        found = [e for group in generate(recipe, seed, 2) for e in group]
        rule_reasoning.write(tmp_path / "data" / "depth-5", split, found)
    small = ("ibr:focus_lstm_hidden=16",
             "workers=0", "epochs=1", "theories=2", "dev_questions=2")  # fmt: skip
    settings = [part for setting in small for part in ("--set", setting)]
    done = run(
        "reproduce", "full", "--systems", "ibr,prover", "--preset", "paper", "--threads", "1",
        "--encoder", encoder, "--data", str(tmp_path / "data"), "--out", str(tmp_path / "out"),
        *settings,
    )  # fmt: skip
    assert done.code == 0, done.err
    plan = json.loads((tmp_path / "out" / "full" / "plan.json").read_text())
    assert [run["config"]["steps"] for run in plan["runs"]] == [None, None]
    assert [run["seed"] for run in plan["runs"]] == [0, 0]
    assert {run["config"]["model"]["hidden"] for run in plan["runs"]} == {HIDDEN}
    assert "depth-5, test" in (tmp_path / "out" / "full" / "full.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_table_at_two_minutes(run: Run, tmp_path: Path) -> None:
    arguments = ["--minutes", "2", "--questions", "100", "--out", str(tmp_path)]
    done = run("reproduce", "ablations", *arguments)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "ablations" / "ablations.json").read_text())
    (ours,) = found["ours"].values()
    assert ours["IBR, QA"]["mean"] > 55  # it learned something
    assert ours["IBR+Gold-Child, PA"]["mean"] >= ours["IBR, PA"]["mean"]
