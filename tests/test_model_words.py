"""A model's words are its own: edited lists change no saved model; a folder that does not fit is
refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from shell import Run, runner
from tiny import model_config

import ibr
from ibr.decoding.manifest import EMBEDDED, write_manifest
from ibr.errors import ExitCode, ModelUnusable
from ibr.inputs.model_words import KINDS, VOCABULARY, ModelWords, default_words, read_words
from ibr.model.config import ConfigError
from ibr.model.ibr import IBR
from ibr.training.checkpoint import load_model, publish, start_from

PACKAGE = Path(ibr.__file__).parent
PROBLEM = {
    "id": "1",
    "sentences": ["Anne is kind.", "Grumpy, cold Bob came in.", "Kind people feel quite big."],
    "question": "Anne is big.",
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def predicted(root: Path, data: Path) -> str:
    """The shipped model's prediction by the package in `root`."""
    options = ["--reasoner", "ibr", "--in", str(data), "--out", "-", "--trace"]
    done = subprocess.run(
        [sys.executable, "-m", "ibr", "predict", *options],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(root)},
        cwd=root,
    )
    return done.stdout


def test_edited_lists_do_not_change_the_shipped_model(tmp_path: Path) -> None:
    data = tmp_path / "problem.jsonl"
    data.write_text(json.dumps(PROBLEM) + "\n", encoding="utf-8")
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy / "ibr", ignore=shutil.ignore_patterns("__pycache__"))
    before = predicted(copy, data)
    vocabulary, kinds = (copy / "ibr" / "inputs" / name for name in (VOCABULARY, KINDS))
    lists = json.loads(vocabulary.read_text(encoding="utf-8"))
    lists["common"] = " ".join(reversed(lists["common"].split()[5:]))
    vocabulary.write_text(json.dumps(lists), encoding="utf-8")
    weights = json.loads(kinds.read_text(encoding="utf-8"))
    kinds.write_text(json.dumps(weights | {"bias": 99.0}), encoding="utf-8")
    (copy / "ibr/data/making/words/adjectives.txt").write_text("zorbic\n", encoding="utf-8")
    assert predicted(copy, data) == before
    assert json.loads(before)["proofs"]


def test_a_saved_model_keeps_its_words(tmp_path: Path) -> None:
    default = default_words()
    common = tuple(reversed(default.known.common))
    known = type(default.known)(**{**vars_of(default), "common": common})
    model = IBR(model_config(), words=ModelWords(known, default.kinds))
    publish(model, tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.words.known.words == known.words != default.known.words
    assert again.words.kinds.data == default.kinds.data
    with pytest.raises(ConfigError, match="its words"):
        start_from(IBR(model_config()), tmp_path / "m")


def vars_of(words: ModelWords) -> dict[str, tuple[str, ...]]:
    return {name: getattr(words.known, name) for name in words.known.__dataclass_fields__}


def damaged(folder: Path, how: str) -> None:
    path = folder / (KINDS if "kinds" in how else VOCABULARY)
    if how.startswith("no "):
        path.unlink()
        return
    data = json.loads(path.read_text(encoding="utf-8"))
    match how:
        case "short vocabulary":
            data["common"] = "person always"
        case "vocabulary without a list":
            del data["silent"]
        case "kinds without weights":
            del data["weights"]
        case "kinds of a list":
            data = [data]
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    "how",
    ["no vocabulary", "no kinds", "short vocabulary", "vocabulary without a list",
     "kinds without weights", "kinds of a list"],
)  # fmt: skip
def test_words_that_do_not_fit_are_refused(how: str, tmp_path: Path, run: Run) -> None:
    """Also with a new manifest; in a folder of training, and in an exported one."""
    torch.manual_seed(0)
    trained, exported = tmp_path / "trained", tmp_path / "exported"
    publish(IBR(model_config()), trained)
    shutil.copytree(EMBEDDED, exported)
    data = tmp_path / "problem.jsonl"
    data.write_text(json.dumps(PROBLEM) + "\n", encoding="utf-8")
    for folder in (trained, exported):
        damaged(folder, how)
        if folder is exported:
            write_manifest(folder)
        with pytest.raises(ModelUnusable):
            read_words(folder, 187)
        done = run("predict", "--reasoner", folder, "--in", data, "--out", "-")
        assert done.code == ExitCode.NOT_FOUND == 4, done.err
        assert (KINDS if "kinds" in how else VOCABULARY) in done.err


def test_a_changed_vocabulary_is_refused(tmp_path: Path, run: Run) -> None:
    exported = tmp_path / "exported"
    shutil.copytree(EMBEDDED, exported)
    path = exported / VOCABULARY
    path.write_text(path.read_text(encoding="utf-8").replace("quite", "quiet"), encoding="utf-8")
    done = run("evaluate", "--reasoner", exported, "--data", tmp_path)
    assert done.code == 4
    assert "sha256" in done.err
    assert VOCABULARY in done.err


def test_the_card_lists_the_shipped_words() -> None:
    card = (EMBEDDED / "model_card.md").read_text(encoding="utf-8")
    known = read_words(EMBEDDED).known
    assert f"{len(known.words) - 4} words" in card
    assert ", ".join(known.qualities) in card
    assert "ParaRules" in card
    assert card == (PACKAGE.parent / "docs" / "model_card.md").read_text(encoding="utf-8")
