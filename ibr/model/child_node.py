"""Module 3 (§3.5): path focus selection (Eq. 2), then attention over the candidate children.

Legend: P paths, L positions, S steps scored at once, D hidden; M theories, N readings of each,
G theories that have paths, W slots for the paths of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.decoding.scoring import PathsByTheory
from ibr.model.nodes import PathState, at
from ibr.model.parent_node import attention_scores


@dataclass(frozen=True)
class Candidates:
    """H_c = [h_n1 … h_nk, h_NAF, h_END] after f_K, for paths of several theories."""

    readings: Tensor  # (M, N, D) f_K of h_ni
    special: Tensor  # (P, 2, D) f_K of h_NAF and h_END
    is_reading: Tensor  # (P, N) False is padding
    is_rule: Tensor  # (P, N)


@dataclass(frozen=True)
class Steps:
    """The steps at which paths get a child."""

    NAMES: ClassVar = ("parent", "question", "fails", "theory", "path", "slot")

    parent: Tensor  # (P, S) position of the parent
    question: Tensor  # (P,) which of the batch
    fails: Tensor  # (P,) whether its strategy is fail-proof
    layout: PathsByTheory[Tensor]

    @classmethod
    def of(cls, step: Mapping[str, Tensor]) -> Steps:
        """The one step of each open path, NAMES as in `ibr.decoding.scoring`."""
        layout = PathsByTheory(step["theory"], step["path"], step["slot"])
        return cls(step["parent"].unsqueeze(1), step["question"], step["fails"], layout)


class FocusLayer(nn.Module):
    """One layer of Trans(q, k, v): the parent attends to the path, then feed-forward; pre-norm."""

    def __init__(self, hidden: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.norm = nn.LayerNorm(hidden)
        self.query = nn.Linear(hidden, hidden)
        self.key_value = nn.Linear(hidden, 2 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.feed = nn.Sequential(
            nn.LayerNorm(hidden),
            nn.Linear(hidden, 2 * hidden),
            nn.SELU(),
            nn.Linear(2 * hidden, hidden),
        )

    def forward(self, query: Tensor, path: PathState) -> Tensor:
        """query (P, S, D) → (P, S, D)."""
        q = self._split(self.query(self.norm(query)))
        key, value = path.through(self.key_value).chunk(2, dim=-1)
        mask = None if path.seen is None else path.seen.unsqueeze(1)
        mixed = F.scaled_dot_product_attention(
            q, self._split(key), self._split(value), attn_mask=mask
        )
        query = query + self._drop(self.out(mixed.transpose(1, 2).flatten(2)))
        return query + self._drop(self.feed(query))

    def _split(self, x: Tensor) -> Tensor:
        """(P, S, D) → (P, heads, S, D / heads)."""
        return x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout) if self.training else x


class ChildNode(nn.Module):
    """h_F of Eq. 2, then Att(h_F, H_c)."""

    def __init__(
        self, hidden: int, layers: int, heads: int, lstm_hidden: int | None, dropout: float
    ) -> None:
        super().__init__()
        self.trans = nn.ModuleList(FocusLayer(hidden, heads, dropout) for _ in range(layers))
        self.focus_lstm = nn.LSTM(hidden, lstm_hidden, batch_first=True) if lstm_hidden else None
        self.fuse = nn.Linear(hidden + (lstm_hidden or 0), hidden)  # f_U
        self.query = nn.Linear(hidden, hidden)  # f_Q
        self.key = nn.Linear(hidden, hidden)  # f_K, once per question: see `Candidates`

    def focus(self, path: PathState, parent: Tensor, fails: Tensor) -> Tensor:
        """h_F (P, S, D) for parent positions (P, S); fails (P,) are fail-proofs."""
        h_gp = at(path.vectors, parent)  # (P, S, D)
        trans = h_gp
        for layer in self.trans:
            trans = layer(trans, path)  # Trans(h_gp, H_p, H_p)
        trans = torch.where(fails[:, None, None], h_gp, trans)  # Fail-proof: h_gp instead of Trans
        if self.focus_lstm is None:
            return self.fuse(trans)
        return self.fuse(torch.cat([trans, path.read(self.focus_lstm)], dim=-1))  # Eq. 2

    def forward(self, h_f: Tensor, candidates: Candidates, steps: Steps) -> Tensor:
        """Logits (P, S, C) of Att(h_F, H_c); -inf for padding, and for facts in fail-proofs."""
        query = self.query(h_f)
        readings = _scores_by_theory(query, candidates.readings, steps.layout)
        special = attention_scores(query, candidates.special)
        allowed = candidates.is_reading & (candidates.is_rule | ~steps.fails.unsqueeze(-1))
        readings = readings.masked_fill(~allowed.unsqueeze(1), float("-inf"))
        return torch.cat([readings, special], dim=-1)  # Eq. 1 with h_F and H_c


def _scores_by_theory(query: Tensor, keys: Tensor, layout: PathsByTheory[Tensor]) -> Tensor:
    """`attention_scores` (P, S, N) of queries (P, S, D) over the keys (M, N, D) of their theory.

    All paths of a theory are multiplied with its keys at once.
    """
    slots = query.index_select(0, layout.path.flatten())  # (G·W, S, D)
    keys = keys.index_select(0, layout.theory)  # (G, N, D)
    scores = attention_scores(slots.reshape(keys.shape[0], -1, query.shape[-1]), keys)
    return scores.view(*slots.shape[:2], -1).index_select(0, layout.slot)
