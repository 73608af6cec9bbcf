"""Checkpoints: what is saved is what is loaded; damage is named; a kill leaves the last one."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from tiny import model_config

from ibr.errors import ExitCode, ModelUnusable
from ibr.model import model_folder
from ibr.model.ibr import IBR
from ibr.training import checkpoint
from ibr.training.checkpoint import Checkpoint, load_model, publish

FILES = ["config.json", "kinds.json", "model.safetensors", "vocabulary.json"]


@pytest.fixture
def model() -> IBR:
    torch.manual_seed(3)
    return IBR(model_config())


def same(a: IBR, b: IBR) -> bool:
    left, right = a.state_dict(), b.state_dict()
    return left.keys() == right.keys() and all(torch.equal(left[k], right[k]) for k in left)


def test_a_model_comes_back(model: IBR, tmp_path: Path) -> None:
    publish(model, tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert same(model, again)
    assert again.config == model.config
    assert not again.training
    assert sorted(p.name for p in (tmp_path / "m").iterdir()) == FILES


def test_another_model_is_not_overwritten(model: IBR, tmp_path: Path) -> None:
    publish(model, tmp_path / "m")
    with pytest.raises(ModelUnusable, match="not empty"):
        publish(model, tmp_path / "m")


def test_modes_follow_the_umask(model: IBR, tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        publish(model, tmp_path / "m")
        checkpoint.save_step(tmp_path, 1, Checkpoint(model))
    finally:
        os.umask(old)
    for path in (tmp_path / "m").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o750
    assert stat.S_IMODE((tmp_path / "latest").stat().st_mode) == 0o640


def test_the_best_of_a_run_is_loaded_or_else_the_latest(model: IBR, tmp_path: Path) -> None:
    other = IBR(model_config())
    checkpoint.save_step(tmp_path, 1, Checkpoint(model))
    checkpoint.save_step(tmp_path, 2, Checkpoint(other))
    assert same(load_model(tmp_path), other)
    checkpoint.point(tmp_path, checkpoint.BEST, "step-1")
    assert same(load_model(tmp_path), model)


def test_state_comes_back(model: IBR, tmp_path: Path) -> None:
    tensors = {"exp_avg/a": torch.tensor([0.1, -0.0]), "random/torch": torch.get_rng_state()}
    checkpoint.save_step(tmp_path, 3, Checkpoint(model, tensors, {"step": 3, "seconds": 0.1}))
    saved = checkpoint.load_latest(tmp_path)
    assert saved.state == {"step": 3, "seconds": 0.1}
    assert saved.tensors.keys() == tensors.keys()
    assert all(torch.equal(saved.tensors[k], tensors[k]) for k in tensors)
    assert same(saved.model, model)


def test_old_checkpoints_go_and_named_ones_stay(model: IBR, tmp_path: Path) -> None:
    for step in (1, 2, 3, 4):
        checkpoint.save_step(tmp_path, step, Checkpoint(model))
    checkpoint.point(tmp_path, checkpoint.BEST, "step-1")
    checkpoint.prune(tmp_path, 2)
    assert checkpoint.steps(tmp_path) == [1, 3, 4]


@pytest.mark.parametrize("call", ["rename", "fsync", "replace"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_whatever_fails_the_last_one_stays(
    model: IBR, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, count: int
) -> None:
    """Stopped at the n-th call that touches the disk's order of things."""
    checkpoint.save_step(tmp_path, 1, Checkpoint(model, {}, {"step": 1}))
    real, calls = getattr(os, call), iter(range(1, 100))

    def fails(*arguments: object) -> object:
        if next(calls) == count:
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fails)
        try:
            checkpoint.save_step(tmp_path, 2, Checkpoint(IBR(model_config()), {}, {"step": 2}))
            complete = True
        except KeyboardInterrupt:
            complete = False
    checkpoint.sweep(tmp_path)
    step = checkpoint.load_latest(tmp_path).state["step"]
    assert step == 2 if complete else step in (1, 2)
    assert not [p for p in tmp_path.iterdir() if p.name.endswith((".tmp", ".part"))]
    checkpoint.save_step(tmp_path, 2, Checkpoint(model, {}, {"step": 2}))
    assert checkpoint.load_latest(tmp_path).state["step"] == 2


def test_sweep_removes_half_written_folders_only(model: IBR, tmp_path: Path) -> None:
    checkpoint.save_step(tmp_path, 1, Checkpoint(model))
    (tmp_path / "step-2.tmp").mkdir()
    (tmp_path / "step-2.tmp" / "model.safetensors").write_bytes(b"half")
    checkpoint.sweep(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["latest", "step-1"]


def damage(folder: Path, how: str) -> str:
    """Breaks a model folder; returns the name that the error must tell."""
    config, weights = folder / "config.json", folder / "model.safetensors"
    match how:
        case "no weights":
            weights.unlink()
        case "cut weights":
            weights.write_bytes(weights.read_bytes()[:-100])
        case "no tensors at all":
            weights.write_bytes(b"\x80\x04pickle?")
        case "cut config":
            config.write_text(config.read_text()[:-20])
        case "config is a list":
            config.write_text("[]")
        case "unknown key":
            config.write_text(json.dumps(json.loads(config.read_text()) | {"hiden": 3}))
            return "hiden"
        case "other size":
            config.write_text(json.dumps(json.loads(config.read_text()) | {"hidden": 32}))
    return str(config if "config" in how else weights)


@pytest.mark.parametrize(
    "how",
    ["no weights", "cut weights", "no tensors at all", "cut config", "config is a list",
     "unknown key", "other size"],
)  # fmt: skip
def test_damage_is_named(model: IBR, tmp_path: Path, how: str) -> None:
    publish(model, tmp_path / "m")
    told = damage(tmp_path / "m", how)
    with pytest.raises(ModelUnusable) as caught:
        load_model(tmp_path / "m")
    assert told in str(caught.value)
    assert caught.value.exit_code is ExitCode.NOT_FOUND


@pytest.mark.parametrize("pointer", ["", "step-9", "../step-1", "/"])
def test_a_pointer_to_nowhere_is_an_error(model: IBR, tmp_path: Path, pointer: str) -> None:
    run = tmp_path / "run"
    run.mkdir()
    checkpoint.save_step(tmp_path, 1, Checkpoint(model))
    (run / "latest").write_text(pointer)
    with pytest.raises(ModelUnusable, match="latest"):
        load_model(run)


def test_an_empty_folder_has_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match="no model here"):
        load_model(tmp_path)
    with pytest.raises(ModelUnusable, match="no such folder"):
        load_model(tmp_path / "nothing")


def test_a_model_is_saved_for_the_hub_and_read_from_a_folder(model: IBR, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path / "m")
    assert sorted(p.name for p in (tmp_path / "m").iterdir()) == ["README.md", *FILES]
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert "red, blue, green, kind" in card
    assert "ParaRules" in card
    again = IBR.from_pretrained(tmp_path / "m")
    assert same(model, again)
    assert again.config == model.config
    assert not again.training


def test_a_model_is_pushed_and_downloaded(
    model: IBR, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub is not reachable from a test: a folder stands in for it."""
    hub = tmp_path / "hub"

    class Uploaded(NamedTuple):
        repo_id: str

    class Hub:
        def __init__(self, **_: object) -> None: ...

        def create_repo(self, repo_id: str, **_: object) -> Uploaded:
            return Uploaded(repo_id)

        def upload_folder(self, repo_id: str, folder_path: Path, **_: object) -> str:
            shutil.copytree(folder_path, hub / repo_id)
            return f"https://hub/{repo_id}"

    monkeypatch.setattr("huggingface_hub.hub_mixin.HfApi", Hub)
    assert model.push_to_hub("me/ibr", private=True) == "https://hub/me/ibr"
    monkeypatch.setattr(
        "huggingface_hub.hub_mixin.hf_hub_download",
        lambda repo_id, filename, **_: str(hub / repo_id / filename),
    )
    monkeypatch.setattr(model_folder, "snapshot_download", lambda repo, **_: str(hub / repo))
    assert same(model, IBR.from_pretrained("me/ibr"))


def test_a_folder_of_another_version_is_refused(model: IBR, tmp_path: Path) -> None:
    checkpoint.publish(model, tmp_path / "m")
    path = tmp_path / "m" / "model.safetensors"
    tensors = model_folder.read_tensors(path)
    tensors["parent_node.wish.bias"] = tensors.pop("step_bias.child_count_bias.bias")
    model_folder.write_tensors(path, tensors)
    with pytest.raises(ModelUnusable, match="another version of this package must be made again"):
        load_model(tmp_path / "m")
