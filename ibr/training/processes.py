"""The devices and processes of a run, by `accelerate`: placement, launch, sums over processes."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, GradientState
from torch import Tensor, nn

from ibr.model.batch import Batch
from ibr.model.ibr import IBR
from ibr.model.trained import device_named
from ibr.training.settings import TrainConfig
from ibr.training.systems import LabelledBatch, Model

_DEVICE: Final = "ACCELERATE_TORCH_DEVICE"  # the variable by which accelerate is given a device


@contextmanager
def accelerated(config: TrainConfig) -> Iterator[Accelerator]:
    """The devices and processes that config and launcher (`accelerate launch`, torchrun) name."""
    device = None if config.device is None else device_named(config.device)
    on_cpu = not torch.accelerator.is_available() if device is None else device.type == "cpu"
    if device is not None and int(os.environ.get("WORLD_SIZE", 1)) == 1:
        os.environ[_DEVICE] = str(device)
    try:
        accelerator = Accelerator(
            cpu=on_cpu,
            mixed_precision=config.mixed_precision,
            gradient_accumulation_steps=config.accumulation,
        )
    finally:
        os.environ.pop(_DEVICE, None)
    torch.set_num_threads(config.threads)
    try:
        yield accelerator
    finally:
        accelerator.end_training()
        # Accelerators of a process share their state: the next run may have another device.
        AcceleratorState._reset_state(reset_partial_state=True)
        GradientState._reset_state()


def sums(accelerator: Accelerator, values: Iterable[float]) -> list[float]:
    """The sum of each value over all processes."""
    total: Tensor = accelerator.reduce(torch.tensor(list(values)).to(accelerator.device))
    return total.cpu().tolist()


def backward(model: Model, batch: LabelledBatch, accelerator: Accelerator) -> Any:
    """Add the gradients of this process's share of a batch.

    Each loss is a mean; weighted by this process's share of what it is a mean over, the gradients
    of all processes add up to those of the whole batch.
    """
    with accelerator.autocast():
        losses: Any = model.loss(batch.to(accelerator.device))  # type: ignore[arg-type]
    counts = [float(len(batch)), *(batch.hint_counts if isinstance(batch, Batch) else ())]
    pairs = zip(counts, sums(accelerator, counts), strict=True)
    shares = [own / max(1.0, every) for own, every in pairs]
    is_ibr = isinstance(model, IBR)
    accelerator.backward(
        losses.weighed(model.config, *shares) if is_ibr else shares[0] * losses.total
    )
    return losses


def sum_gradients(model: nn.Module, accelerator: Accelerator) -> None:
    """A parameter that no process used keeps no gradient, as with one process."""
    if accelerator.num_processes == 1:
        return
    parameters = [p for p in model.parameters() if p.requires_grad]
    used = torch.tensor([float(p.grad is not None) for p in parameters]).to(accelerator.device)
    gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
    flat = accelerator.reduce(torch.cat([*(g.flatten() for g in gradients), used]))
    start = 0
    for parameter, count in zip(parameters, flat[-len(parameters) :].cpu().tolist(), strict=True):
        if count:
            parameter.grad = flat[start : start + parameter.numel()].view_as(parameter).clone()
        start += parameter.numel()
