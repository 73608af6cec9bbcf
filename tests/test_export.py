"""`ibr export --held-out`: the confidence of an exported model is fitted to held-out questions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch
from shell import Run
from tiny import data_file, examples, model_config

from ibr.evaluation.calibration import fit_reasoner
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.training.checkpoint import publish

torch.set_num_threads(1)


def saved(folder: Path, temperature: float = 1.0) -> Path:
    """A model that is far too sure of what it does not know."""
    torch.manual_seed(1)
    model = IBR(model_config(dropout=0.0, temperature=temperature))
    with torch.no_grad():
        model.qa_strategy.answer.weight.mul_(20)
    publish(model, folder)
    return folder


def test_the_confidence_is_fitted_and_kept_in_the_config(run: Run, tmp_path: Path) -> None:
    found = examples(theories=6)
    model, data, out = saved(tmp_path / "m"), data_file(tmp_path, found), tmp_path / "e"
    done = run("export", model, "--out", out, "--held-out", data)
    assert done.code == 0, done.err
    printed = re.fullmatch(
        r"temperature ([0-9.]+).* \(([0-9]+) held-out questions\): "
        r"ECE ([0-9.]+) % before, ([0-9.]+) % after\n",
        done.out,
    )
    assert printed
    config = json.loads((out / "config.json").read_text())
    assert f"{config['temperature']:.3f}" == printed[1] != "1.000"
    assert int(printed[2]) == len(found)
    assert float(printed[4]) < float(printed[3])
    for folder, ece in ((model, printed[3]), (out, printed[4])):
        report = run("evaluate", "--reasoner", folder, "--data", data, "--json").json
        assert 100 * report["calibration"]["ece"] == pytest.approx(float(ece), abs=0.02)


def test_a_temperature_from_before_is_not_counted_twice(run: Run, tmp_path: Path) -> None:
    data = data_file(tmp_path, examples(theories=4))
    printed = {
        run(
            "export", saved(tmp_path / name, t), "--out", tmp_path / f"{name}-e", "--held-out", data
        ).out
        for name, t in (("plain", 1.0), ("fitted", 3.0))
    }
    assert len(printed) == 1


def test_without_held_out_questions_nothing_is_exported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    out = tmp_path / "e"
    done = run(
        "export", saved(tmp_path / "m"), "--out", out, "--held-out", tmp_path / "empty.jsonl"
    )
    assert (done.code, "no questions" in done.err, out.exists()) == (3, True, False)


def test_a_system_without_confidence_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="no confidence"):
        fit_reasoner(SolverReasoner(), examples())


def test_fitting_asks_the_model_and_not_the_search() -> None:
    torch.manual_seed(1)
    model = IBR(model_config(dropout=0.0))
    one, many = (fit_reasoner(ModelReasoner(model, beams=k), examples()) for k in (1, 4))
    assert one.temperature == pytest.approx(many.temperature)


def test_the_card_and_the_turns_go_into_the_folder(run: Run, tmp_path: Path) -> None:
    model, card, out = saved(tmp_path / "m"), tmp_path / "card.md", tmp_path / "e"
    card.write_text("# A model\n", encoding="utf-8")
    done = run("export", model, "--out", out, "--turns", "5", "--card", card)
    assert done.code == 0, done.err
    assert (out / "model_card.md").read_text(encoding="utf-8") == "# A model\n"
    assert json.loads((out / "config.json").read_text())["compact"]["theory_turns"] == 5
    assert "model_card.md" in json.loads((out / "manifest.json").read_text())["sha256"]
    data = data_file(tmp_path, examples(theories=2))
    torch_says, onnx_says = (
        run("evaluate", "--reasoner", folder, "--data", data, "--json").json["all"]
        for folder in (_by_torch(out, tmp_path / "t"), out)
    )
    assert torch_says == onnx_says


def _by_torch(folder: Path, to: Path) -> Path:
    """The exported folder as a plain model folder."""
    to.mkdir()
    for name in ("config.json", "model.safetensors", "vocabulary.json", "kinds.json"):
        (to / name).write_bytes((folder / name).read_bytes())
    return to
