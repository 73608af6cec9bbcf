"""Module 2 (§3.4): which node of the path gets the next child.

Legend: P paths, L positions, S steps scored at once (all in training, one in search), D hidden.
"""

import torch
from torch import Tensor, nn

from ibr.model.nodes import PathState


def attention_scores(query: Tensor, keys: Tensor) -> Tensor:
    """Eq. 1 before its softmax: f_Q(h) (P, S, D) and f_K(H) (P, L, D) → (P, S, L)."""
    return torch.matmul(query, keys.transpose(-1, -2)) / keys.shape[-1] ** 0.5


class ParentNode(nn.Module):
    """Att(h_g, H_p): h_g is the last state of an LSTM over the path H_p in level order."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.path_lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden)  # f_Q
        self.key = nn.Linear(hidden, hidden)  # f_K

    def forward(self, path: PathState) -> Tensor:
        """Logits (P, S, L), -inf at positions that the step does not have yet."""
        h_g = path.read(self.path_lstm)  # (P, S, D)
        scores = attention_scores(self.query(h_g), path.through(self.key))  # Eq. 1
        return scores if path.seen is None else scores.masked_fill(~path.seen, float("-inf"))
