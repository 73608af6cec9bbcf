"""A path as it grows: its vectors, who has how many children, and who are siblings.

Legend: P paths, L positions in level order, S steps scored at once, D hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from ibr.model.node_encoder import at

MOST = 4  # children that are counted; more count as so many


@dataclass(frozen=True)
class Growth:
    """Step s of a path sees positions 0..last[s]."""

    nodes: Tensor  # (P, L) which node stands at each position
    vectors: Tensor  # (P, L, D) H_p
    up: Tensor  # (P, L) position of its parent, -1 for the question
    last: Tensor  # (P, S)

    def through(self, linear: nn.Linear) -> Tensor:
        """(P, L, ·): a linear map of the vectors."""
        mapped: Tensor = linear(self.vectors)
        return mapped

    def read(self, lstm: nn.LSTM) -> Tensor:
        """(P, S, ·): the states after what each step has seen."""
        states, _ = lstm(self.vectors)  # the state at t has seen positions 0..t
        return at(states, self.last)

    @staticmethod
    def end(up: Tensor) -> Tensor:
        """(P, 1): the last of one step that sees everything."""
        return torch.ones_like(up).sum(1, keepdim=True) - 1

    @cached_property
    def seen(self) -> Tensor:
        """(P, S, L): the positions up to each step's last one."""
        return self._positions <= self.last.unsqueeze(-1)

    @property
    def is_last(self) -> Tensor:
        return self._positions == self.last.unsqueeze(-1)

    @property
    def children(self) -> Tensor:
        """(P, S, L): how many children each position has by then, MOST at most."""
        hangs = (self.up.unsqueeze(1) == self._positions[:, None]).to(torch.float32)  # (P, L, L)
        count = torch.matmul(self.seen.to(hangs.dtype), hangs.transpose(1, 2))
        return count.long().clamp(max=MOST)

    def siblings(self, parent: Tensor) -> Tensor:
        """(P, S, L): the positions that hang under each step's parent (P, S)."""
        return (self.up.unsqueeze(1) == parent.unsqueeze(-1)) & self.seen

    @cached_property
    def _positions(self) -> Tensor:
        return self.last.new_ones(self.up.shape[1]).cumsum(0) - 1
