"""Links: which reading may stand under which, from the symbols that they share.

A rule that asks whether someone is big is followed by what says that they are. A node vector would
have to carry the word "big" from one sentence to the other; a link need not, since the same symbol
in both is known. Every spot leaves a *mark*, a few numbers, at its symbol and at its pair; the
score of two readings is the product of their marks. So a link knows words as "the same one" only.
What a child gives also tells its place in the author's order: of failures that tie, the first is
cited.

Legend: M theories, B questions, N sentences, E channels, T spots, Z symbols, K roles,
R = N·E readings.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ibr.model.layers import ordinal


@dataclass(frozen=True)
class Linked:
    """Scores that are added to the logits of children."""

    below: Tensor  # (M, R, R) of a reading under a parent reading
    beside: Tensor  # (M, R, R) of a reading beside a sibling that the parent has already
    asked: Tensor  # (B, R) of a reading under the question


@dataclass(frozen=True)
class Places:
    """Where spots (X, T) and channels (X, E) leave their marks."""

    sentence: Tensor  # (X, T)
    symbol: Tensor  # (X, T) 0 leaves none
    pair: Tensor  # (X, T) the symbol for the pair, 0 leaves none
    rank: Tensor  # (X, T) how many rules that have the symbol come before
    channel: Tensor  # (X, E) the symbol of each channel's entity
    sentences: int
    symbols: int


class Marks(nn.Module):
    """States → marks of symbols, of pairs, and of the entity that the channel stands for."""

    def __init__(self, width: int, roles: int, ranks: int = 0) -> None:
        super().__init__()
        self.spot = nn.Linear(width, roles)
        self.pair = nn.Linear(width, roles)
        self.entity = nn.Linear(width, roles)
        self.rank = ordinal(nn.Embedding(ranks, roles)) if ranks else None

    def forward(self, x: Tensor, at: Places) -> Tensor:
        """x (X, E, T, D) → (X, E, N, Z·K)."""
        first = (at.sentence.clamp(min=0) * at.symbols).unsqueeze(1)  # (X, 1, T)
        real = ((at.symbol > 0) & (at.sentence >= 0))[:, None, :, None].to(x.dtype)
        marks = x.new_zeros(*x.shape[:2], at.sentences * at.symbols, self.spot.out_features)
        spot = self.spot(x)
        if self.rank is not None:
            last = self.rank.num_embeddings - 1
            spot = spot + self.rank(at.rank.clamp(max=last)).unsqueeze(1)
        marks = _add(marks, first + at.symbol.unsqueeze(1), spot * real)
        paired = real * (at.pair > 0)[:, None, :, None]
        marks = _add(marks, first + at.pair.unsqueeze(1), self.pair(x) * paired)
        marks = _add(marks, first + at.channel.clamp(min=0).unsqueeze(2), self.entity(x) * real)
        return marks.view(*x.shape[:2], at.sentences, -1)


def _add(marks: Tensor, place: Tensor, values: Tensor) -> Tensor:
    return marks.scatter_add(2, place.unsqueeze(-1).expand_as(values), values)


class Links(nn.Module):
    """What a child gives, against what its parent needs, its siblings gave, the question asks."""

    def __init__(self, width: int, roles: int, ranks: int = 0) -> None:
        super().__init__()
        self.gives = Marks(width, roles, ranks)
        self.needs = Marks(width, roles)  # in the parent's own channel
        self.wants = Marks(width, roles)  # the parent, seen in the child's channel
        self.gave = Marks(width, roles)
        self.asks = Marks(width, roles)

    def forward(
        self, states: Tensor, at: Places, question: Tensor, asked_at: Places, owner: Tensor
    ) -> Linked:
        """states (M, E, T, D), question (B, E, T', D), owner (B,)."""
        gives = self.gives(states, at)  # (M, E, N, Z·K)
        child = gives.transpose(1, 2).flatten(1, 2).transpose(1, 2)  # (M, Z·K, R)
        own, before = (
            torch.matmul(side(states, at).transpose(1, 2).flatten(1, 2), child)
            for side in (self.needs, self.gave)
        )
        seen = torch.matmul(self.wants(states, at), gives.transpose(2, 3))  # (M, E, N, N)
        seen = seen.permute(0, 2, 3, 1).flatten(2)  # (M, N, R)
        channels = states.shape[1]
        below = own.view(own.shape[0], -1, channels, own.shape[2]) + seen.unsqueeze(2)
        asks = self.asks(question, asked_at)  # (B, E, 1, Z·K)
        asked = torch.matmul(gives.index_select(0, owner), asks.transpose(2, 3))[
            ..., 0
        ]  # (B, E, N)
        return Linked(below.flatten(1, 2), before, asked.transpose(1, 2).flatten(1))
