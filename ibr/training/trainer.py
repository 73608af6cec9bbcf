"""Training from a config to a run folder: `train(config, Path("runs/quick"))`.

The run folder holds train.json (the config), metrics.jsonl, and the checkpoints of
`ibr.checkpoint`. The loop itself is `ibr.training.loop`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch

from ibr import checkpoint
from ibr.data.example import Example
from ibr.data.jsonl import atomic_writer
from ibr.errors import IbrError
from ibr.model.ibr import IBR
from ibr.training.config import TrainConfig
from ibr.training.loop import Judged, Learned, Report, Trainer, judge, no_report
from ibr.training.stream import Stream, dev_examples
from ibr.training.team import Team, join_team, leave_team
from ibr.training.workers import batches

CONFIG: Final = "train.json"
METRICS: Final = "metrics.jsonl"
AVERAGED: Final = "averaged"
_LOG_EVERY: Final = 10
# These may differ when a run is resumed: they change no step, or are the reason to resume.
_MAY_DIFFER: Final = frozenset({"max_minutes", "workers"})


def train(config: TrainConfig, run: Path, resume: bool = False, report: Report = no_report) -> Path:
    """Train to the end of the config; returns the run folder, whose best model is `best`."""
    torch.set_num_threads(config.threads)
    team = join_team()
    try:
        trainer = _resumed(config, run, team) if resume else _fresh(config, run, team)
        examples = dev_examples(config) if team.leads else []
        _run(trainer, run, examples, report)
        if team.leads and config.average > 1:
            _average(trainer, run, examples, report)
    finally:
        leave_team()
    return run


def saved_config(run: Path) -> TrainConfig:
    """The config of a run folder. Raises IbrError."""
    path = run / CONFIG
    try:
        return TrainConfig.from_json(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise IbrError(f"{run}: no run to resume here: {CONFIG} is missing") from None
    except (ValueError, TypeError) as error:
        raise IbrError(f"{path}: {error}") from None


def _fresh(config: TrainConfig, run: Path, team: Team) -> Trainer:
    trainer = Trainer.fresh(config, team)
    if team.leads:
        _check_empty(run)
        _write_config(config, run)
    return trainer


def _check_empty(run: Path) -> None:
    """But for what is left if a run is killed while it writes its very first file."""
    for path in run.iterdir() if run.exists() else ():
        if not path.match(f".{CONFIG}.*.part"):
            raise IbrError(f"{run}: there is a run already; use --resume, or another --out")
        path.unlink()


def _resumed(config: TrainConfig, run: Path, team: Team) -> Trainer:
    old, new = saved_config(run).to_json(), config.to_json()
    for key in sorted(old.keys() - _MAY_DIFFER):
        # Through JSON, where tuples are lists.
        if json.loads(json.dumps(old[key])) != json.loads(json.dumps(new[key])):
            raise IbrError(
                f"{run}: {key} was {old[key]!r}, not {new[key]!r}: a run is resumed as it began"
            )
    if team.leads:
        checkpoint.sweep(run)
        _write_config(config, run)
    if not (run / checkpoint.LATEST).exists():  # killed before the first checkpoint
        trainer = Trainer.fresh(config, team)
    else:
        trainer = Trainer.resumed(config, checkpoint.load_latest(run), team)
    if team.leads:
        _point_best(trainer, run)  # a kill may have come between the checkpoint and this
        _cut_metrics(run, trainer.step)
    return trainer


def _run(trainer: Trainer, run: Path, examples: list[Example], report: Report) -> None:
    config, team = trainer.config, trainer.team
    stream = Stream(config, team.rank, team.size)
    with batches(stream, trainer.step) as made:
        while not trainer.ended():
            learned = trainer.learn(next(made))
            trainer.fit()
            if not team.leads:
                continue
            if learned.step % _LOG_EVERY == 0:
                _log(run, _line(learned, trainer))
            report(trainer, learned)
            if trainer.step % config.eval_every == 0:
                _judge(trainer, run, examples, report)
            elif trainer.step % config.save_every == 0 and trainer.step != trainer.schedule.total:
                _save(trainer, run)
    if team.leads:
        _judge(trainer, run, examples, report)


def _judge(trainer: Trainer, run: Path, examples: list[Example], report: Report) -> None:
    """Judge, save, and remember the best; once a step."""
    if trainer.judged == trainer.step:
        return
    judged = trainer.judge(examples)
    if judged.merit >= trainer.best:
        trainer.best, trainer.best_step = judged.merit, trainer.step
    _save(trainer, run)
    _log(run, {"step": judged.step, "dev": judged.scores, "seconds": round(trainer.seconds, 1)})
    report(trainer, judged)


def _save(trainer: Trainer, run: Path) -> None:
    checkpoint.save_step(run, trainer.step, trainer.checkpoint())
    _point_best(trainer, run)
    checkpoint.prune(run, trainer.config.average)


def _point_best(trainer: Trainer, run: Path) -> None:
    if trainer.best_step is not None:
        best = checkpoint.step_folder(run, trainer.best_step).name
        if checkpoint.named(run, checkpoint.BEST) != best:
            checkpoint.point(run, checkpoint.BEST, best)


def _average(trainer: Trainer, run: Path, examples: list[Example], report: Report) -> None:
    """The mean weights of the last checkpoints, kept as the best if they are."""
    folders = [checkpoint.step_folder(run, step) for step in checkpoint.steps(run)]
    weights = [checkpoint.weights_of(folder) for folder in folders[-trainer.config.average :]]
    if len(weights) < 2:
        return
    model = IBR(trainer.config.model)
    model.load_state_dict(
        {name: torch.stack([w[name] for w in weights]).mean(0) for name in weights[0]}
    )
    scores = judge(model, examples, trainer.config.dev_beams)
    judged = Judged(trainer.step, scores)
    checkpoint.save_extra(run, AVERAGED, model)
    if judged.merit >= trainer.best:
        checkpoint.point(run, checkpoint.BEST, AVERAGED)
    _log(run, {"step": judged.step, "averaged": len(weights), "dev": scores})
    report(trainer, judged)


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


def _log(run: Path, line: Mapping[str, Any]) -> None:
    with (run / METRICS).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")


def _cut_metrics(run: Path, step: int) -> None:
    """Drop what was logged after the checkpoint: those steps come again."""
    path = run / METRICS
    if path.exists():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= step]
        with atomic_writer(path) as stream:
            stream.writelines(kept)


def _write_config(config: TrainConfig, run: Path) -> None:
    run.mkdir(parents=True, exist_ok=True)
    with atomic_writer(run / CONFIG) as stream:
        json.dump(config.to_json(), stream, indent=2)
        stream.write("\n")
