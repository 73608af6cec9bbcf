"""The training objective (§3.6): all steps of all gold paths in one pass.

Legend: B questions, L positions and steps, C children.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import torch
from torch import Tensor
from torch.nn import functional as F

from ibr.decoding.scoring import PathsByTheory
from ibr.model.batch import Batch, Gold, Hints
from ibr.model.child_node import Steps

if TYPE_CHECKING:
    from ibr.model.ibr import IBR, Encoded


@dataclass(frozen=True)
class Losses:
    """The terms of L; `total` is minimised."""

    total: Tensor
    answer: Tensor
    strategy: Tensor
    parent: Tensor
    child: Tensor
    hints: Tensor
    roles: Tensor


def losses_of(model: IBR, batch: Batch) -> Losses:
    """L = L_QA + L_Parent + L_Child + α L_Strategy, and the hints of the compact encoder."""
    assert batch.gold is not None
    config, gold, encoded = model.config, batch.gold, model.encode(batch)
    answer = F.cross_entropy(encoded.answer, gold.answer)  # L_QA
    strategy = F.cross_entropy(encoded.strategy, gold.strategy)  # L_Strategy
    parent, child = _step_losses(model, encoded, gold)  # L_Parent, L_Child
    hints = roles = encoded.answer.new_zeros(())
    if batch.hints is not None and config.hint_weight:
        hints, roles = hint_losses(encoded, batch.hints)
    total = parent + child + config.alpha * strategy + config.hint_weight * (hints + roles)
    if config.answer_loss:
        total = total + answer
    return Losses(total, answer, strategy, parent, child, hints, roles)


def _step_losses(model: IBR, encoded: Encoded, gold: Gold) -> tuple[Tensor, Tensor]:
    """Means over questions of the mean over their steps; fail-proofs are not in L_Parent."""
    fails = gold.strategy == 0
    rows = torch.arange(len(fails), device=fails.device)
    places = encoded.places
    nodes = places.gather(1, gold.columns % places.shape[1])  # (B, L), in level order
    last = torch.ones_like(nodes).cumsum(1) - 1  # step s sees positions 0..s
    up = F.pad(gold.parent[:, :-1], (1, 0), value=-1)
    path = model.path(encoded, nodes, up, last)
    layout = PathsByTheory(encoded.owner, rows.unsqueeze(1), rows)  # each path by itself
    child = model.child_logits(encoded, path, Steps(gold.parent, rows, fails, layout))
    per_child = F.cross_entropy(child.transpose(1, 2), gold.child, reduction="none")
    per_parent = F.cross_entropy(
        model.parent_logits(path).transpose(1, 2), gold.parent, reduction="none"
    )
    real = gold.is_step.to(child.dtype)
    chosen = real * (last > 0) * (~fails).unsqueeze(1)  # the first parent is the question
    parent_loss = (per_parent * chosen).sum(1) / chosen.sum(1).clamp(min=1)
    child_loss = per_child.masked_fill(~gold.is_step, 0.0).sum(1) / real.sum(1)
    return parent_loss.mean(), child_loss.mean()


class Hinted(Protocol):
    """What the hints are about: see `Encoding`."""

    @property
    def fires(self) -> list[Tensor]: ...

    @property
    def chain(self) -> Tensor | None: ...

    @property
    def roles(self) -> Tensor | None: ...


def hint_losses(encoded: Hinted, hints: Hints) -> tuple[Tensor, Tensor]:
    """Of what holds and how failures chain, and of the roles of words."""
    return _hint_loss(encoded, hints), _role_loss(encoded, hints)


def _hint_loss(encoded: Hinted, hints: Hints) -> Tensor:
    """After turn t, whether each sentence holds of each entity by depth t - 1; and whether each
    rule leads a failure chain of 1, 2, … rules."""
    if not encoded.fires:
        return torch.zeros((), device=hints.roles.device)
    asked = hints.is_asked
    loss = torch.stack(
        [
            _masked_bce(logits, hints.fires <= depth, asked)
            for depth, logits in enumerate(encoded.fires)
        ]
    ).mean()
    if encoded.chain is None:
        return loss
    lengths = torch.arange(encoded.chain.shape[-1], device=loss.device)
    longer = hints.chain.unsqueeze(-1) > lengths
    return loss + _masked_bce(encoded.chain, longer, asked.unsqueeze(-1))


def _masked_bce(logits: Tensor, target: Tensor, asked: Tensor) -> Tensor:
    """Summed over the last dimensions that `asked` does not have, mean over the rest."""
    loss = F.binary_cross_entropy_with_logits(logits, target.to(logits.dtype), reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


def _role_loss(encoded: Hinted, hints: Hints) -> Tensor:
    if encoded.roles is None:
        return torch.zeros((), device=hints.roles.device)
    logits = encoded.roles.transpose(1, 2)
    loss = F.cross_entropy(logits, hints.roles, ignore_index=-1, reduction="sum")
    return loss / (hints.roles >= 0).sum().clamp(min=1)
