"""The loop of training: learn, now and then judge by decoding, save, stop in time.

Everything that a step depends on is in the checkpoint (weights, moments, schedule, number of the
step, random state), so a run that was killed continues bit by bit as if it had not been.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch

from ibr.checkpoint import Checkpoint
from ibr.data.example import Example
from ibr.evaluate import Metric, evaluate
from ibr.gold import accepted
from ibr.model.batch import Batch
from ibr.model.ibr import IBR, Losses
from ibr.model.reasoner import ModelReasoner
from ibr.reasoner import Solvers, prove_all
from ibr.training.config import TrainConfig
from ibr.training.optimiser import (
    Schedule,
    load_state_tensors,
    make_optimiser,
    set_rates,
    state_tensors,
)
from ibr.training.start import start_from
from ibr.training.stream import Stream
from ibr.training.team import Team

_FIRST_FIT: Final = 20  # steps until the speed is known well enough for a first plan
_FIT_EVERY: Final = 50
_RANDOM: Final = "random/torch"
_UNKNOWN: Final = 20.0  # seconds that the first judgement is taken to need
_MARGIN: Final = 3.0  # seconds for writing the last checkpoint


@dataclass(frozen=True)
class Learned:
    """What one step did."""

    step: int
    loss: dict[str, float]
    rate: float  # factor of the schedule
    questions: int


@dataclass(frozen=True)
class Judged:
    """Percent right on the held-out questions, by real decoding."""

    step: int
    scores: dict[str, float]

    @property
    def merit(self) -> float:
        return self.scores["fa"]


class Trainer:
    """A model in training: `step` steps are done."""

    def __init__(self, config: TrainConfig, model: IBR, team: Team) -> None:
        self.config, self.team = config, team
        self.model = model.to(team.device)
        self.optimiser = make_optimiser(model, config.rates)
        self.step = 0
        self.seen = 0  # questions
        self.left_out = 0  # questions that could not be learned from
        self.best = -1.0
        self.best_step: int | None = None
        self.judged: int | None = None  # step of the last judgement
        self.judging = 0.0  # seconds that the last judgement took
        self.schedule = Schedule(config.warmup, config.steps)
        self._before, self._started = 0.0, time.monotonic()

    @classmethod
    def fresh(cls, config: TrainConfig, team: Team) -> Trainer:
        torch.manual_seed(config.seed)
        model = IBR(config.model)
        if config.start:
            start_from(model, Path(config.start))
        trainer = cls(config, model, team)
        if config.steps is None and config.epochs is not None:
            total = Stream(config).steps_of(config.epochs)
            trainer.schedule = Schedule(config.warmup, total)
        return trainer

    @classmethod
    def resumed(cls, config: TrainConfig, saved: Checkpoint, team: Team) -> Trainer:
        saved.model.config = config.model  # the checkpoint's own tokenizer may be pruned
        trainer = cls(config, saved.model, team)
        tensors, state = dict(saved.tensors), saved.state
        torch.set_rng_state(tensors.pop(_RANDOM))
        load_state_tensors(trainer.model, trainer.optimiser, tensors)
        trainer.step, trainer.seen = state["step"], state["seen"]
        trainer.left_out = state["left_out"]
        trainer.best, trainer.best_step = state["best"], state["best_step"]
        trainer.judged, trainer.judging = state["judged"], state["judging"]
        trainer.schedule = Schedule(**state["schedule"])
        trainer._before = state["seconds"]
        return trainer

    def checkpoint(self) -> Checkpoint:
        tensors = state_tensors(self.model, self.optimiser)
        state = {
            "step": self.step,
            "seen": self.seen,
            "left_out": self.left_out,
            "best": self.best,
            "best_step": self.best_step,
            "judged": self.judged,
            "judging": self.judging,
            "seconds": self.seconds,
            "schedule": asdict(self.schedule),
        }
        return Checkpoint(self.model, tensors | {_RANDOM: torch.get_rng_state()}, state)

    @property
    def seconds(self) -> float:
        """Spent on this run in all, before a kill too."""
        return self._before + time.monotonic() - self._started

    def learn(self, batch: Batch) -> Learned:
        self.model.train()
        batch = batch.to(self.team.device)
        factor = self.schedule.at(self.step)
        set_rates(self.optimiser, factor)
        self.optimiser.zero_grad(set_to_none=True)
        losses = backward(self.model, batch, self.team)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimiser.step()
        self.step += 1
        self.seen += len(batch)
        self.left_out += batch.left_out
        values = {name: float(value.detach()) for name, value in vars(losses).items()}
        return Learned(self.step, values, factor, len(batch))

    def judge(self, examples: list[Example]) -> Judged:
        began = time.monotonic()
        scores = judge(self.model, examples, self.config.dev_beams)
        self.judged, self.judging = self.step, time.monotonic() - began
        return Judged(self.step, scores)

    def fit(self) -> None:
        """Plan as many steps as there is time for, if the clock is what ends the run."""
        if self.config.steps or self.config.epochs or not self.config.max_minutes:
            return
        if self.step == _FIRST_FIT or self.step % _FIT_EVERY == 0:
            each = self.seconds / self.step
            (left,) = self.team.sums([self._left / each / self.team.size])
            self.schedule = self.schedule.fitted(self.step, self.step + int(left))

    @property
    def _left(self) -> float:
        """Seconds for learning, with what the end of the run takes set aside."""
        if self.config.max_minutes is None:
            return float("inf")
        whole = 60 * self.config.max_minutes
        judging = self.judging if self.judged is not None else min(_UNKNOWN, whole / 10)
        times = 2 if self.config.average > 1 else 1
        return whole - self.seconds - times * judging - _MARGIN

    def ended(self) -> bool:
        total = self.schedule.total
        if total is not None and self.step >= total:
            return True
        late = float(self._left <= 0)
        return self.team.sums([late])[0] > 0 if self.config.max_minutes else False

    @property
    def seconds_to_go(self) -> float | None:
        total = self.schedule.total
        if total is None or not self.step:
            return None
        return max(0.0, (total - self.step) * self.seconds / self.step)


def backward(model: IBR, batch: Batch, team: Team) -> Losses:
    """Gradients of the loss over the whole team's batch, in every process."""
    losses: Losses = model.loss(batch)
    if team.size == 1:
        losses.total.backward()
        return losses
    asked = float(batch.hints.is_asked.sum()) if batch.hints is not None else 0.0
    told = float((batch.hints.roles >= 0).sum()) if batch.hints is not None else 0.0
    all_questions, all_asked, all_told = team.sums([len(batch), asked, told])
    config = model.config
    mean = losses.parent + losses.child + config.alpha * losses.strategy
    if config.answer_loss:
        mean = mean + losses.answer
    hints = losses.hints * (asked / max(all_asked, 1.0)) + losses.roles * (
        told / max(all_told, 1.0)
    )
    (mean * (len(batch) / all_questions) + config.hint_weight * hints).backward()
    team.sum_gradients(model)
    return losses


def judge(model: IBR, examples: list[Example], beams: int) -> dict[str, float]:
    """Percentages by decoding; the model goes back to the mode that it was in."""
    was_training = model.training
    solvers = Solvers()
    reasoner = ModelReasoner(model, beams=beams)
    answered = prove_all(reasoner, examples, lambda example: example.problem)
    report = evaluate(answered, lambda example: accepted(example, solvers))
    model.train(was_training)
    shown = (Metric.QA, Metric.PA, Metric.FA, Metric.STRATEGY)
    return {str(metric): report.every.all[metric].percent or 0.0 for metric in shown}


Report = Callable[[Trainer, Learned | Judged], None]


def no_report(trainer: Trainer, event: Learned | Judged) -> Any:
    """Nobody is looking."""
