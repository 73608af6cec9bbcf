"""Parts of the compact encoder: attention, one turn, roles of words, and which spot sees which.

Legend: R rows (theories or questions), T and U spots, E channels, N sentences, D width.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.encoders.encoding import QuestionInput, TheoryInput

_SMALL_STD = 0.25  # other embeddings are drawn with a deviation of 1


def init_near_zero(layer: nn.Linear) -> nn.Linear:
    """Output projections start near zero, so that a deep loop starts near the identity."""
    nn.init.normal_(layer.weight, std=0.02)
    nn.init.zeros_(layer.bias)
    return layer


def init_small(table: nn.Embedding) -> nn.Embedding:
    """Small initial weights, so that a warm start is not disturbed."""
    nn.init.normal_(table.weight, std=_SMALL_STD)
    return table


def ordinal(table: nn.Embedding) -> nn.Embedding:
    """Initial weights along one direction, in which the distance grows with the logarithm."""
    along = torch.arange(1.0, table.num_embeddings + 1).log2()
    with torch.no_grad():
        table.weight.copy_(torch.outer(along, torch.randn(table.embedding_dim) * _SMALL_STD))
    return table


class Attention(nn.Module):
    """Masked multi-head attention, pre-norm; a learned sink is seen where nothing else is."""

    def __init__(self, width: int, heads: int, sink: bool = False) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.out = init_near_zero(nn.Linear(width, width))
        self.sink = nn.Parameter(torch.randn(2, heads, 1, width // heads) * 0.1) if sink else None

    def memory(self, x: Tensor) -> Tensor:
        """Keys and values of x (R, U, D) → (2, R, heads, U, D / heads), sink first."""
        parts = self.key_value(self.norm(x)).view(x.shape[0], x.shape[1], 2, self.heads, -1)
        memory = parts.permute(2, 0, 3, 1, 4)
        if self.sink is None:
            return memory
        return torch.cat([self.sink[:, None].expand(-1, x.shape[0], -1, -1, -1), memory], dim=3)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """x (R, T, D), mask (R, 1 or heads, T, U) of what may be seen → (R, T, D)."""
        query = self.query(self.norm(x)).view(x.shape[0], x.shape[1], self.heads, -1)
        query = query.transpose(1, 2)
        if self.sink is not None:
            mask = F.pad(mask, (1, 0), value=True)
        mixed = F.scaled_dot_product_attention(query, memory[0], memory[1], attn_mask=mask)
        return self.out(mixed.transpose(1, 2).flatten(2))


class FeedForward(nn.Sequential):
    def __init__(self, width: int) -> None:
        super().__init__(
            nn.LayerNorm(width),
            nn.Linear(width, 2 * width),
            nn.GELU(),
            init_near_zero(nn.Linear(2 * width, width)),
        )


class LocalLayer(nn.Module):
    """Attention among the words of one sentence, then feed-forward."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(width, heads)
        self.feed_forward = FeedForward(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attention(x, self.attention.memory(x), mask)
        return x + self.feed_forward(x)


class ChannelMix(nn.Module):
    """Each spot attends to itself in all channels: "the bear is red" is true in the bear's."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.weight = nn.Linear(width, heads)
        self.value = nn.Linear(width, width)
        self.out = init_near_zero(nn.Linear(width, width))

    def forward(self, x: Tensor, is_channel: Tensor) -> Tensor:
        """x (R, E, T, D), is_channel (R, E) → (R, 1, T, D)."""
        x = self.norm(x)
        weight = self.weight(x).masked_fill(~is_channel[:, :, None, None], float("-inf"))
        r, e, t, _ = x.shape
        value = self.value(x).view(r, e, t, self.heads, -1)  # (R, E, T, heads, D / heads)
        mixed = (weight.softmax(dim=1).unsqueeze(-1) * value).sum(dim=1, keepdim=True)
        return self.out(mixed.flatten(-2))


class Turn(nn.Module):
    """One round of reasoning: own sentence, same symbol elsewhere, other channels."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.own = Attention(width, heads)
        self.feed_own = FeedForward(width)
        self.same = Attention(width, heads, sink=True)
        self.mix = ChannelMix(width, heads)
        self.feed_all = FeedForward(width)

    def forward(
        self,
        x: Tensor,
        own: Tensor,
        same: Tensor,
        is_channel: Tensor,
        elsewhere: Tensor | None = None,
    ) -> Tensor:
        """x (R, E, T, D), own (R·E, 1, T, T), same (R·E, heads, T, U), is_channel (R, E).

        `elsewhere` is `same.memory` of other spots (2, R·E, heads, U, D / heads); by default x's.
        """
        e = x.shape[1]
        flat = x.flatten(0, 1)
        flat = flat + self.own(flat, self.own.memory(flat), own)
        flat = flat + self.feed_own(flat)
        memory = self.same.memory(flat) if elsewhere is None else elsewhere
        flat = flat + self.same(flat, memory, same)
        x = flat.view(-1, e, flat.shape[1], flat.shape[2])
        x = x + self.mix(x, is_channel)
        return x + self.feed_all(x)


class WordRole(IntEnum):
    """What a word does in its sentence: of "big, cold people have a rough time, and green skin" the
    words big, cold and rough are conditions, green is concluded, time and skin have no role."""

    NONE = 0
    ASSERTED = 1  # of a fact, or what a rule concludes
    NEGATED = 2  # the same, negated
    CONDITION = 3  # of a condition
    NEGATED_CONDITION = 4  # of a condition that something does not hold


class Roles(nn.Module):
    """Predicts the role of each word (labels: `ibr.training.labels`) and adds it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.predict = nn.Linear(width, len(WordRole))
        self.add = nn.Linear(len(WordRole), width, bias=False)
        nn.init.zeros_(self.add.weight)  # a warm start is not disturbed

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """States (…, D) of words → the same with their roles added, and logits (…, roles)."""
        logits = self.predict(x)
        return x + self.add(logits.softmax(-1)), logits


class Spots(NamedTuple):
    """What decides which spot sees which, (R, T) each."""

    sentence: Tensor  # -1 is padding
    symbol: Tensor
    pair: Tensor
    triple: Tensor

    @classmethod
    def of(cls, sentence: Tensor, read: TheoryInput | QuestionInput) -> Spots:
        return cls(sentence, read.symbol, read.pair, read.triple)

    def together(self, others: Spots) -> Tensor:
        """(R, 1, T, U): in one sentence. Padding sees padding: a softmax needs something."""
        return (self.sentence.unsqueeze(2) == others.sentence.unsqueeze(1)).unsqueeze(1)

    def related(self, others: Spots, heads: int) -> Tensor:
        """(R, heads, T, U): the same symbol in other sentences; in the third quarter of the heads
        the same pair, in the last the same triple."""
        elsewhere = ~self.together(others)[:, 0] & (others.sentence >= 0).unsqueeze(1)
        symbol, pair, triple = (
            (mine.unsqueeze(2) == theirs.unsqueeze(1)) & (theirs > 0).unsqueeze(1) & elsewhere
            for mine, theirs in zip(self[1:], others[1:], strict=True)
        )
        few = heads // 4
        return torch.stack([symbol] * (heads - 2 * few) + [pair] * few + [triple] * few, dim=1)


def per_channel(mask: Tensor, channels: int) -> Tensor:
    """(R, X, T, U) → (R·E, X, T, U): relations between spots are the same in every channel."""
    return mask[:, None].expand(-1, channels, -1, -1, -1).flatten(0, 1)


def by_sentence(values: Tensor, sentence: Tensor, sentences: int) -> Tensor:
    """Means of values (R, E, T) over the spots of each sentence → (R, E, N)."""
    places = torch.arange(sentences, device=sentence.device)
    member = (sentence.unsqueeze(-1) == places).to(values.dtype)
    return torch.matmul(values, member) / member.sum(1).clamp(min=1).unsqueeze(1)
