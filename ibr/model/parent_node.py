"""Module 2 (§3.4): which node of the path gets the next child.

Legend: R paths, L positions, S steps scored at once (all of them in training, one in search),
D hidden.
"""

from __future__ import annotations

from torch import Tensor, nn

from ibr.model.node_encoder import at, attention_scores


class ParentNode(nn.Module):
    """Eq. 1. Departure: the loss is categorical cross-entropy over the softmax, as the paper's text
    says; the released code used a binary one for each position."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.path_lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden)  # f_Q
        self.key = nn.Linear(hidden, hidden)  # f_K

    def forward(self, path_vectors: Tensor, last: Tensor) -> Tensor:
        """path_vectors (R, L, D) in level order; a step sees positions up to last (R, S).

        Returns logits (R, S, L), -inf where not seen.
        """
        states, _ = self.path_lstm(path_vectors)  # the state at t has seen positions 0..t
        h_g = at(states, last)  # (R, S, D)
        scores = attention_scores(self.query(h_g), self.key(path_vectors))  # Eq. 1
        return scores.masked_fill(~seen(last, path_vectors.shape[1]), float("-inf"))


def seen(last: Tensor, length: int) -> Tensor:
    """(R, S, L): the positions up to each step's last one."""
    positions = last.new_ones(length).cumsum(0) - 1
    return positions <= last.unsqueeze(-1)
