"""Paths of a search, which have much in common: what was worked out once is looked up. No equation
of the model is here.

A node goes through a linear map once, on however many paths it stands. Paths that begin alike are
read by an LSTM once: in level order a path mostly grows at its end, and then one more position is
all that is new.

Legend: X nodes of the batch, P paths, L positions, D hidden, Z states that are known, H of an LSTM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.growth import Growth

_BYTES: Final = 8  # of a node in the name of a path


class Reader:
    """An LSTM, and its states after every beginning of a path that it has read."""

    def __init__(self, lstm: nn.LSTM) -> None:
        self.weights, self.hidden = lstm.all_weights[0], lstm.hidden_size
        self.known = {b"": 0}  # by the name of the beginning
        self.states = self.weights[0].new_zeros(1, 2 * self.hidden)  # (Z, 2·H): h, c

    def read(self, vectors: Tensor, names: Sequence[bytes]) -> Tensor:
        """h (P, H) after paths (P, L, D); beginnings with the same name are the same."""
        read = [self._beginning(name) for name in names]
        for place in range(min(read), vectors.shape[1]):
            end = (place + 1) * _BYTES
            new = {names[row][:end]: row for row, many in enumerate(read) if many <= place}
            h, c = self._after(name[:-_BYTES] for name in new).chunk(2, dim=1)
            after = torch.lstm_cell(vectors[list(new.values()), place], (h, c), *self.weights)
            self.known.update(zip(new, count(len(self.states)), strict=False))
            self.states = torch.cat([self.states, torch.cat(after, dim=1)])
        return self._after(names)[:, : self.hidden]

    def _beginning(self, name: bytes) -> int:
        """How many positions of a path are known."""
        end = len(name)
        while name[:end] not in self.known:
            end -= _BYTES
        return end // _BYTES

    def _after(self, names: Iterable[bytes]) -> Tensor:
        return self.states[[self.known[name] for name in names]]


class Readers(dict[nn.LSTM, Reader]):
    """Of every LSTM that is asked for."""

    def __missing__(self, lstm: nn.LSTM) -> Reader:
        self[lstm] = Reader(lstm)
        return self[lstm]


@dataclass(frozen=True)
class Tabled(Growth):
    """Paths of nodes whose linear maps are known."""

    positions: Tensor | None  # (L, D) what was added to the nodes
    tables: Mapping[nn.Linear, Tensor]  # (X, ·) each

    def through(self, linear: nn.Linear) -> Tensor:
        mapped = F.embedding(self.nodes, self.tables[linear])
        return (
            mapped if self.positions is None else mapped + F.linear(self.positions, linear.weight)
        )


@dataclass(frozen=True)
class Remembered(Tabled):
    """Whole paths of a search."""

    names: Sequence[bytes]  # paths with the same nodes have the same
    readers: Readers

    def read(self, lstm: nn.LSTM) -> Tensor:
        return self.readers[lstm].read(self.vectors, self.names).unsqueeze(1)
