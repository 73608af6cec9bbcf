"""Training: the data of a step, resuming bit by bit, learning, presets, and the command."""

from __future__ import annotations

import itertools
import json
import random
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from shell import Run
from tiny import SMALL, data_file, examples, model_config, run_config
from torch import Tensor

from ibr.data.formats.example import Example, by_theory
from ibr.data.making.generator import Recipe, generate
from ibr.errors import IbrError
from ibr.inputs.model_words import default_words
from ibr.logic.solving.solver import Solver
from ibr.model.batch import Batch
from ibr.model.config import CompactConfig, ConfigError, IBRConfig
from ibr.model.ibr import IBR
from ibr.proof import Proof, Tree
from ibr.theory import Kind, Strategy
from ibr.training import checkpoint
from ibr.training.loop import Evaluated, Learned, scores_of
from ibr.training.optimiser import Schedule, make_optimiser
from ibr.training.presets import PRESETS, data_part, with_data, with_settings
from ibr.training.processes import accelerated, backward
from ibr.training.settings import DataPart, Rates, TrainConfig
from ibr.training.stream import Stream, batches, dev_examples, labelled, reorder
from ibr.training.systems import labeller_of
from ibr.training.trainer import saved_config, train

torch.set_num_threads(1)


def tensors(item: Any) -> list[Tensor]:
    if isinstance(item, Tensor):
        return [item]
    parts = vars(item).values() if hasattr(item, "__dataclass_fields__") else ()
    return [tensor for part in parts for tensor in tensors(part)]


def equal(a: Batch, b: Batch) -> bool:
    left, right = tensors(a), tensors(b)
    return len(left) == len(right) > 5 and all(map(torch.equal, left, right))


# --- data ---


def test_reordering_keeps_every_label_true() -> None:
    """The solver, asked again about the moved sentences, still accepts the moved proof."""
    rng = random.Random(1)
    moved = 0
    for group in by_theory(examples(depth=3, theories=12)):
        again = reorder(group, rng)
        moved += again[0].theory.sentences != group[0].theory.sentences
        assert sorted(s.text for s in again[0].theory) == sorted(s.text for s in group[0].theory)
        assert again[0].program is not None
        solver = Solver(again[0].program)
        for old, new in zip(group, again, strict=True):
            assert new.literal is not None
            assert new.proofs is not None
            assert (new.question, new.answer) == (old.question, old.answer)
            assert solver.judge(new.literal).answer == new.answer
            assert solver.accepts(new.literal, new.proofs[0].graph)
    assert moved >= 10


def test_a_step_has_the_same_data_whoever_asks_and_other_data_than_the_next() -> None:
    config = run_config()
    first, again = Stream(config), Stream(config)
    assert equal(first.batch(3), again.batch(3))
    assert not equal(first.batch(3), first.batch(4))
    assert not equal(first.batch(3), Stream(replace(config, seed=1)).batch(3))


def test_codes_and_orders_are_drawn_anew(tmp_path: Path) -> None:
    """A file of one theory: every step sees it, never twice the same."""
    found = next(by_theory(examples(depth=2, theories=1)))[:4]
    path = data_file(tmp_path, found)
    stream = Stream(run_config(data=(DataPart(path=str(path)),), theories=1))
    seen = [stream.batch(step) for step in range(3)]
    assert not equal(seen[0], seen[1])
    assert len({json.dumps(b.input.theory.codes.tolist()) for b in seen}) == 3


def test_processes_share_a_step_between_them() -> None:
    config = run_config(theories=3)
    whole = [g[0].theory for g in Stream(config).groups(5)]
    parts = [[g[0].theory for g in Stream(config, rank, 2).groups(5)] for rank in (0, 1)]
    assert parts == [whole[0::2], whole[1::2]]


def test_a_window_shares_its_theories_out_by_size() -> None:
    plain, sorted_ = Stream(run_config()), Stream(run_config(window=4))
    steps = [[sorted_.groups(step) for step in range(k, k + 4)] for k in (0, 4)]
    for k, window in enumerate(steps):
        same = [plain.groups(step) for step in range(4 * k, 4 * k + 4)]
        assert texts(window) == texts(same)
        sizes = sorted(sorted(length(group) for group in step) for step in window)
        assert sizes == [sorted(part) for part in sizes]
        assert all(a[-1] <= b[0] for a, b in itertools.pairwise(sizes))
    again = Stream(run_config(window=4))
    assert again.groups(6) == steps[1][2]


def length(group: list[Example]) -> int:
    return sum(len(sentence.text) for sentence in group[0].theory)


def texts(steps: list[list[list[Example]]]) -> list[tuple[str, ...]]:
    """The theories of some steps, in any order."""
    return sorted(tuple(s.text for s in group[0].theory) for step in steps for group in step)


def test_files_are_read_through_before_they_come_again(tmp_path: Path) -> None:
    found = examples(theories=5)
    path = data_file(tmp_path, found)
    config = run_config(data=(DataPart(path=str(path)),), questions=3, epochs=2.0, steps=None)
    stream = Stream(config)
    size = len(stream.pieces)
    for epoch in range(2):
        places = range(epoch * size, (epoch + 1) * size)
        seen = [example.id for place in places for example in stream.group(place)]
        assert sorted(seen) == sorted(e.id for e in found)
    assert stream.steps_of(2.0) == round(2 * size / 2)


def test_mixtures_have_their_shares(tmp_path: Path) -> None:
    path = data_file(tmp_path, examples(theories=2, seed=9))
    ids = {e.id for e in examples(theories=2, seed=9)}
    parts = (DataPart(path=str(path)), DataPart(depth=0, weight=2), DataPart(depth=1))
    stream = Stream(run_config(data=parts))
    groups = [stream.group(place) for place in range(200)]
    from_file = [g for g in groups if {e.id for e in g} <= ids and "D1" in g[0].id]
    assert 50 <= len(from_file) <= 60
    assert 60 < sum("-D0-" in g[0].id for g in groups) < 140


def test_subsets_are_by_count(tmp_path: Path) -> None:
    path = data_file(tmp_path, examples(theories=5))
    stream = Stream(run_config(data=(DataPart(path=str(path), limit=7),)))
    assert sum(map(len, stream.pieces)) == 7


def test_dev_is_never_trained_on() -> None:
    config = run_config()
    seen = {g[0].theory.text for step in range(40) for g in Stream(config).groups(step)}
    assert not seen & {e.theory.text for e in dev_examples(replace(config, dev_questions=60))}


def test_what_cannot_be_learned_from_is_left_out_and_counted() -> None:
    """A proof that does not conclude its question has no entities to learn."""
    first, *others = next(by_theory(examples(depth=2, theories=1)))
    provable = next(e for e in others if e.strategy is Strategy.PROOF)
    rule = next(i for i, s in enumerate(first.theory) if s.kind is Kind.RULE)
    wrong = replace(provable, proofs=(Proof.of(Tree(rule)),))
    label = labeller_of(run_config().model, default_words())
    batch = labelled(label, [[first, wrong, *others]], random.Random(0))
    assert (len(batch), batch.left_out) == (len(others) + 1, 1)
    with pytest.raises(ValueError, match="does not conclude"):
        labelled(label, [[wrong]], random.Random(0))


def test_workers_make_what_the_stream_makes() -> None:
    config = run_config(workers=2)
    stream = Stream(config)
    made = batches(stream, 3)
    for step in range(3, 8):
        assert equal(next(made), stream.batch(step))


def test_an_error_in_a_worker_is_raised() -> None:
    config = run_config(workers=1, data=(DataPart(path="/nowhere/at/all.jsonl"),))
    with pytest.raises(IbrError, match="making data"):
        next(batches(Stream(config), 0))


# --- optimiser and schedule ---


def test_schedule_warms_up_and_falls_to_zero() -> None:
    schedule = Schedule(warmup=10, total=100)
    factors = [schedule.at(step) for step in range(101)]
    assert factors[0] == pytest.approx(0.1, abs=1e-3)
    assert max(factors) == factors[9]
    assert factors[9:] == sorted(factors[9:], reverse=True)
    assert factors[100] == pytest.approx(0.0, abs=1e-12)


def test_by_the_clock_the_factor_depends_on_time_not_on_speed() -> None:
    """A slow start costs steps; it neither shortens the schedule nor the warm-up's share."""
    schedule = Schedule(warmup=300, total=None)
    assert schedule.at(5, elapsed=0.02) == pytest.approx(0.2, abs=2e-3)
    assert schedule.at(1000, elapsed=0.02) == pytest.approx(
        1.0, abs=2e-3
    )  # fast: 300 steps are over
    for step in (50, 5000):
        assert schedule.at(step, elapsed=0.5) == pytest.approx(0.5)
        assert schedule.at(step, elapsed=1.0) == pytest.approx(0.0, abs=1e-12)


def test_each_group_has_its_rate() -> None:
    rates = Rates(encoder=1e-5, parent=2e-4, child=5e-4, lstm=1e-3)
    model = IBR(model_config(path_positions=4))
    names = {id(p): name for name, p in model.named_parameters()}
    found = {
        names[id(p)]: group["base"]
        for group in make_optimiser(model, rates).param_groups
        for p in group["params"]
    }
    assert found.keys() == set(names.values())
    for name, rate in found.items():
        if "lstm" in name or name.startswith("parent_node.lstm"):
            assert rate == 1e-3, name
        elif name.startswith(("encoder.", "qa_strategy.")):
            assert rate == 1e-5, name
        elif name.startswith("parent_node."):
            assert rate == 2e-4, name
        else:
            assert rate == 5e-4, name
    assert set(found.values()) == {1e-5, 2e-4, 5e-4, 1e-3}


# --- the loop ---


def test_resume_cuts_the_log_and_goes_on(tmp_path: Path) -> None:
    config = run_config(steps=30, save_every=10, eval_every=20)
    whole = tmp_path / "whole"
    train(config, whole)
    lines = [json.loads(line) for line in (whole / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [10, 20, 20, 30, 30]
    assert all("dev" in line or line["total"] > 0 for line in lines)
    with (whole / "metrics.jsonl").open("a") as stream:
        stream.write('{"step": 40}\n{"step": 5')
    train(config, whole, resume=True)  # nothing is left to do
    again = [json.loads(line) for line in (whole / "metrics.jsonl").read_text().splitlines()]
    assert again == lines


def test_a_run_is_resumed_as_it_began(tmp_path: Path) -> None:
    train(run_config(steps=2), tmp_path / "r")
    with pytest.raises(IbrError, match="there is a run already"):
        train(run_config(steps=2), tmp_path / "r")
    with pytest.raises(IbrError, match="seed was 0, not 1"):
        train(run_config(steps=2, seed=1), tmp_path / "r", resume=True)
    with pytest.raises(IbrError, match="no run to resume"):
        train(run_config(steps=2), tmp_path / "other", resume=True)
    assert saved_config(tmp_path / "r") == run_config(steps=2)


def test_the_clock_ends_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    config = run_config(steps=None, max_minutes=0.12, save_every=1000)
    began = time.monotonic()
    events: list[Learned | Evaluated] = []
    train(config, tmp_path / "r", report=lambda trainer, event: events.append(event))
    assert time.monotonic() - began < 30
    saved = checkpoint.load_latest(tmp_path / "r")
    steps = [e for e in events if isinstance(e, Learned)]
    assert saved.state["step"] == steps[-1].step >= 5
    assert steps[-1].rate < 0.5 * max(e.rate for e in steps)


def test_a_step_may_have_several_batches(tmp_path: Path) -> None:
    """Its gradients are their mean; a resumed run continues with the right batch."""
    config = run_config(steps=3, accumulation=2, save_every=1)
    train(config, tmp_path / "r")
    saved = checkpoint.load_latest(tmp_path / "r")
    stream = Stream(config)
    assert saved.state["step"] == 3
    assert saved.state["seen"] == sum(len(stream.batch(number)) for number in range(6))
    model, (one, two) = IBR(model_config(dropout=0.0)), (stream.batch(k) for k in (0, 1))
    means: list[dict[str, Tensor]] = []
    for parts, count in (([one, two], 2), ([one], 1), ([two], 1)):
        with accelerated(replace(config, accumulation=count)) as accelerator:
            model.zero_grad()
            for part in parts:
                backward(model, part, accelerator)
        means.append({n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None})
    both, first, second = means
    for name, value in both.items():
        assert torch.allclose(value, (first[name] + second[name]) / 2, atol=1e-5, rtol=1e-3), name


def test_mixed_precision_trains(tmp_path: Path) -> None:
    train(run_config(steps=2, mixed_precision="bf16"), tmp_path / "r")
    weights = checkpoint.weights_of(checkpoint.model_folder(tmp_path / "r"))
    assert {weight.dtype for weight in weights.values()} == {torch.float32}
    assert all(weight.isfinite().all() for weight in weights.values())


def test_the_last_model_may_be_the_runs(tmp_path: Path) -> None:
    config = run_config(steps=4, eval_every=2, use_last=True)
    train(config, tmp_path / "r")
    assert checkpoint.named(tmp_path / "r", checkpoint.BEST) == "step-4"


def test_sentences_are_shuffled_unless_asked_not_to() -> None:
    for shuffled in (True, False):
        stream = Stream(run_config(shuffle_sentences=shuffled, theories=1))
        same = []
        for number in range(4):
            (group,) = stream.groups(number)
            rules = [sentence.kind is Kind.RULE for sentence in group[0].theory]
            same.append(stream.batch(number).is_rule[0].tolist() == rules)
        assert all(same) is not shuffled


def test_averaging_takes_the_mean_of_the_last(tmp_path: Path) -> None:
    run = tmp_path / "r"
    train(run_config(steps=8, average=3), run)
    assert checkpoint.steps(run)[-3:] == [4, 6, 8]
    parts = [checkpoint.weights_of(checkpoint.step_folder(run, step)) for step in (4, 6, 8)]
    mean = checkpoint.weights_of(run / "averaged")
    for name, value in mean.items():
        assert torch.allclose(value, sum(p[name] for p in parts) / 3, atol=1e-7)


def test_eight_examples_are_learned(tmp_path: Path) -> None:
    """Proofs and failures; the codes of words and the order of sentences change at every step."""
    groups = generate(Recipe(depth=1, entities=2, facts=4, rules=2), 3, 2)
    found = [example for g in groups for example in (g[0], g[2], g[-1], g[-3])]
    assert len({(example.strategy, example.depth) for example in found}) == 4
    path = data_file(tmp_path, found)
    # CLS asks in the first turn of the question and hears in the second: fewer would not do.
    compact = CompactConfig(width=64, theory_turns=3, question_turns=2, codes=16, channels=3)
    config = run_config(
        model=model_config(compact=compact, hidden=64, focus_lstm_hidden=16, dropout=0.0),
        data=(DataPart(path=str(path)),),
        steps=500,
        warmup=20,
        rates=Rates(2e-3, 2e-3, 2e-3, 2e-3),
        dev=DataPart(path=str(path)),
        eval_every=25,
        save_every=1000,
    )

    class Done(Exception):
        pass

    def stop(trainer: object, event: Learned | Evaluated) -> None:
        if isinstance(event, Evaluated) and min(event.scores.values()) == 100:
            raise Done

    with suppress(Done):
        train(config, tmp_path / "r", report=stop)
    scores = scores_of(checkpoint.load_model(tmp_path / "r"), found, beams=8)
    assert scores == {"qa": 100, "pa": 100, "fa": 100, "strategy": 100}


# --- presets and settings ---


def test_every_preset_survives_its_file() -> None:
    for config in PRESETS.values():
        assert TrainConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_the_paper_preset_is_the_papers_table() -> None:
    paper = PRESETS["paper"]
    assert paper.model.pretrained is not None
    assert paper.model.pretrained.name == "roberta-large"
    assert (paper.rates.encoder, paper.rates.parent) == (1e-5, 2e-4)
    assert (paper.rates.child, paper.rates.lstm) == (5e-4, 1e-3)
    assert paper.theories * paper.questions == 16
    assert paper.epochs == 8
    assert (paper.model.hidden, paper.model.focus_lstm_hidden) == (1024, 256)
    assert (paper.seed, paper.use_last, paper.shuffle_sentences) == (42, True, False)
    assert not paper.model.count_children
    assert isinstance(paper.model, IBRConfig)
    assert paper.model.alpha == 0.3


def test_the_small_preset_knows_every_word_of_the_lists() -> None:
    compact = PRESETS["small"].model.compact
    assert compact is not None
    assert compact.words == len(default_words().known.words)


def test_the_paper_preset_is_evaluated_on_a_real_dev_split(tmp_path: Path) -> None:
    config = with_data(PRESETS["paper"], [f"{tmp_path}:split=train"])
    assert (config.dev.path, config.dev.split) == (str(tmp_path), "dev")
    other = data_file(tmp_path, examples())
    assert with_data(PRESETS["paper"], [str(tmp_path)], str(other)).dev.path == str(other)
    assert with_data(PRESETS["quick"], [str(other)]).dev == PRESETS["quick"].dev


def test_unknown_keys_are_errors() -> None:
    for room in ((), ("model",), ("model", "compact"), ("rates",), ("dev",)):
        data = json.loads(json.dumps(PRESETS["quick"].to_json()))
        place = data
        for name in room:
            place = place[name]
        place["typo"] = 1
        with pytest.raises(ConfigError, match="typo"):
            TrainConfig.from_json(data)


def test_settings_find_their_field() -> None:
    quick = PRESETS["quick"]
    changed = with_settings(
        quick,
        ["answer_loss=false", "node_lstm=false", "focus_lstm=false", "path_positions=29",
         "compact.width=64", "rates.encoder=1", "steps=7", "dev.depth=2"],
    )  # fmt: skip
    assert changed.model.compact is not None
    assert (changed.model.answer_loss, changed.model.node_lstm) == (False, False)
    assert (changed.model.focus_lstm, changed.model.path_positions) == (False, 29)
    assert (changed.model.compact.width, changed.rates.encoder) == (64, 1.0)
    assert (changed.steps, changed.dev.depth) == (7, 2)
    assert with_settings(quick, []) == quick


@pytest.mark.parametrize(
    ("setting", "told"),
    [("width", "KEY=VALUE"), ("widht=3", "widht"), ("width=wide", "width"), ("width=1.5", "width"),
     ("answer_loss=1", "answer_loss"), ("theories=0", "theories"), ("focus_heads=3", "heads")],
)  # fmt: skip
def test_bad_settings_are_named(setting: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        with_settings(PRESETS["quick"], [setting])


def test_data_by_name(tmp_path: Path) -> None:
    path = data_file(tmp_path, examples())
    assert data_part("generate:depth=5,preset=wide,weight=2") == DataPart(
        weight=2, depth=5, preset="wide"
    )
    assert data_part(f"{path}:limit=7,split=train") == DataPart(
        path=str(path), limit=7, split="train"
    )
    quick = PRESETS["quick"]
    assert with_data(quick, [str(path)]).data == (DataPart(path=str(path)),)
    assert with_data(quick, [f"+{path}"]).data == (*quick.data, DataPart(path=str(path)))
    for bad in ("nowhere", "generate:deep=3", "generate:weight=0"):
        with pytest.raises(ConfigError):
            with_data(quick, [bad])


def test_a_run_must_have_an_end() -> None:
    with pytest.raises(ConfigError, match="no end"):
        run_config(steps=None)
    with pytest.raises(ConfigError, match="epochs"):
        run_config(steps=None, epochs=3.0)


# --- the command ---


def test_train_evaluate_predict(run: Run, tmp_path: Path) -> None:
    out, data = tmp_path / "r", data_file(tmp_path, examples(theories=2))
    settings = [f"--set={s}" for s in (*SMALL, "theories=1", "workers=0", "save_every=2")]
    done = run("train", "--out", out, "--steps", 4, "--threads", 1, "--seed", 3, *settings)
    assert (done.code, done.out) == (0, ""), done.err
    assert "\r" not in done.err  # no progress line where nobody is looking
    report = run("evaluate", "--reasoner", out, "--data", data, "--json", "--beams", 2).json
    assert report["reasoner"] == "r"
    assert report["all"]["count"] == len(examples(theories=2))
    assert report["all"]["pa"] is not None
    assert report["all"]["strategy"] is not None
    lines = run("predict", "--reasoner", out, "--in", data, "--out", "-", "--trace").lines
    assert len(lines) == len(examples(theories=2))
    assert lines[0]["proofs"][0]["steps"][-1]["child"] == "END"
    again = run("train", "--out", out, "--resume")
    assert again.code == 0, again.err
    assert run("train", "--out", out).code == 3


def test_an_exported_run_says_the_same(run: Run, tmp_path: Path) -> None:
    out, data = tmp_path / "r", data_file(tmp_path, examples(theories=2))
    settings = [f"--set={s}" for s in (*SMALL, "theories=1", "workers=0", "save_every=2")]
    assert run("train", "--out", out, "--steps", 2, "--threads", 1, *settings).code == 0
    assert run("export", out, "--out", tmp_path / "e").code == 0
    trained, exported = (
        run("predict", "--reasoner", folder, "--in", data, "--out", "-").out
        for folder in (out, tmp_path / "e")
    )
    assert exported == trained.replace('"reasoner": "r"', '"reasoner": "e"')
    again = run("export", out, "--out", tmp_path / "e")
    assert (again.code, again.out) == (3, "")
    assert "exists already" in again.err


def test_the_command_explains_what_is_wrong(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "r"
    for arguments in (
        ["--preset", "huge"],
        ["--data", "nowhere"],
        ["--set", "widht=3"],
        ["--set", "compact.width=64", "--set", "heads=1.5"],
    ):
        done = run("train", "--out", out, *arguments)
        assert done.code == 2, arguments
        assert not out.exists()
    assert run("train", "--out", out, "--resume").code == 3


@pytest.mark.parametrize(
    "setting", ["answer_loss=false", "node_lstm=false", "focus_lstm=false", "path_positions=29"]
)
def test_ablations_train(tmp_path: Path, setting: str) -> None:
    config = with_settings(run_config(steps=2), [setting])
    train(config, tmp_path / "r")
    assert checkpoint.load_model(tmp_path / "r").config == config.model
