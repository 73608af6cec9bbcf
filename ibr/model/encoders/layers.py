"""Small parts of the compact encoder. They know shapes, not what the rows mean.

Legend: R rows, T queries, U keys, E channels, D width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

_WHISPER = 0.25  # beside embeddings that are drawn with a deviation of 1


def small(layer: nn.Linear) -> nn.Linear:
    """Output projections start near zero, so that a deep loop starts near the identity."""
    nn.init.normal_(layer.weight, std=0.02)
    nn.init.zeros_(layer.bias)
    return layer


def whispering(table: nn.Embedding) -> nn.Embedding:
    """Says little at first: a model that starts without it learns to hear it."""
    nn.init.normal_(table.weight, std=_WHISPER)
    return table


def ordinal(table: nn.Embedding) -> nn.Embedding:
    """Starts as one direction, in which earlier entries are nearer than later ones."""
    along = torch.arange(1.0, table.num_embeddings + 1).log2()
    with torch.no_grad():
        table.weight.copy_(torch.outer(along, torch.randn(table.embedding_dim) * _WHISPER))
    return table


class Attention(nn.Module):
    """Masked multi-head attention, pre-norm; a learned sink shows that nothing is there."""

    def __init__(self, width: int, heads: int, sink: bool = False) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.out = small(nn.Linear(width, width))
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
            small(nn.Linear(2 * width, width)),
        )


class LocalLayer(nn.Module):
    """Words of one sentence look at each other."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = Attention(width, heads)
        self.feed_forward = FeedForward(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attention(x, self.attention.memory(x), mask)
        return x + self.feed_forward(x)


class ChannelMix(nn.Module):
    """Every spot sees itself in all channels: "the bear is red" is settled in the bear's."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.weight = nn.Linear(width, heads)
        self.value = nn.Linear(width, width)
        self.out = small(nn.Linear(width, width))

    def forward(self, x: Tensor, is_channel: Tensor) -> Tensor:
        """x (R, E, T, D), is_channel (R, E) → (R, 1, T, D)."""
        x = self.norm(x)
        weight = self.weight(x).masked_fill(~is_channel[:, :, None, None], float("-inf"))
        value = self.value(x).view(
            x.shape[0], x.shape[1], x.shape[2], self.heads, -1
        )  # (R, E, T, heads, D / heads)
        mixed = (weight.softmax(dim=1).unsqueeze(-1) * value).sum(dim=1, keepdim=True)
        return self.out(mixed.flatten(-2))


class Turn(nn.Module):
    """One round of reasoning: own sentence, same symbol elsewhere, other channels."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.own = Attention(width, heads)
        self.think = FeedForward(width)
        self.same = Attention(width, heads, sink=True)
        self.mix = ChannelMix(width, heads)
        self.conclude = FeedForward(width)

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
        flat = flat + self.think(flat)
        memory = self.same.memory(flat) if elsewhere is None else elsewhere
        flat = flat + self.same(flat, memory, same)
        x = flat.view(-1, e, flat.shape[1], flat.shape[2])
        x = x + self.mix(x, is_channel)
        return x + self.conclude(x)
