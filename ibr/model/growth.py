"""The shape of a path as it grows: who has how many children, and who are siblings.

Legend: P paths, L positions in level order, S steps scored at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

MOST = 4  # children that are counted; more count as so many


@dataclass(frozen=True)
class Growth:
    """Step s of a path sees positions 0..last[s]."""

    columns: Tensor  # (P, L) node at each position
    up: Tensor  # (P, L) position of its parent, -1 for the question
    last: Tensor  # (P, S)

    @classmethod
    def whole(cls, columns: Tensor, up: Tensor) -> Growth:
        """The one step that sees everything."""
        return cls(columns, up, torch.ones_like(up).sum(1, keepdim=True) - 1)

    @property
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

    @property
    def _positions(self) -> Tensor:
        return self.last.new_ones(self.up.shape[1]).cumsum(0) - 1
