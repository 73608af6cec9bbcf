"""Which spot may see which, and what a sentence's spots say together.

Legend: R rows (theories or questions), T and U spots, E channels, N sentences.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ibr.model.compact_input import QuestionInput, TheoryInput


class Spots(NamedTuple):
    """What relations between spots are made of, (R, T) each."""

    sentence: Tensor  # -1 is padding
    symbol: Tensor
    pair: Tensor
    triple: Tensor

    @classmethod
    def of(cls, sentence: Tensor, read: TheoryInput | QuestionInput) -> Spots:
        return cls(sentence, read.symbol, read.pair, read.triple)


def relations(spots: Spots, others: Spots, heads: int) -> tuple[Tensor, Tensor]:
    """Which spot (R, T) may see which other (R, U): own sentence (R, 1, T, U); and by heads

    (R, heads, T, U) the same symbol elsewhere; the third quarter of the heads see the same pair
    only, the last the same triple. A padded spot sees padding as its own sentence: it must see
    something.
    """
    together = spots.sentence.unsqueeze(2) == others.sentence.unsqueeze(1)
    elsewhere = ~together & (others.sentence >= 0).unsqueeze(1)
    symbol, pair, triple = (
        (mine.unsqueeze(2) == theirs.unsqueeze(1)) & (theirs > 0).unsqueeze(1) & elsewhere
        for mine, theirs in zip(spots[1:], others[1:], strict=True)
    )
    few = heads // 4
    by_head = [symbol] * (heads - 2 * few) + [pair] * few + [triple] * few
    return together.unsqueeze(1), torch.stack(by_head, dim=1)


def per_channel(mask: Tensor, channels: int) -> Tensor:
    """(R, X, T, U) → (R·E, X, T, U): relations between spots are the same in every channel."""
    return mask[:, None].expand(-1, channels, -1, -1, -1).flatten(0, 1)


def by_sentence(values: Tensor, sentence: Tensor, sentences: int) -> Tensor:
    """Means of values (R, E, T) over the spots of each sentence → (R, E, N)."""
    places = torch.arange(sentences, device=sentence.device)
    member = (sentence.unsqueeze(-1) == places).to(values.dtype)
    return torch.matmul(values, member) / member.sum(1).clamp(min=1).unsqueeze(1)
