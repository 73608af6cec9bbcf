"""Every rival system: learns, answers, and reads through any encoder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from shell import Run
from tiny import COMPACT
from tiny_roberta import HIDDEN, roberta

from ibr.baselines.evr import Evr, training_pairs
from ibr.baselines.system import SYSTEMS, Baseline, RivalReasoner, SystemConfig, system_class
from ibr.data.formats.example import Example, write_jsonl
from ibr.data.making.generator import Recipe, generate
from ibr.errors import ExitCode
from ibr.logic.solver_reasoner import Solvers
from ibr.model.config import ConfigError, PretrainedConfig
from ibr.training.checkpoint import publish

WITHOUT_PROOFS = {"ruletaker"}


def config_of(system: str, **other: Any) -> SystemConfig:
    words = len(system_class(system).new_words().known.words)
    compact = replace(COMPACT, words=words, positions=48)
    settings: dict[str, Any] = {
        "compact": compact, "hidden": 16, "attention_heads": 2, "max_output": 40, "max_calls": 20,
    }  # fmt: skip
    return SystemConfig(system=system, **settings | other)


@cache
def groups() -> tuple[list[Example], ...]:
    small = Recipe(depth=1, facts=3, rules=2, entities=2)
    return tuple(group[:4] for group in generate(small, 5, 2))


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Small tensors are slower on more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def made(config: SystemConfig) -> Baseline:
    torch.manual_seed(0)
    return system_class(config.system)(config)


def trained(model: Baseline, steps: int, rate: float = 3e-3) -> list[float]:
    """The losses of learning the same few questions; labels are drawn anew at every step."""
    label = type(model).labeller(model.config, model.words)
    learning = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=rate)
    model.train()
    losses = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 20) * (1 - step / steps)
        optimiser.zero_grad()
        parts = model.loss(label(groups(), random.Random(step)).to("cpu"))
        parts.total.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        losses.append(float(parts.total.detach()))
    return losses


@pytest.mark.parametrize("system", SYSTEMS)
def test_learns_answers_and_is_saved(system: str, tmp_path: Path) -> None:
    model = made(config_of(system))
    losses = trained(model, 12)
    assert sum(losses[-3:]) < sum(losses[:3])
    reasoner = RivalReasoner(model)
    problems = [example.problem for group in groups() for example in group]
    predictions = reasoner.prove(problems)
    assert [p.id for p in predictions] == [p.id for p in problems]
    for problem, prediction in zip(problems, predictions, strict=True):
        assert (prediction.strategy is None) is (system in WITHOUT_PROOFS)
        if prediction.graph is not None:
            assert max(prediction.graph.nodes, default=0) < len(problem.theory)
    assert reasoner.parameters > 1000
    assert reasoner.meter.encoder_calls > 0
    assert reasoner.prove(problems) == predictions
    publish(model, tmp_path / "model")
    again = system_class(system).read(tmp_path / "model")
    assert again.config == model.config
    assert RivalReasoner(again).prove(problems) == predictions


@pytest.mark.parametrize("system", [s for s in SYSTEMS if s != "nlprolog"])
def test_inference_computes_what_training_computes(system: str) -> None:
    """torch has faster paths for inference; one takes a mask of numbers for a mask of truths."""
    config = config_of(system)
    model = made(replace(config, compact=replace(config.compact, link_roles=4)))
    trained(model, 3, rate=0.1)
    batch = type(model).labeller(model.config, model.words)(groups(), random.Random(0))
    learned = model.train().loss(batch)
    with torch.inference_mode():
        inferred = model.eval().loss(batch)
    for name, part in vars(learned).items():
        assert torch.allclose(torch.as_tensor(part), torch.as_tensor(getattr(inferred, name)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_reads_through_a_pretrained_encoder(system: str, tmp_path: Path) -> None:
    pretrained = PretrainedConfig(str(roberta(tmp_path / "roberta")), drop_stop_words=False)
    model = made(config_of(system, compact=None, pretrained=pretrained, hidden=HIDDEN))
    assert trained(model, 2)
    problems = [groups()[0][0].problem]
    assert RivalReasoner(model).prove(problems)[0].id == problems[0].id


@pytest.mark.parametrize(
    ("key", "value"),
    [("connect", "cbc"), ("mask", "none"), ("system", "gpt"), ("pairs", 0), ("attention_heads", 5)],
)
def test_config_errors_name_the_key(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=key):
        SystemConfig(**{"system": "prover", key: value})
    with pytest.raises(ConfigError, match=r"unknown config key conect"):
        SystemConfig.from_json({"system": "prover", "conect": "ilp"})


TINY = (
    "width=16", "hidden=16", "theory_turns=2", "heads=2", "attention_heads=2", "channels=4",
    "dev_questions=4", "questions=2", "theories=1", "workers=0", "average=1", "max_output=12",
    "max_calls=4",
)  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_commands_take_it_as_any_reasoner(system: str, run: Run, tmp_path: Path) -> None:
    """Train, resume, evaluate, predict, check, prove and draw."""
    out, data = str(tmp_path / "run"), str(tmp_path / "data.jsonl")
    write_jsonl(Path(data), groups()[0])
    settings = [part for setting in TINY for part in ("--set", setting)]
    source = ["--data", "generate:depth=0", "--dev", "generate:depth=0", "--threads", "1"]
    train = ["train", "--system", system, "--out", out, *source, *settings]
    done = run(*train, "--steps", "2")
    assert done.code == 0, done.err
    assert "parameters" in done.err
    assert ("fa" in done.err) is (system not in WITHOUT_PROOFS)  # 0 if its text is no proof
    assert f'"system": "{system}"' in (tmp_path / "run" / "train.json").read_text()
    resumed = run("train", "--resume", "--out", out)
    assert resumed.code == 0, resumed.err

    done = run("evaluate", "--reasoner", out, "--data", data, "--json")
    assert done.code == 0, done.err
    found = str(tmp_path / "predictions.jsonl")
    done = run("predict", "--reasoner", out, "--in", data, "--out", found)
    assert done.code == 0, done.err
    assert len(Path(found).read_text().splitlines()) == len(groups()[0])
    done = run("check", "--in", data, "--predictions", found)
    assert done.code == 0, done.err

    (tmp_path / "rules.txt").write_text("Bob is big. Big people are kind.")
    asked = ["prove", str(tmp_path / "rules.txt"), "Bob is kind.", "--reasoner"]
    done = run(*asked, out, "--svg", str(tmp_path / "proof.svg"))
    if done.code == ExitCode.DATA:  # after two steps, the text of a generator is often no proof
        assert system in {*WITHOUT_PROOFS, "evr", "proofwriter", "proofwriter-iter"}
        assert "it has no proof to show" in done.err
    else:
        assert done.code == 0, done.err
        assert "<svg" in (tmp_path / "proof.svg").read_text()
    assert run(*asked, f"verified:{out}").code == ExitCode.USAGE


def test_a_system_that_is_not_there_is_named_with_those_that_are(run: Run, tmp_path: Path) -> None:
    done = run("train", "--system", "gpt", "--out", str(tmp_path / "run"))
    assert done.code == ExitCode.USAGE
    assert "proofwriter-iter" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("system", [s for s in SYSTEMS if s not in ("evr", "nlprolog")])
def test_overfits_a_few_questions(system: str) -> None:
    model = made(config_of(system, hint_weight=0.0, hidden=64))
    trained(model, 300)
    solvers = Solvers()
    asked = [example for group in groups() for example in group]
    predictions = RivalReasoner(model).prove([example.problem for example in asked])
    right = 0
    for example, found in zip(asked, predictions, strict=True):
        (_, question), solver = solvers.of(example.problem)
        is_proof = found.graph is not None and solver.accepts(question, found.graph)
        right += found.answer is example.answer and (is_proof or system in WITHOUT_PROOFS)
    assert right >= len(asked) - 1


@pytest.mark.slow
def test_the_modules_of_evr_learn_their_calls() -> None:
    model = made(config_of("evr", hidden=64, pairs=8))
    trained(model, 300)
    assert isinstance(model, Evr)
    pairs = {
        pair
        for example in (example for group in groups() for example in group)
        for pair in training_pairs(example, model.config, model.words.known, random.Random(1))
    }
    model.eval()
    assert sum(model.ask(call) == answer for call, answer in pairs) >= 0.9 * len(pairs)
