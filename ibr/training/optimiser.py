"""Which parameters learn how fast, and how the rates change: warm-up, then a cosine to zero."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from ibr.model.ibr import IBR
from ibr.training.config import Rates


def group_of(name: str, lstms: frozenset[str]) -> str:
    """The paper's groups: encoder with answer and strategy; parent; child; all LSTMs."""
    if name.rpartition(".")[0] in lstms:
        return "lstm"
    room = name.partition(".")[0]
    if room in ("encoder", "qa_strategy"):
        return "encoder"
    return "parent" if room == "parent_node" else "child"


def make_optimiser(model: IBR, rates: Rates) -> torch.optim.AdamW:
    """One group a rate, named; parameters in the order of the model."""
    lstms = frozenset(name for name, part in model.named_modules() if isinstance(part, nn.LSTM))
    groups: dict[str, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            groups.setdefault(group_of(name, lstms), []).append(parameter)
    return torch.optim.AdamW(
        [
            {"params": parameters, "name": group, "base": getattr(rates, group)}
            for group, parameters in groups.items()
        ],
        lr=rates.encoder,
        betas=(rates.beta1, rates.beta2),
        eps=rates.epsilon,
        weight_decay=rates.decay,
    )


def set_rates(optimiser: torch.optim.Optimizer, factor: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = group["base"] * factor


def state_tensors(model: IBR, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The moments by parameter name: `exp_avg/encoder.out.weight`."""
    return {
        f"{key}/{name}": value
        for name, parameter in model.named_parameters()
        for key, value in optimiser.state.get(parameter, {}).items()
    }


def load_state_tensors(
    model: IBR, optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]
) -> None:
    parameters = dict(model.named_parameters())
    for full, value in tensors.items():
        key, _, name = full.partition("/")
        if name in parameters:
            optimiser.state[parameters[name]][key] = value.clone()


@dataclass(frozen=True)
class Schedule:
    """The factor on every rate, by step; warm-up is a tenth of the run at most.

    `total` None: not known yet, so there is no decay. When it changes (training by the clock
    learns how fast it is), progress goes on from where it is: from `progress` at step `start` to 1
    at `total`.
    """

    warmup: int
    total: int | None
    start: int = 0
    progress: float = 0.0

    def at(self, step: int) -> float:
        """For the step number `step`, from 0."""
        warmup = self.warmup if self.total is None else min(self.warmup, self.total // 10)
        up = min(1.0, (step + 1) / warmup) if warmup else 1.0
        return up * 0.5 * (1 + math.cos(math.pi * self.done(step)))

    def done(self, step: int) -> float:
        if self.total is None or step <= self.start:
            return self.progress
        share = (step - self.start) / max(1, self.total - self.start)
        return min(1.0, self.progress + (1 - self.progress) * share)

    def fitted(self, step: int, total: int) -> Schedule:
        """From `step` on, so that it ends at `total`."""
        return replace(self, total=max(total, step + 1), start=step, progress=self.done(step))
