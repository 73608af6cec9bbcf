"""The training loop: learn, evaluate on held-out questions by decoding, stop in time.

A checkpoint has all that a step depends on (weights, moments, schedule, step number, random state),
so that a run that was killed continues bit by bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import torch
from accelerate import Accelerator

from ibr.data.formats.example import Example
from ibr.evaluation.gold import accepted
from ibr.evaluation.metrics import Metric, evaluate
from ibr.logic.solver_reasoner import Solvers
from ibr.model.trained import reasoner_of
from ibr.reasoner import prove_all
from ibr.training.checkpoint import Checkpoint, start_from
from ibr.training.optimiser import Schedule, load_state_tensors, make_optimiser, state_tensors
from ibr.training.processes import backward, sum_gradients, sums
from ibr.training.settings import TrainConfig
from ibr.training.stream import Stream
from ibr.training.systems import LabelledBatch, Model, new_model

_CPU_RANDOM: Final = "random/torch"
_DEVICE_RANDOM: Final = "random/device"
_FIRST_EVALUATION: Final = 20.0  # seconds that the first evaluation is expected to take
_MARGIN: Final = 3.0  # seconds for writing the last checkpoint
_KEPT: Final = (
    "step", "seen", "left_out", "best", "best_step", "evaluated", "evaluation_seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Learned:
    """The outcome of one step."""

    step: int
    loss: dict[str, float]
    rate: float  # factor of the schedule


@dataclass(frozen=True)
class Evaluated:
    """Percentages on the held-out questions, by real decoding."""

    step: int
    scores: dict[str, float]
    averaged: int = 1  # checkpoints whose mean weights these are

    @property
    def merit(self) -> float:
        return self.scores.get("fa", self.scores["qa"])  # a system may make no proofs


class Trainer:
    """A model in training: `step` steps are done."""

    def __init__(self, config: TrainConfig, model: Model, accelerator: Accelerator) -> None:
        self.config, self.accelerator = config, accelerator
        self.model = model.to(accelerator.device)
        self.optimiser = accelerator.prepare(make_optimiser(model, config.rates))
        self.step = 0
        self.seen = 0  # questions
        self.left_out = 0  # questions that could not be learned from
        self.best = -1.0
        self.best_step: int | None = None
        self.evaluated: int | None = None  # step of the last evaluation
        self.evaluation_seconds = 0.0  # of the last evaluation
        self.schedule = Schedule(config.warmup, config.steps)
        self._before, self._started = 0.0, time.monotonic()

    @classmethod
    def fresh(cls, config: TrainConfig, accelerator: Accelerator) -> Trainer:
        torch.manual_seed(config.seed)
        model = new_model(config.model)
        if config.start:
            start_from(model, Path(config.start))
        trainer = cls(config, model, accelerator)
        if config.steps is None and config.epochs is not None:
            trainer.schedule = Schedule(config.warmup, Stream(config).steps_of(config.epochs))
        return trainer

    @classmethod
    def resumed(cls, config: TrainConfig, saved: Checkpoint, accelerator: Accelerator) -> Trainer:
        saved.model.config = config.model  # the checkpoint's own tokenizer may be pruned
        trainer = cls(config, saved.model, accelerator)
        tensors, state = dict(saved.tensors), saved.state
        torch.set_rng_state(tensors.pop(_CPU_RANDOM))
        if _DEVICE_RANDOM in tensors and accelerator.device.type != "cpu":
            device_state = tensors.pop(_DEVICE_RANDOM)
            torch.get_device_module(accelerator.device).set_rng_state(device_state)
        load_state_tensors(trainer.model, trainer.optimiser, tensors)
        for name in _KEPT:
            setattr(trainer, name, state[name])
        trainer.schedule = Schedule(**state["schedule"])
        trainer._before = state["seconds"]
        if accelerator.scaler is not None and state["scaler"] is not None:
            accelerator.scaler.load_state_dict(state["scaler"])
        return trainer

    def checkpoint(self) -> Checkpoint:
        scaler = self.accelerator.scaler
        state = {
            **{name: getattr(self, name) for name in _KEPT},
            "seconds": self.seconds,
            "schedule": vars(self.schedule),
            "scaler": None if scaler is None else scaler.state_dict(),
        }
        tensors = state_tensors(self.model, self.optimiser)
        tensors[_CPU_RANDOM], device = torch.get_rng_state(), self.accelerator.device
        if device.type != "cpu":
            tensors[_DEVICE_RANDOM] = torch.get_device_module(device).get_rng_state()
        return Checkpoint(self.model, tensors, state)

    @property
    def seconds(self) -> float:
        """Spent on this run in all, with the time before it was resumed."""
        return self._before + time.monotonic() - self._started

    def learn(self, batches: Iterator[LabelledBatch]) -> Learned:
        """One step, over `accumulation` batches."""
        self.model.train()
        factor = self.schedule.at(self.step, self._elapsed())
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * factor
        values: dict[str, float] = {}
        for batch in islice(batches, self.config.accumulation):
            losses = backward(self.model, batch, self.accelerator)
            for name, value in vars(losses).items():
                loss = float(value.detach()) / self.config.accumulation
                values[name] = values.get(name, 0.0) + loss
            self.seen += len(batch)
            self.left_out += batch.left_out
        sum_gradients(self.model, self.accelerator)
        self.accelerator.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        return Learned(self.step, values, factor)

    def evaluate(self, examples: list[Example]) -> Evaluated:
        began = time.monotonic()
        scores = scores_of(self.model, examples, self.config.dev_beams)
        self.evaluated, self.evaluation_seconds = self.step, time.monotonic() - began
        return Evaluated(self.step, scores)

    def _elapsed(self) -> float:
        """The share of the time for learning that is gone, the same in every process."""
        if self.schedule.total is not None:
            return 0.0
        share = self.seconds / (self.seconds + max(0.0, self._seconds_left))
        return sums(self.accelerator, [share])[0] / self.accelerator.num_processes

    @property
    def _seconds_left(self) -> float:
        """For learning: without what the end of the run takes."""
        if self.config.max_minutes is None:
            return float("inf")
        whole = 60 * self.config.max_minutes
        known = self.evaluated is not None
        each = self.evaluation_seconds if known else min(_FIRST_EVALUATION, whole / 10)
        times = 2 if self.config.average > 1 else 1
        return whole - self.seconds - times * each - _MARGIN

    def ended(self) -> bool:
        total = self.schedule.total
        if total is not None and self.step >= total:
            return True
        if self.config.max_minutes is None:
            return False
        return sums(self.accelerator, [float(self._seconds_left <= 0)])[0] > 0

    @property
    def seconds_to_go(self) -> float | None:
        """What is expected for learning; None if it is not known yet."""
        total = self.schedule.total
        if total is None:
            return max(0.0, self._seconds_left)
        return max(0.0, (total - self.step) * self.seconds / self.step) if self.step else None


def scores_of(model: Model, examples: list[Example], beams: int) -> dict[str, float]:
    """Percentages by decoding; the model keeps its mode, training or not."""
    was_training = model.training
    solvers = Solvers()
    reasoner = reasoner_of(model, beams=beams)
    answered = prove_all(reasoner, examples, lambda example: example.problem)
    report = evaluate(answered, lambda example: accepted(example, solvers))
    model.train(was_training)
    found = report.every.all
    makes_proofs = Metric.STRATEGY in found.claims  # even if all of them were malformed
    shown = (Metric.QA, Metric.PA, Metric.FA, Metric.STRATEGY) if makes_proofs else (Metric.QA,)
    return {str(metric): found[metric].percent or 0.0 for metric in shown}


Report = Callable[[Trainer, Learned | Evaluated], None]
