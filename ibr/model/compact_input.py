"""What the compact encoder reads, as padded tensors; made by `ibr.model.batch`.

Legend: M theories, B questions, N sentences, L words, T spots, E channels.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class TheoryInput:
    """M theories, padded. Symbols are numbered per theory; codes are what was drawn for them."""

    words: Tensor  # (M, N, L) word ids, 0 is padding
    codes: Tensor  # (M, N, L) 0 for words without a symbol
    kinds: Tensor  # (M, N)
    spots: Tensor  # (M, T) place of each spot in N·L
    sentence: Tensor  # (M, T) its sentence, -1 is padding
    symbol: Tensor  # (M, T) its symbol, 0 is padding
    pair: Tensor  # (M, T) the pair that it forms with the next spot, 0 for none
    triple: Tensor  # (M, T) with the next two
    channels: Tensor  # (M, E) symbol of each channel; 0 stands for a stranger, -1 is padding
    channel_codes: Tensor  # (M, E)
    spans: Tensor  # (M, N, longest) the spots of each sentence, -1 beyond the end
    alphabet: Tensor  # (Z,) as long as the longest list of symbols, and one for strangers
    pairs: Tensor  # (Y,) as long as the longest list of pairs


@dataclass(frozen=True)
class QuestionInput:
    """B questions about these theories; the first spot of each is [CLS], whose symbol is 0."""

    theory: Tensor  # (B,)
    words: Tensor  # (B, L)
    codes: Tensor  # (B, L)
    spots: Tensor  # (B, T') places in L
    symbol: Tensor  # (B, T')
    pair: Tensor  # (B, T') of the theory's; 0 for others
    triple: Tensor  # (B, T')
    is_spot: Tensor  # (B, T') False is padding
    is_stranger: Tensor  # (B, T') names what the theory does not: the entity of channel 0


@dataclass(frozen=True)
class CompactInput:
    theory: TheoryInput
    question: QuestionInput

    @property
    def channels(self) -> int:
        return self.theory.channels.shape[1]

    def __len__(self) -> int:
        return len(self.question.theory)
