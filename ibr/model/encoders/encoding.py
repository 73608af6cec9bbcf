"""What every encoder gives to the three modules.

Legend: B questions, G groups of questions that share token states (an encoder that mixes question
and theory has one group a question), T tokens, R readings, H hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from ibr.model.links import Linked


class Input(Protocol):
    """What an encoder reads: a frozen dataclass of tensors, made by the encoder's own reader."""

    @property
    def channels(self) -> int:
        """Readings of each sentence; the readings of sentence s start at s · channels."""
        ...

    def __len__(self) -> int:
        """How many questions."""
        ...


@dataclass(frozen=True)
class Encoding:
    """A *reading* is a sentence as a node: most encoders have one per sentence, the compact one
    has one per sentence and entity."""

    cls: Tensor  # (B, H) h_CLS
    question: Tensor  # (B, T', H) the question's token states
    is_token: Tensor  # (B, T') False is padding
    tokens: Tensor  # (G, T, H) the theory's token states
    spans: Tensor  # (G, R, longest) the tokens of each reading, -1 beyond the end
    sentence: Tensor  # (G, R) the sentence that is read
    is_reading: Tensor  # (G, R) False is padding
    owner: Tensor  # (B,) the group of each question
    fires: list[Tensor] = field(default_factory=list)  # hints, see `ibr.model.compact`
    chain: Tensor | None = None
    roles: Tensor | None = None  # (G, T) logits of words
    linked: Linked | None = None  # what else it knows of pairs of readings
