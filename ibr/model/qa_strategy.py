"""Module 1 (§3.3): answer and strategy from h_CLS."""

from torch import Tensor, nn


class QAStrategy(nn.Module):
    """P_QA = σ(f_QA(h_CLS)) and P_Strategy = σ(f_Strategy(h_CLS)); σ is applied by their users."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.answer = nn.Linear(hidden, 2)  # f_QA: False, True
        self.strategy = nn.Linear(hidden, 2)  # f_Strategy: fail-proof, proof

    def forward(self, cls: Tensor) -> tuple[Tensor, Tensor]:
        """cls (B, D) → logits (B, 2) and (B, 2)."""
        return self.answer(cls), self.strategy(cls)
