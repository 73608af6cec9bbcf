"""`ibr bench latency`: forced systems follow gold, counts explain seconds, one page."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from shell import Run
from test_baselines import config_of
from tiny import SMALL, examples, model_config

from ibr.baselines.system import Meter, system_class
from ibr.errors import ExitCode, UsageError
from ibr.model.ibr import IBR
from ibr.reproduce import latency
from ibr.reproduce.forced import VARIANTS, timed_system
from ibr.reproduce.latency import Bench, draw_questions, fit
from ibr.theory import Strategy
from ibr.training.checkpoint import publish
from ibr.training.systems import Model

torch.set_num_threads(1)
SETTINGS = [
    part
    for setting in (*SMALL, "theories=1", "workers=0", "prover:attention_heads=2")
    for part in ("--set", setting if "focus" not in setting else f"ibr:{setting}")
]
WRITES_NO_CHAIN = {"evr", "evr-20-10", "proofwriter", "proofwriter-iter"}


def model_of(variant: str) -> Model:
    torch.manual_seed(0)
    system = VARIANTS[variant][0]
    if system == "ibr":
        return IBR(replace(model_config(), dropout=0.0))
    return system_class(system)(config_of(system, max_output=160, max_calls=2000))


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "ibr-beam8"])
def test_a_forced_system_ends_in_the_gold_proof(variant: str) -> None:
    """With random weights; EVR and ProofWriter where there is a proof."""
    system = timed_system(variant, model_of(variant), is_forced=True)
    for example in examples(2, 2):
        if example.strategy is Strategy.FAIL_PROOF and variant in WRITES_NO_CHAIN:
            continue
        assert example.proofs
        system.prepare(example)
        system.meter.reset()
        (found,) = system.reasoner.prove([example.problem])
        if variant == "ruletaker":
            assert found.graph is None
        elif not variant.startswith("evr"):  # with perfect modules it proves other things, too
            assert found.graph in [proof.graph for proof in example.proofs]
        elif example.depth == 0:
            assert found.graph == example.proofs[0].graph
        assert system.meter.encoder_calls > 0
        if variant == "ibr":
            size = example.proofs[0].size
            assert system.meter.light_steps == size + 1  # with END


def test_evr_calls_grow_with_depth_and_ibr_encodes_once() -> None:
    found = [e for e in examples(2, 2) if e.strategy is Strategy.PROOF]
    calls: dict[tuple[str, int], list[int]] = {}
    for variant in ("evr", "ibr"):
        system = timed_system(variant, model_of(variant), is_forced=True)
        for example in found:
            system.prepare(example)
            system.meter.reset()
            system.reasoner.prove([example.problem])
            key = variant, example.depth or 0
            calls.setdefault(key, []).append(system.meter.encoder_calls)
    assert {count for (name, _), own in calls.items() if name == "ibr" for count in own} == {1}
    means = [float(np.mean(calls["evr", depth])) for depth in range(3)]
    assert means == sorted(means)
    assert means[2] > 3 * means[0]


def test_a_free_system_is_counted_too() -> None:
    system = timed_system("ibr", model_of("ibr"), is_forced=False)
    system.reasoner.prove([examples(1, 1)[0].problem])
    assert system.meter.encoder_calls == 1
    assert system.meter.light_steps > 0


def row(**other: Any) -> dict[str, Any]:
    return {**asdict(Meter()), **other}


def test_the_fit_finds_the_costs() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(50):
        tokens, steps, solver = int(rng.integers(50, 200)), int(rng.integers(1, 12)), rng.random()
        seconds = 0.5 + 0.01 * tokens + 0.2 * steps + solver
        rows.append(row(encoder_tokens=tokens, light_steps=steps, solver_seconds=solver,
                        seconds=seconds))  # fmt: skip
    found = fit(rows, "seconds")
    assert found["r2"] == pytest.approx(1.0)
    assert found["costs"]["encoder_tokens"] == pytest.approx(0.01)
    assert found["costs"]["light_steps"] == pytest.approx(0.2)
    assert sum(found["shares"].values()) == pytest.approx(1.0)
    noise = [row(seconds=value) for value in rng.random(50)]
    assert fit(noise, "seconds")["r2"] < 0.1


def test_questions_have_all_depths_and_theories_of_their_own(tmp_path: Path) -> None:
    bench = Bench(per_depth=1, failing=1)
    found = draw_questions(bench, tmp_path / "questions.jsonl")
    kinds = {(e.depth, e.strategy) for e in found}
    assert len(kinds) == len(found) == 10
    assert len({e.theory for e in found}) == 10
    assert draw_questions(bench, tmp_path / "questions.jsonl") == found


def test_the_fastest_round_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    system = timed_system("ruletaker", model_of("ruletaker"), is_forced=True)
    seconds = iter([9.0, 0.5, 3.0, 4.0])
    monkeypatch.setattr(latency, "_timed", lambda *_: {"seconds": next(seconds)})
    rows = latency.times(Bench(warmup=0), [system], examples(1, 1)[:2], lambda _: None)
    assert [one["seconds"] for one in rows] == [3.0, 0.5]


def test_one_command_one_page(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"ibr": "ibr", "prover": "prover-ilp"}
    monkeypatch.setattr(latency, "model_of", lambda system, _: model_of(small[system]))
    systems = "ibr,prover-ilp,prover-kruskal"
    out, pages = str(tmp_path / "out"), tmp_path / "pages"
    done = run("bench", "latency", "--per-depth", "1", "--rounds", "1", "--systems", systems,
               "--out", out, "--page", str(pages), "--cpu-time")  # fmt: skip
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "out" / "latency.json").read_text())
    assert set(found["modes"]["forced"]) == set(systems.split(","))
    assert len(found["rows"]) == 6 * 3
    assert found["modes"]["forced"]["ibr"]["parts"]["proof all"]["ratio"] == 1.0
    page = (pages / "latency.md").read_text(encoding="utf-8")
    assert "IBR, depth 5 ÷ depth 0" in page
    assert "with Kruskal's algorithm" in page
    assert "| prover-ilp |" in page
    for name in ("latency-evr", "latency-at-once"):
        assert (pages / f"{name}.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["memory"], "use latency"),
        (["latency", "--systems", "gpt,ibr"], "no system 'gpt'"),
        (["latency", "--systems", "evr"], "ratio is to ibr"),
        (["latency", "--mode", "fast"], "mode fast"),
        (["latency", "--model", "ibr"], "SYSTEM=RUN"),
        (["latency", "--mode", "free"], "give --model ibr=RUN"),
    ],
)
def test_bad_options_are_usage_errors(
    arguments: list[str], why: str, run: Run, tmp_path: Path
) -> None:
    done = run("bench", *arguments, "--out", str(tmp_path))
    assert done.code == ExitCode.USAGE
    assert why in done.err


def test_reproduce_latency_trains_and_times_both_modes(run: Run, tmp_path: Path) -> None:
    arguments = ["--steps", "2", "--questions", "1", "--systems", "ibr,prover", "--threads", "1"]
    done = run("reproduce", "latency", "--out", str(tmp_path), *arguments, *SETTINGS)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "latency" / "latency.json").read_text())
    both = {"ibr", "prover-ilp", "prover-kruskal"}
    assert set(found["modes"]["forced"]) == both
    assert set(found["modes"]["free"]) == both | {"ibr-beam8"}
    assert found["trained"] == ["ibr", "prover"]


def test_a_model_of_another_system_is_refused(tmp_path: Path) -> None:
    publish(model_of("ruletaker"), tmp_path / "model")
    with pytest.raises(UsageError, match="a model of ruletaker"):
        latency.model_of("prover", {"prover": tmp_path / "model"})


@pytest.mark.slow
def test_reproduce_latency(run: Run, tmp_path: Path) -> None:
    """Trained for a short time, both modes."""
    arguments = ["--minutes", "2", "--questions", "2", "--systems", "ibr,prover,evr"]
    done = run("reproduce", "latency", "--out", str(tmp_path), *arguments)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "latency" / "latency.json").read_text())
    assert set(found["modes"]) == {"forced", "free"}
    assert found["modes"]["forced"]["evr"]["parts"]["proof 5"]["ratio"] > 3
