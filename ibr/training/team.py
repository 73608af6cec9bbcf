"""Several processes that train one model (`torchrun`, `accelerate launch`): sums over all of them.

Each process has its share of a step's theories. Losses are means, so each process weighs its own
by its share, and the sum of the gradients is the gradient of the whole batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor, nn


@dataclass(frozen=True)
class Team:
    rank: int = 0
    size: int = 1
    device: str = "cpu"

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def sums(self, values: Iterable[float]) -> list[float]:
        """The sum of each value over all processes."""
        total = torch.tensor(list(values), dtype=torch.float64, device=self.device)
        if self.size > 1:
            dist.all_reduce(total)
        return total.tolist()

    def sum_gradients(self, model: nn.Module) -> None:
        """A parameter that no process used keeps no gradient, as with one process."""
        if self.size == 1:
            return
        parameters = [p for p in model.parameters() if p.requires_grad]
        used = torch.tensor([float(p.grad is not None) for p in parameters], device=self.device)
        flat = torch.cat([*(_gradient(p).flatten() for p in parameters), used])
        dist.all_reduce(flat)
        start = 0
        for parameter, count in zip(parameters, flat[-len(parameters) :].tolist(), strict=True):
            if count:
                parameter.grad = flat[start : start + parameter.numel()].view_as(parameter).clone()
            start += parameter.numel()


def _gradient(parameter: nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def join_team() -> Team:
    """The team that the launcher's environment names; alone without one."""
    rank, size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    gpu = torch.cuda.is_available()
    device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if gpu else "cpu"
    if size > 1 and not dist.is_initialized():
        dist.init_process_group("nccl" if gpu else "gloo")
    return Team(rank, size, device)


def leave_team() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()
