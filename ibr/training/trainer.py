"""A training run from its settings to its folder: `train(config, Path("runs/quick"))`.

The run folder holds train.json (the settings), metrics.jsonl, and the checkpoints of
`ibr.training.checkpoint`. The loop itself is `ibr.training.loop`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import torch
from accelerate import Accelerator
from accelerate.tracking import TensorBoardTracker, WandBTracker

from ibr.data.formats.example import Example
from ibr.errors import IbrError, UsageError
from ibr.files import METRICS, append, locked, write_file
from ibr.inputs.model_words import write_json
from ibr.training import checkpoint
from ibr.training.loop import Evaluated, Learned, Report, Trainer, scores_of
from ibr.training.processes import accelerated
from ibr.training.settings import TrainConfig
from ibr.training.stream import Stream, batches, dev_examples
from ibr.training.systems import new_model

CONFIG: Final = "train.json"
AVERAGED: Final = "averaged"
PACKAGES: Final = {"tensorboard": ("tensorboardX", "tensorboard"), "wandb": ("wandb",)}  # trackers
_LOG_EVERY: Final = 10
# These may differ when a run is resumed: they change no step, or are the reason to resume.
_MAY_DIFFER: Final = frozenset({"max_minutes", "workers", "device"})


def train(
    config: TrainConfig,
    run: Path,
    resume: bool = False,
    report: Report = lambda *_: None,
    log_to: Sequence[str] = (),
) -> Path:
    """Train to the end of the config; returns the run folder, whose model is `best`.

    `log_to` are trackers of accelerate that get what metrics.jsonl gets.
    """
    check_trackers(log_to)
    with accelerated(config) as accelerator, ExitStack() as stack:
        if accelerator.is_main_process:
            busy = f"{run}: another process is training in this folder"
            stack.enter_context(locked(run / checkpoint.LOCK, busy))
        trainer = (_resumed if resume else _fresh)(config, run, accelerator)
        if accelerator.is_main_process:
            start_trackers(accelerator, log_to, run, config, trainer.step)
            leader = _Leader(trainer, run, dev_examples(config), report)
            leader.train()
            if config.average > 1:
                leader.average()
        else:
            for _ in _steps(trainer):
                pass
    return run


def saved_config(run: Path) -> TrainConfig:
    """The config of a run folder. Raises IbrError."""
    try:
        return TrainConfig.read(run / CONFIG)
    except FileNotFoundError:
        raise IbrError(f"{run}: no run to resume here: {CONFIG} is missing") from None


def _fresh(config: TrainConfig, run: Path, accelerator: Accelerator) -> Trainer:
    trainer = Trainer.fresh(config, accelerator)
    if accelerator.is_main_process:
        for path in run.iterdir() if run.exists() else ():
            if path.match(f".{CONFIG}.*.part"):  # of a run that was killed at its very first file
                path.unlink()
            elif path.name != checkpoint.LOCK:
                raise IbrError(f"{run}: there is a run already; use --resume, or another --out")
        write_json(run / CONFIG, config.to_json())
    return trainer


def _resumed(config: TrainConfig, run: Path, accelerator: Accelerator) -> Trainer:
    old, new = saved_config(run).to_json(), config.to_json()
    for key in sorted(old.keys() - _MAY_DIFFER):
        # Through JSON, where tuples are lists.
        if json.loads(json.dumps(old[key])) != json.loads(json.dumps(new[key])):
            raise IbrError(
                f"{run}: {key} was {old[key]!r}, not {new[key]!r}: a run is resumed as it began"
            )
    if accelerator.is_main_process:
        checkpoint.sweep(run)
        write_json(run / CONFIG, config.to_json())
    if not (run / checkpoint.LATEST).exists():  # killed before the first checkpoint
        return Trainer.fresh(config, accelerator)
    return Trainer.resumed(config, checkpoint.load_latest(run), accelerator)


def _steps(trainer: Trainer) -> Iterator[Learned]:
    """The steps of one process until the run ends."""
    config, accelerator = trainer.config, trainer.accelerator
    place = accelerator.process_index, accelerator.num_processes
    made = batches(Stream(config, *place, trainer.model.words), trainer.step * config.accumulation)
    while not trainer.ended():
        yield trainer.learn(made)


@dataclass(frozen=True)
class _Leader:
    """The process that also evaluates, logs and saves."""

    trainer: Trainer
    run: Path
    examples: list[Example]
    report: Report

    def train(self) -> None:
        self._point_best()  # a kill may have come between the checkpoint and this
        checkpoint.prune(self.run, self.trainer.config.average)
        _cut_metrics(self.run, self.trainer.step)
        trainer, config = self.trainer, self.trainer.config
        for learned in _steps(trainer):
            if learned.step % _LOG_EVERY == 0:
                self._log(_line(learned, trainer))
            self.report(trainer, learned)
            if trainer.step % config.eval_every == 0:
                self._evaluate()
            elif trainer.step % config.save_every == 0 and trainer.step != trainer.schedule.total:
                self._save()
        self._evaluate()

    def _evaluate(self) -> None:
        """Evaluate, save, and keep the best; once a step."""
        trainer = self.trainer
        if trainer.evaluated == trainer.step:
            return
        found = trainer.evaluate(self.examples)
        if trainer.config.use_last or found.merit >= trainer.best:
            trainer.best, trainer.best_step = found.merit, trainer.step
        self._save()
        seconds = round(trainer.seconds, 1)
        self._log(
            {"step": found.step, "dev": found.scores, "seen": trainer.seen, "seconds": seconds}
        )
        self.report(trainer, found)

    def _save(self) -> None:
        checkpoint.save_step(self.run, self.trainer.step, self.trainer.checkpoint())
        self._point_best()
        checkpoint.prune(self.run, self.trainer.config.average)

    def _point_best(self) -> None:
        if self.trainer.best_step is not None:
            best = checkpoint.step_folder(self.run, self.trainer.best_step).name
            if checkpoint.named(self.run, checkpoint.BEST) != best:
                checkpoint.point(self.run, checkpoint.BEST, best)

    def average(self) -> None:
        """The mean weights of the last checkpoints: the run's model if they are the best."""
        trainer, run = self.trainer, self.run
        folders = [checkpoint.step_folder(run, step) for step in checkpoint.steps(run)]
        weights = [checkpoint.weights_of(folder) for folder in folders[-trainer.config.average :]]
        if len(weights) < 2:
            return
        model = new_model(trainer.config.model, trainer.model.words)
        model.load_state_dict(
            {name: torch.stack([w[name] for w in weights]).mean(0) for name in weights[0]}
        )
        model.to(trainer.accelerator.device)
        found = Evaluated(
            trainer.step, scores_of(model, self.examples, trainer.config.dev_beams), len(weights)
        )
        checkpoint.save(run / AVERAGED, checkpoint.Checkpoint(model))
        if found.merit >= trainer.best:
            checkpoint.point(run, checkpoint.BEST, AVERAGED)
        self._log({"step": found.step, "averaged": found.averaged, "dev": found.scores})
        self.report(trainer, found)

    def _log(self, line: Mapping[str, Any]) -> None:
        append(self.run / METRICS, json.dumps(line) + "\n")
        self.trainer.accelerator.log(scalars(line), step=line["step"])


def _line(learned: Learned, trainer: Trainer) -> dict[str, Any]:
    return {
        "step": learned.step,
        **{name: round(value, 5) for name, value in learned.loss.items()},
        "rate": round(learned.rate, 6),
        "seen": trainer.seen,
        "left_out": trainer.left_out,
        "examples_per_second": round(trainer.seen / trainer.seconds, 1),
        "seconds": round(trainer.seconds, 1),
    }


def _cut_metrics(run: Path, step: int) -> None:
    """Drop what was logged after the checkpoint (those steps come again), and lines not whole."""
    path = run / METRICS
    if path.exists():
        kept = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
            with suppress(ValueError, KeyError, TypeError):
                if line.endswith("\n") and json.loads(line)["step"] <= step:
                    kept.append(line)
        write_file(path, "".join(kept))


def check_trackers(names: Sequence[str]) -> None:
    """Raise UsageError for what is not known or not installed."""
    for name in names:
        if name not in PACKAGES:
            raise UsageError(f"--log-to {name}: use {' or '.join(PACKAGES)}")
        if not any(map(find_spec, PACKAGES[name])):
            raise UsageError(f"--log-to {name}: not installed; pip install 'ibr[{name}]'")


def start_trackers(
    accelerator: Accelerator, names: Sequence[str], run: Path, config: TrainConfig, step: int
) -> None:
    """`accelerator.end_training` ends them. What was logged after `step` is dropped.

    TensorBoard's event files are in the run folder. The runs of Weights & Biases are of its project
    `ibr`, offline with WANDB_MODE=offline; a resumed run is another one of the same group.
    """
    for name in names:
        if name == "tensorboard":
            tracker = TensorBoardTracker("", run / "tensorboard", purge_step=step + 1)
        else:
            options = {"name": run.name, "group": run.name, "config": config.to_json()}
            tracker = WandBTracker("ibr", dir=str(run), **options)
        tracker.start()
        accelerator.trackers.append(tracker)


def scalars(line: Mapping[str, Any]) -> dict[str, float]:
    """A line of metrics.jsonl without nesting: {"dev": {"qa": 90}} is {"dev/qa": 90}."""
    dev = "averaged" if "averaged" in line else "dev"
    nested = {f"{dev}/{name}": value for name, value in line.get("dev", {}).items()}
    return nested | {k: v for k, v in line.items() if k not in ("step", "dev", "averaged")}
