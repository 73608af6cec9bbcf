"""A sentence's token states → its node vector (§3.4, §3.5). Used twice: parent and child side.

Legend: B questions, T token states, N sentences, L tokens of the longest sentence, D hidden.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class NodeEncoder(nn.Module):
    """The last real state of an LSTM over the sentence's tokens; or their mean, if not `lstm`."""

    def __init__(self, hidden: int, lstm: bool) -> None:
        super().__init__()
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True) if lstm else None

    def forward(self, tokens: Tensor, spans: Tensor) -> Tensor:
        """tokens (B, T, D), spans (B, N, L) token places, -1 beyond the end → (B, N, D)."""
        b, n, longest = spans.shape
        d = tokens.shape[-1]
        places = spans.clamp(min=0).view(b, n * longest, 1).expand(-1, -1, d)
        words = tokens.gather(1, places).view(b * n, longest, d)
        length = (spans >= 0).sum(-1).view(b * n)
        if self.lstm is None:
            real = (spans >= 0).view(b * n, longest, 1).to(words.dtype)
            return ((words * real).sum(1) / length.clamp(min=1).unsqueeze(-1)).view(b, n, d)
        states, _ = self.lstm(
            words
        )  # (B·N, L, D): padding comes last, so it changes nothing before
        return at(states, (length - 1).clamp(min=0)).view(b, n, d)


def at(sequence: Tensor, place: Tensor) -> Tensor:
    """sequence (R, L, D) at place (R,) → (R, D); at (R, S) → (R, S, D)."""
    flat = place.unsqueeze(-1) if place.dim() == 1 else place
    picked = sequence.gather(1, flat.unsqueeze(-1).expand(-1, -1, sequence.shape[-1]))
    return picked[:, 0] if place.dim() == 1 else picked


def attention_scores(query: Tensor, keys: Tensor) -> Tensor:
    """The logits of Eq. 1, before its softmax: query (R, S, D), keys (R, L, D) → (R, S, L)."""
    return torch.matmul(query, keys.transpose(-1, -2)) / keys.shape[-1] ** 0.5
