"""Around a training: config files, loggers, learning curves, and data of other sources."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import json
import re
import struct
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from shell import Run, write_lines
from tiny import SMALL, examples, run_config
from tiny_roberta import HIDDEN, roberta

from ibr.errors import UsageError
from ibr.model.config import ConfigError
from ibr.model.ibr import IBR
from ibr.training.checkpoint import load_model
from ibr.training.presets import PRESETS, data_part, with_data, with_settings
from ibr.training.settings import DataPart, TrainConfig
from ibr.training.stream import Stream, dev_examples
from ibr.training.trainer import saved_config, train

torch.set_num_threads(1)
TINY = [part for setting in (*SMALL, "workers=0") for part in ("--set", setting)]


def message(text: str) -> str:
    """An error without the box around it."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


# --- a config as a file ---


def config_file(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(run_config(steps=1).to_json() | changes))
    return path


def test_a_file_is_a_config_and_options_change_it(run: Run, tmp_path: Path) -> None:
    file, out = config_file(tmp_path / "run.json", seed=5), tmp_path / "r"
    done = run("train", "--config", file, "--out", out, "--steps", 2, "--set", "clip=0.5")
    assert done.code == 0, done.err
    config = saved_config(out)
    assert (config.seed, config.steps, config.clip) == (5, 2, 0.5)
    assert config.model == run_config().model
    again = run("train", "--config", out / "train.json", "--out", tmp_path / "again")
    assert again.code == 0, again.err
    assert saved_config(tmp_path / "again") == config


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"stepz": 3}, "unknown config key stepz"),
        ({"rates": {"encoder_rate": 1}}, "unknown config key rates.encoder_rate"),
        ({"data": [{"deep": 1}]}, "unknown config key data.deep"),
        ({"data": {"depth": 1}}, "data: {'depth': 1} is not a list"),
        ({"model": {"compact": {"wide": 1}}}, "unknown config key compact.wide"),
        ({"model": 7}, "model: 7 is not an object"),
        ({"steps": "many"}, "steps: 'many' is not of type int"),
        ({"theories": None}, "theories: None is not of type int"),
        ({"rates": {"child": "fast"}}, "rates.child: 'fast' is not of type float"),
        ({"dev": {"limit": 0.5}}, "data.limit: 0.5 is not of type int"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(
    tmp_path: Path, changes: dict[str, Any], named: str
) -> None:
    file = config_file(tmp_path / "run.json", **changes)
    with pytest.raises(ConfigError, match=re.escape(f"{file}: {named}")):
        TrainConfig.read(file)


def test_a_file_or_a_preset(run: Run, tmp_path: Path) -> None:
    file = config_file(tmp_path / "run.json")
    both = run("train", "--config", file, "--preset", "quick", "--out", tmp_path / "r")
    assert both.code == 2
    assert "give --config or --preset, not both" in message(both.err)
    file.write_text("[]")
    assert "is not an object" in run("train", "--config", file, "--out", tmp_path / "r").err
    assert run("train", "--config", tmp_path / "no.json", "--out", tmp_path / "r").code == 3


# --- loggers and curves ---


def events(folder: Path) -> list[tuple[int, str, float]]:
    """Step, name and value of each scalar in TensorBoard's files."""
    proto = pytest.importorskip("tensorboardX.proto.event_pb2")
    found = []
    for path in sorted(folder.glob("events.*")):
        text, at = path.read_bytes(), 0
        while at < len(text):  # length, its checksum, the event, its checksum
            (size,) = struct.unpack_from("<Q", text, at)
            event = proto.Event.FromString(text[at + 12 : at + 12 + size])
            found += [(event.step, v.tag, v.simple_value) for v in event.summary.value]
            at += 16 + size
    return found


def logged(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def test_tensorboard_has_what_the_metrics_have(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX", reason="tensorboardX comes with ibr[dev]")
    out = tmp_path / "r"
    train(run_config(steps=10), out, log_to=["tensorboard"])
    found = events(out / "tensorboard")
    first, last = logged(out)
    values = {name: value for _, name, value in found}
    assert values["child"] == pytest.approx(first["child"])
    assert values["dev/qa"] == pytest.approx(last["dev"]["qa"])
    assert {step for step, _, _ in found} == {10}


def test_wandb_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb", reason="wandb is not installed: pip install 'ibr[wandb]'")
    monkeypatch.setenv("WANDB_MODE", "offline")
    train(run_config(steps=10), tmp_path / "r", log_to=["wandb"])
    (made,) = (tmp_path / "r" / "wandb").glob("offline-run-*/run-*.wandb")
    names = (b"child", b"dev/qa", b"eval_every")  # a loss, a score, the config
    ends = time.monotonic() + 60  # wandb's own process writes the file
    while not all(name in made.read_bytes() for name in names):
        assert time.monotonic() < ends
        time.sleep(0.2)


def test_a_logger_that_is_not_there(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    out = tmp_path / "r"
    done = run("train", "--out", out, "--log-to", "paper", "--steps", 1, *TINY)
    assert done.code == 2
    assert "--log-to paper: use tensorboard or wandb" in done.err
    monkeypatch.setattr("ibr.training.trainer.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'ibr\[wandb\]'"):
        train(run_config(), out, log_to=["wandb"])
    assert not out.exists()


def test_learning_curves(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with ibr[report]")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        lines = [{"step": k, "total": 3 / k, "seen": 16 * k} for k in (1, 2, 3)]
        lines.insert(2, {"step": 2, "dev": {"qa": 50.0, "fa": 20.0}, "seen": 32})
        lines.append({"step": 3, "averaged": 2, "dev": {"qa": 70.0}})
        with write_lines(tmp_path / name / "metrics.jsonl", lines).open("a") as stream:
            stream.write('{"step": 4, "to')  # still running
    out = tmp_path / "curves.svg"
    runs = [tmp_path / "one", tmp_path / "two"]
    assert run("plot", *runs, "--metrics", "total,qa", "--out", out).code == 0
    drawn = out.read_text()
    for label in ("one: total", "one: qa", "two: qa", "questions seen"):
        assert f">{label}<" in drawn
    run("plot", *runs, "--metrics", "total,qa", "--out", tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == drawn
    unknown = run("plot", runs[0], "--metrics", "f1", "--out", out)
    assert unknown.code == 2
    assert "no metric 'f1'; known: fa, qa, seen, step, total" in unknown.err
    assert "no metrics.jsonl here" in run("plot", tmp_path, "--out", out).err


# --- questions with an answer only ---

CONTEXT = "Anne is big. Bob is kind. If someone is big then they are red. All red people are nice."
ASKED = {
    "Anne is nice.": True,
    "Bob is nice.": False,
    "Anne is not red.": False,
    "Is Bob kind?": True,
}
FREE = "Somewhat unusually, none but Anne would ever have been thought of as tall."


def own_lines(path: Path) -> Path:
    """Four questions that the solver answers so, one with a wrong label, one about free English."""
    lines = [{"context": CONTEXT, "question": q, "answer": a} for q, a in ASKED.items()]
    lines.append({"context": CONTEXT, "question": "Bob is red.", "answer": True})
    lines.append({"context": FREE, "question": "Anne is tall.", "answer": True})
    return write_lines(path, lines)


def test_proofs_are_the_solvers_where_it_agrees(tmp_path: Path) -> None:
    part = DataPart(path=str(own_lines(tmp_path / "own.jsonl")))
    stream = Stream(run_config(data=(part,), theories=1, questions=20))
    (group,) = stream.pieces
    assert [e.id for e in group] == ["line-1", "line-2", "line-3", "line-4"]
    cited = [sorted(e.proofs[0].graph.nodes) for e in group if e.proofs]
    assert cited == [[0, 2, 3], [2, 3], [0, 2], [1]]
    assert list(stream.report().lines()) == [
        "4 of 6 questions have no proof in the data: the solver's is learned",
        "2 of 6 questions cannot be learned from: no proof, nor has the solver one",
    ]
    assert len(stream.batch(0)) == 4


def test_own_questions_train_and_are_evaluated(run: Run, tmp_path: Path) -> None:
    """The compact encoder: what has no proof is left out, and that is said."""
    data, out = own_lines(tmp_path / "own.jsonl"), tmp_path / "r"
    done = run("train", "--data", data, "--dev", data, "--out", out, "--steps", 2, *TINY)
    assert done.code == 0, done.err
    assert "4 of 6 questions have no proof in the data" in done.err
    assert "2 of 6 questions cannot be learned from" in done.err
    scores = run("evaluate", "--reasoner", out, "--data", data, "--json").json
    assert scores["all"]["count"] == 6
    assert scores["solver_proofs"] == 6


def test_answers_alone_are_learned_with_a_pretrained_encoder(run: Run, tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder, data, out = roberta(tmp_path / "own"), own_lines(tmp_path / "own.jsonl"), tmp_path / "r"
    small = [part for s in ("threads=1", "workers=0", "theories=2") for part in ("--set", s)]
    done = run("train", "--encoder", folder, "--data", data, "--dev", data, "--out", out,
               "--steps", 2, *small)  # fmt: skip
    assert done.code == 0, done.err
    assert "2 of 6 questions have no proof, nor has the solver: only their answer" in done.err
    assert load_model(out).config.hidden == HIDDEN
    assert run("evaluate", "--reasoner", out, "--data", data, "--json").json["all"]["count"] == 6


def test_a_question_without_a_proof_moves_only_the_answer(tmp_path: Path) -> None:
    torch.manual_seed(0)
    lines = [{"context": FREE, "question": "Anne is tall.", "answer": True}]
    data = write_lines(tmp_path / "own.jsonl", lines)
    settings = [f"pretrained.name={roberta(tmp_path / 'own')}", f"hidden={HIDDEN}"]
    config = with_settings(with_data(PRESETS["pretrained"], [str(data)]), settings)
    batch = Stream(config).batch(0)
    losses = IBR(config.model).loss(batch)  # type: ignore[arg-type]
    assert batch.left_out == 0
    assert (losses.strategy, losses.parent, losses.child) == (0, 0, 0)
    losses.total.backward()
    assert losses.total == losses.answer > 0


def test_nothing_to_learn_from_says_why(run: Run, tmp_path: Path) -> None:
    lines = [{"context": FREE, "question": "Anne is tall.", "answer": True}]
    data = write_lines(tmp_path / "own.jsonl", lines)
    done = run("train", "--data", data, "--out", tmp_path / "r", "--steps", 1, *TINY)
    assert done.code != 0
    assert "nothing to learn from; 1 of 1 questions cannot be learned from" in done.err
    assert not (tmp_path / "r").exists()


# --- datasets of Hugging Face ---


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A dataset on disk with columns of its own; its answers are a class label."""
    datasets = pytest.importorskip("datasets", reason="not installed: pip install 'ibr[hub]'")
    found = examples(depth=1, theories=2)
    rows = {
        "passage": [e.theory.text for e in found],
        "statement": [e.question for e in found],
        "label": [int(e.answer) for e in found],
    }
    features = datasets.Features(
        passage=datasets.Value("string"),
        statement=datasets.Value("string"),
        label=datasets.ClassLabel(names=["False", "True"]),
    )
    made = datasets.Dataset.from_dict(rows, features=features)
    datasets.DatasetDict(train=made, test=made.select(range(3))).save_to_disk(tmp_path / "set")
    return tmp_path / "set"


MAPPED = "context=passage,question=statement,answer=label"


def test_a_dataset_by_its_columns(saved: Path) -> None:
    part = data_part(f"hf:{saved}:{MAPPED},split=train,weight=2")
    assert (part.split, part.weight, part.path) == ("train", 2, f"hf:{saved}:{MAPPED}")
    stream = Stream(run_config(data=(part,)))
    assert stream.report().solved == len(examples(depth=1, theories=2))
    found = dev_examples(run_config(dev=part, dev_questions=5))
    expected = examples(depth=1, theories=2)[:5]
    assert [(e.question, e.answer) for e in found] == [(e.question, e.answer) for e in expected]
    assert len(list(Stream(run_config(data=(data_part(f"hf:{saved}:{MAPPED}"),))).pieces)) > 0


def test_a_dataset_in_commands(run: Run, saved: Path, tmp_path: Path) -> None:
    source = f"hf:{saved}:{MAPPED}"
    done = run("train", "--data", source, "--out", tmp_path / "r", "--steps", 1, *TINY)
    assert done.code == 0, done.err
    scores = run("evaluate", "--reasoner", "solver", "--data", source, "--split", "test", "--json")
    assert scores.json["all"]["count"] == 3
    assert scores.json["all"]["qa"] == 100.0

    def error(data: str, *more: str) -> str:
        done = run("evaluate", "--reasoner", "solver", "--data", data, *more)
        assert done.code == 2
        return done.err

    assert "no column 'context' for context; map it, as context=COLUMN" in error(f"hf:{saved}")
    assert "no column 'text' for context" in error(f"hf:{saved}:context=text")
    assert "no split 'dev'; it has: train, test" in error(source, "--split", "dev")
    assert "no option 'passage'" in error(f"hf:{saved}:passage=context")
    assert "nothing" in error(f"hf:{tmp_path / 'nothing'}")
