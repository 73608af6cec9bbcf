"""Module 1 (§3.3): answer and strategy from h_CLS, one linear layer each; softmax in the loss."""

from __future__ import annotations

from torch import Tensor, nn


class QAStrategy(nn.Module):
    """Departure of the released code, not ours: it read the pooled (tanh) vector."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.answer = nn.Linear(hidden, 2)  # f_QA: False, True
        self.strategy = nn.Linear(hidden, 2)  # f_Strategy: fail-proof, proof

    def forward(self, cls: Tensor) -> tuple[Tensor, Tensor]:
        """cls (B, D) → logits (B, 2) and (B, 2)."""
        return self.answer(cls), self.strategy(cls)
