"""The optimiser: a learning rate for each group of parameters; warm-up, then a cosine to zero."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from ibr.training.settings import Rates

_WARMUP: Final = 0.1  # of the run, at most


def group_of(name: str, lstms: frozenset[str]) -> str:
    """The paper's groups: encoder with answer and strategy; parent; child; all LSTMs.

    A rival has an encoder, or several; the rest of it has the rate of the child.
    """
    if name.rpartition(".")[0] in lstms:
        return "lstm"
    module = name.partition(".")[0]
    if module == "qa_strategy" or "encoder" in name.split("."):
        return "encoder"
    return "parent" if module == "parent_node" else "child"


def make_optimiser(model: nn.Module, rates: Rates) -> torch.optim.AdamW:
    """One named group for each rate; parameters in the order of the model."""
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


def state_tensors(model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The moments by parameter name: `exp_avg/encoder.out.weight`."""
    return {
        f"{key}/{name}": value
        for name, parameter in model.named_parameters()
        for key, value in optimiser.state.get(parameter, {}).items()
    }


def load_state_tensors(
    model: nn.Module, optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]
) -> None:
    """Moments go to the device of their parameter; AdamW keeps its step number on the CPU."""
    parameters = dict(model.named_parameters())
    for full, value in tensors.items():
        key, _, name = full.partition("/")
        if name in parameters:
            device = "cpu" if key == "step" else parameters[name].device
            optimiser.state[parameters[name]][key] = value.clone().to(device)


@dataclass(frozen=True)
class Schedule:
    """The factor on every rate: linear warm-up, then a cosine to zero at the end of the run.

    The run ends after `total` steps, or, if that is None, with its time. Warm-up takes `warmup`
    steps, but no more than a tenth of the run.
    """

    warmup: int
    total: int | None

    def at(self, step: int, elapsed: float = 0.0) -> float:
        """For step number `step`, from 0, when the share `elapsed` of the run's time is gone."""
        if self.total is None:
            done, up = elapsed, max((step + 1) / max(1, self.warmup), elapsed / _WARMUP)
        else:
            done = step / self.total
            up = (step + 1) / max(1, min(self.warmup, int(_WARMUP * self.total)))
        return min(1.0, up) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
