"""The training objective (§3.6): all steps of all gold paths in one pass.

Legend: B questions, L positions and steps, C children.
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional as F

from ibr.decoding.scoring import PathsByTheory
from ibr.model.batch import NO_LABEL, Batch, Gold, Hints
from ibr.model.child_node import Steps
from ibr.model.config import IBRConfig
from ibr.model.encoders.encoding import HintLogits

if TYPE_CHECKING:
    from ibr.model.ibr import IBR, Encoded


@dataclass
class Losses:
    """The terms of L, each a mean; `total` is minimised."""

    config: InitVar[IBRConfig]
    total: Tensor = field(init=False)
    answer: Tensor
    strategy: Tensor
    parent: Tensor
    child: Tensor
    hints: Tensor  # what holds and how failures chain; 0 without hints, as are the roles
    roles: Tensor  # of words

    def __post_init__(self, config: IBRConfig) -> None:
        self.total = self.weighed(config)

    def weighed(
        self, config: IBRConfig, asked: float = 1.0, hinted: float = 1.0, labelled: float = 1.0
    ) -> Tensor:
        """L = L_QA + L_Parent + L_Child + α L_Strategy, and the hints of the compact encoder.

        The shares are this process's, of the questions, hints and roles of a batch.
        """
        total = self.parent + self.child + config.alpha * self.strategy
        if config.answer_loss:
            total = total + self.answer
        hints = hinted * self.hints + labelled * self.roles
        return asked * total + config.hint_weight * hints


def losses_of(model: IBR, batch: Batch) -> Losses:
    assert batch.gold is not None
    gold, encoded = batch.gold, model.encode(batch)
    answer = F.cross_entropy(encoded.answer, gold.answer)  # L_QA
    strategy = _labelled_mean(encoded.strategy, gold.strategy)  # L_Strategy
    parent, child = _step_losses(model, encoded, gold)  # L_Parent, L_Child
    hints, roles = hint_losses(
        encoded.hinted, batch.hints if model.config.hint_weight else None, answer
    )
    return Losses(model.config, answer, strategy, parent, child, hints, roles)


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
    child_loss = per_child.masked_fill(~gold.is_step, 0.0).sum(1) / real.sum(1).clamp(min=1)
    return parent_loss.mean(), child_loss.mean()


def hint_losses(
    hinted: HintLogits | None, hints: Hints | None, like: Tensor
) -> tuple[Tensor, Tensor]:
    """Of what holds and how failures chain, and of the roles of words; 0 where there are none."""
    none = like.new_zeros(())
    if hinted is None or hints is None:
        return none, none
    roles = (
        none if hinted.roles is None else _labelled_mean(hinted.roles.transpose(1, 2), hints.roles)
    )
    return _hint_loss(hinted, hints), roles


def _hint_loss(hinted: HintLogits, hints: Hints) -> Tensor:
    """After turn t, whether each sentence holds of each entity by depth t - 1; and whether each
    rule leads a failure chain of 1, 2, … rules."""
    asked = hints.is_asked
    by_depth = [
        _masked_bce(logits, hints.fires <= depth, asked)
        for depth, logits in enumerate(hinted.fires)
    ]
    lengths = torch.arange(hinted.chain.shape[-1], device=asked.device)
    longer = hints.chain.unsqueeze(-1) > lengths
    chain = _masked_bce(hinted.chain, longer, asked.unsqueeze(-1))
    return torch.stack(by_depth).mean() + chain


def _masked_bce(logits: Tensor, target: Tensor, asked: Tensor) -> Tensor:
    """Summed over the last dimensions that `asked` does not have, mean over the rest."""
    loss = F.binary_cross_entropy_with_logits(logits, target.to(logits.dtype), reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


def _labelled_mean(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy over what has a label; 0 if nothing has."""
    loss = F.cross_entropy(logits, labels, ignore_index=NO_LABEL, reduction="sum")
    return loss / (labels != NO_LABEL).sum().clamp(min=1)
