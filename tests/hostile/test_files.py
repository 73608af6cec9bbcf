"""Hostile files and models: each is answered or refused with a message, never by an accident."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from shell import Run, write_lines
from tiny import model_config, run_config

from ibr.errors import ModelUnusable
from ibr.files import InUse, locked
from ibr.logic.surface.segment import segment
from ibr.model.ibr import IBR
from ibr.training.checkpoint import (
    LOCK,
    Checkpoint,
    load_latest,
    publish,
    save_step,
)
from ibr.training.trainer import train


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    publish(IBR(model_config()), folder)
    return folder


@pytest.mark.parametrize(
    "document",
    [
        "\n".join(["Anne is kind. bob is"] * 40_000),
        "\n".join(["- Anne is kind:"] * 20_000),
        "\n".join([*["- may enter:"] * 20_000, "- Anne is kind."]),
        "Dr. " * 40_000,
    ],
    ids=["wrapped lines", "list items", "items of verbs", "abbreviations"],
)
def test_long_documents_take_linear_time(document: str) -> None:
    began = time.process_time()
    assert segment(document)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("value", [0, -1, "many", None, 10**9, 10**30, [], float("nan")], ids=repr)
@pytest.mark.parametrize("field", ["codes", "width", "local_layers", "words", "channels", "heads"])
def test_foreign_config(run: Run, tmp_path: Path, model: Path, field: str, value: object) -> None:
    folder = shutil.copytree(model, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["compact"][field] = value
    (folder / "config.json").write_text(json.dumps(config))
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.")
    found = run("prove", rules, "Anne is kind.", "--reasoner", folder)
    assert found.code == 4, found.err
    assert field in found.err


@pytest.mark.parametrize(("field", "value"), [("codes", 100_000), ("positions", 99), ("words", 99)])
def test_sizes_are_compared_with_the_weights_first(
    tmp_path: Path, model: Path, field: str, value: int
) -> None:
    folder = shutil.copytree(model, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["compact"][field] = value
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocabulary.json").unlink()  # read later
    with pytest.raises(ModelUnusable, match="do not fit config"):
        IBR.read(folder)


@pytest.mark.parametrize("verb", ["read", "prove", "solve", "explain"])
def test_control_characters_are_shown_escaped(run: Run, tmp_path: Path, verb: str) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.\nBob \x1b[2Jnearly \u202eliked \x9b31mof it is, so.\n")
    question = [] if verb == "read" else ["Anne is \x1b[2Jkind."]
    found = run(verb, rules, *question)
    assert not set("\x1b\x9b\u202e") & set(found.out + found.err)
    assert "\\x1b" in found.out + found.err


@pytest.mark.parametrize("verb", ["predict", "evaluate", "stats", "check"])
def test_control_characters_of_data_are_shown_escaped(run: Run, tmp_path: Path, verb: str) -> None:
    hostile = {"id": "a\x1b[2J", "sentences": ["Bob \x1b[2Jis, so."], "question": "Why \x1b[2J?"}
    problems = write_lines(tmp_path / "in\x9b.jsonl", [hostile, hostile | {"sentences": 3}])
    calls = {
        "predict": ["--reasoner", "solver", "--in", problems, "--out", "-"],
        "evaluate": ["--reasoner", "solver", "--data", problems],
        "stats": [problems],
        "check": ["--in", problems, "--predictions", problems],
    }
    found = run(verb, *calls[verb])
    assert found.code
    assert not set("\x1b\x9b") & set(found.out + found.err)
    assert "\\x9b" in found.err


def test_closed_pipe_is_quiet(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.\n" * 3000)
    command = [sys.executable, "-m", "ibr", "read", str(rules)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def test_full_standard_output_is_named(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.")
    command = [sys.executable, "-m", "ibr", "read", str(rules)]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 5
    assert ended.stderr == "ibr: standard output: No space left on device\n"


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EFBIG, errno.EROFS], ids=errno.errorcode.get
)
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["whole", "in parts"])
def test_failed_write_names_the_path(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, resume: list[str]
) -> None:
    problem = {"id": "1", "sentences": ["Anne is kind."], "question": "Anne is kind."}
    problems, out = write_lines(tmp_path / "in.jsonl", [problem]), tmp_path / "out.jsonl"

    def fail(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    found = run("predict", "--reasoner", "solver", "--in", problems, "--out", out, *resume)
    assert found.code == 5
    assert str(out) in found.err
    assert not out.exists()


def test_output_must_not_be_the_input(run: Run, tmp_path: Path) -> None:
    problem = {"id": "1", "sentences": ["Anne is kind."], "question": "Anne is kind."}
    problems = write_lines(tmp_path / "in.jsonl", [problem])
    before = problems.read_text()
    found = run("predict", "--reasoner", "solver", "--in", problems, "--out", problems)
    assert (found.code, problems.read_text()) == (2, before)


@pytest.mark.parametrize("name", ["model.safetensors", "optimiser.safetensors", "state.json"])
def test_flipped_bit_of_a_checkpoint_is_refused(tmp_path: Path, name: str) -> None:
    checkpoint = Checkpoint(IBR(model_config()), {"x": torch.ones(4)}, {"step": 1})
    save_step(tmp_path, 1, checkpoint)
    load_latest(tmp_path)
    path = tmp_path / "step-1" / name
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelUnusable, match="damaged") as found:
        load_latest(tmp_path)
    assert found.value.exit_code == 4


def test_only_one_process_trains_in_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path / LOCK, ""), pytest.raises(InUse, match="another process"):
        train(run_config(), tmp_path)
