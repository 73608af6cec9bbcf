"""Node vectors h_g and h_n of sentences (§3.4, §3.5), and paths H_p of them as they grow.

Legend: B questions, T token states, N sentences, P paths, L positions in level order, S steps
scored at once, D hidden.
"""

from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor, nn
from torch.nn import functional as F

LstmState = tuple[Tensor, Tensor]  # (1, D) hidden and cell


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

    def through(self, layer: nn.Linear) -> Tensor:
        """f(H_p) (P, L, ·)."""
        return layer(self.vectors)

    def read(self, lstm: nn.LSTM) -> Tensor:
        """LSTM(H_p): the state (P, S, ·) after the last position of each step."""
        states, _ = lstm(self.vectors)
        return at(states, self.last)

    @cached_property
    def seen(self) -> Tensor | None:
        """(P, S, L): the positions up to each step's last one; None: all of them."""
        return self._positions <= self.last.unsqueeze(-1)

    @property
    def is_last(self) -> Tensor:
        return self._positions == self.last.unsqueeze(-1)

    @property
    def child_count(self) -> Tensor:
        """(P, S, L): how many children each position has at each step."""
        is_child = self.up.unsqueeze(1) == self._positions[:, None]  # (P, L, L)
        if self.seen is None:
            return is_child.sum(-1).unsqueeze(1)
        numbers = is_child.to(torch.float32)
        return torch.matmul(self.seen.to(numbers.dtype), numbers.transpose(1, 2)).long()

    def siblings(self, parent: Tensor) -> Tensor:
        """(P, S, L): the positions that are children of each step's parent (P, S)."""
        below = self.up.unsqueeze(1) == parent.unsqueeze(-1)
        return below if self.seen is None else below & self.seen

    @cached_property
    def _positions(self) -> Tensor:
        return self.last.new_ones(self.up.shape[1]).cumsum(0) - 1


@dataclass
class PathMemo:
    """What the steps of a search share, kept as long as a batch is searched."""

    nodes: Tensor | None  # (X, D) of the batch; None if a vector depends on its position
    layers: dict[int, Tensor] = field(default_factory=dict)  # by layer: its output of all nodes
    states: dict[int, dict[bytes, LstmState]] = field(default_factory=dict)  # by LSTM and prefix


@dataclass(frozen=True)
class OpenPath(PathState):
    """Paths of a search, with one step, which sees all positions."""

    prefixes: list[list[bytes]]  # (P, L) the nodes up to each position
    memo: PathMemo

    @cached_property
    def seen(self) -> None:
        return None

    def through(self, layer: nn.Linear) -> Tensor:
        if self.memo.nodes is None:
            return super().through(layer)
        if id(layer) not in self.memo.layers:
            self.memo.layers[id(layer)] = layer(self.memo.nodes)
        return F.embedding(self.nodes, self.memo.layers[id(layer)])

    def read(self, lstm: nn.LSTM) -> Tensor:
        """Each prefix is read once: a step later, most paths are one position longer."""
        known, paths = self.memo.states.setdefault(id(lstm), {}), self.prefixes
        zero = self.vectors.new_zeros(1, lstm.hidden_size)
        first = len(paths[0])
        while first and any(path[first - 1] not in known for path in paths):
            first -= 1
        for k in range(first, len(paths[0])):
            new = {path[k]: row for row, path in enumerate(paths) if path[k] not in known}
            if new:
                rows = list(new.values())
                before = [known[paths[row][k - 1]] if k else (zero, zero) for row in rows]
                state = _rows([h for h, _ in before]), _rows([c for _, c in before])
                vectors = self.vectors[:, k]
                if len(rows) < len(paths):
                    vectors = _rows([vectors[row : row + 1] for row in rows])
                found = torch.lstm_cell(vectors, state, *lstm.all_weights[0])
                hidden, cell = (part.split(1) for part in found)
                known.update(zip(new, zip(hidden, cell, strict=True), strict=True))
        return _rows([known[path[-1]][0] for path in paths]).unsqueeze(1)


def _rows(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts)
