"""What the compact encoder reads, as padded tensors; the nouns are `ibr.arrays`'s."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from torch import Tensor

from ibr import arrays

TheoryInput: TypeAlias = arrays.TheoryInput[Tensor]
QuestionInput: TypeAlias = arrays.QuestionInput[Tensor]


@dataclass(frozen=True)
class CompactInput:
    theory: TheoryInput
    question: QuestionInput

    @property
    def channels(self) -> int:
        return self.theory.channels.shape[1]

    def __len__(self) -> int:
        return len(self.question.theory)
