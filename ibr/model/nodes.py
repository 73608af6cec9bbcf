"""Node vectors h_g and h_n of sentences (§3.4, §3.5), and paths H_p of them as they grow.

Legend: B questions, T token states, N sentences, P paths, L positions in level order, S steps
scored at once, D hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn


class NodeEncoder(nn.Module):
    """The last real state of an LSTM over the sentence's tokens; or their mean, if not `lstm`."""

    def __init__(self, hidden: int, lstm: bool) -> None:
        super().__init__()
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True) if lstm else None

    def forward(self, tokens: Tensor, spans: Tensor) -> Tensor:
        """tokens (B, T, D), spans (B, N, longest) token places, -1 beyond the end → (B, N, D)."""
        b, n, longest = spans.shape
        words = at(tokens, spans.clamp(min=0).flatten(1)).reshape(b * n, longest, -1)
        length = (spans >= 0).sum(-1).view(b * n, 1)
        if self.lstm is None:
            real = (spans >= 0).view(b * n, longest, 1).to(words.dtype)
            return ((words * real).sum(1) / length.clamp(min=1)).view(b, n, -1)
        states, _ = self.lstm(words)  # (B·N, longest, D); padding is last: it changes no real state
        return at(states, (length - 1).clamp(min=0)).view(b, n, -1)  # h_gi or h_ni


def at(sequence: Tensor, place: Tensor) -> Tensor:
    """sequence (R, L, D) at places (R, S) → (R, S, D)."""
    return sequence.gather(1, place.unsqueeze(-1).expand(-1, -1, sequence.shape[-1]))


@dataclass(frozen=True)
class PathState:
    """Step s of a path sees positions 0..last[s]."""

    nodes: Tensor  # (P, L) which node of the batch is at each position
    vectors: Tensor  # (P, L, D) H_p
    up: Tensor  # (P, L) position of its parent, -1 for the question
    last: Tensor  # (P, S)

    def read(self, lstm: nn.LSTM) -> Tensor:
        """LSTM(H_p): the state (P, S, ·) after the last position of each step."""
        states, _ = lstm(self.vectors)
        return at(states, self.last)

    @cached_property
    def seen(self) -> Tensor:
        """(P, S, L): the positions up to each step's last one."""
        return self._positions <= self.last.unsqueeze(-1)

    @property
    def is_last(self) -> Tensor:
        return self._positions == self.last.unsqueeze(-1)

    @property
    def child_count(self) -> Tensor:
        """(P, S, L): how many children each position has at each step."""
        is_child = (self.up.unsqueeze(1) == self._positions[:, None]).to(torch.float32)  # (P, L, L)
        return torch.matmul(self.seen.to(is_child.dtype), is_child.transpose(1, 2)).long()

    def siblings(self, parent: Tensor) -> Tensor:
        """(P, S, L): the positions that are children of each step's parent (P, S)."""
        return (self.up.unsqueeze(1) == parent.unsqueeze(-1)) & self.seen

    @cached_property
    def _positions(self) -> Tensor:
        return self.last.new_ones(self.up.shape[1]).cumsum(0) - 1
