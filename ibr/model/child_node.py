"""Module 3 (§3.5): path focus selection, and which node hangs under the parent next.

Legend: R paths, L positions, S steps scored at once, D hidden; M theories, N candidates of each; G
theories that are looked at, W paths of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.growth import MOST, Growth
from ibr.model.node_encoder import at, attention_scores


@dataclass(frozen=True)
class Seats:
    """`ibr.scoring.Seats` as tensors."""

    theory: Tensor  # (G,)
    path: Tensor  # (G, W)
    seat: Tensor  # (R,)

    @classmethod
    def apart(cls, owner: Tensor) -> Seats:
        """Every path looks at the candidates of its theory (R,) for itself."""
        each = torch.arange(len(owner), device=owner.device)
        return cls(owner, each.unsqueeze(1), each)

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """Logits (R, S, N): queries (R, S, D) of paths over the candidates (M, N, D)."""
        seated = query.index_select(0, self.path.flatten())  # (G·W, S, D)
        keys = keys.index_select(0, self.theory)
        scores = attention_scores(seated.reshape(keys.shape[0], -1, query.shape[-1]), keys)
        return scores.view(*seated.shape[:2], -1).index_select(0, self.seat)


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

    def forward(self, query: Tensor, path: Growth) -> Tensor:
        """query (R, S, D) → (R, S, D)."""
        q = self._split(self.query(self.norm(query)))
        key, value = path.through(self.key_value).chunk(2, dim=-1)
        mixed = F.scaled_dot_product_attention(
            q, self._split(key), self._split(value), attn_mask=path.seen.unsqueeze(1)
        )
        query = query + self._drop(self.out(mixed.transpose(1, 2).flatten(2)))
        return query + self._drop(self.feed(query))

    def _split(self, x: Tensor) -> Tensor:
        """(R, S, D) → (R, heads, S, D / heads)."""
        return x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout) if self.training else x


class ChildNode(nn.Module):
    """Eq. 2 and the child attention. For a fail-proof the parent vector stands in for Trans.

    With `counts`, the number of children that the parent has so far is added to the focus.
    """

    def __init__(
        self,
        hidden: int,
        layers: int,
        heads: int,
        lstm_hidden: int | None,
        dropout: float,
        counts: bool = False,
    ) -> None:
        super().__init__()
        self.nth = nn.Embedding(MOST + 1, hidden) if counts else None
        self.trans = nn.ModuleList(FocusLayer(hidden, heads, dropout) for _ in range(layers))
        self.focus_lstm = nn.LSTM(hidden, lstm_hidden, batch_first=True) if lstm_hidden else None
        self.fuse = nn.Linear(hidden + (lstm_hidden or 0), hidden)  # f_U
        self.query = nn.Linear(hidden, hidden)  # f_Q
        self.key = nn.Linear(hidden, hidden)  # f_K, applied once per question by `keys`

    @property
    def keys_values(self) -> list[nn.Linear]:
        """Of each layer of Trans."""
        return [layer.key_value for layer in self.trans if isinstance(layer, FocusLayer)]

    def keys(self, child_vectors: Tensor) -> Tensor:
        return self.key(child_vectors)

    def focus(self, path: Growth, parent: Tensor, fails: Tensor) -> Tensor:
        """Eq. 2: parent (R, S), fails (R,) → (R, S, D)."""
        parent_vectors = at(path.vectors, parent)
        focused = parent_vectors
        for layer in self.trans:
            focused = layer(focused, path)
        focused = torch.where(fails[:, None, None], parent_vectors, focused)
        if self.focus_lstm is not None:
            focused = torch.cat([focused, path.read(self.focus_lstm)], dim=-1)
        focused = self.fuse(focused)
        if self.nth is not None:
            focused = focused + self.nth(path.siblings(parent).sum(-1).clamp(max=MOST))
        return focused

    def forward(self, path: Growth, parent: Tensor, fails: Tensor) -> Tensor:
        """The queries (R, S, D) of the child attention; candidates have `keys`."""
        return self.query(self.focus(path, parent, fails))
