"""What encoders read and what they give to the three modules.

Legend: B questions, G groups of questions that share token states (an encoder that mixes question
and theory has one group per question), M theories, T tokens, R readings, H hidden.
"""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from torch import Tensor

from ibr.inputs import arrays

TheoryInput: TypeAlias = arrays.TheoryInput[Tensor]
QuestionInput: TypeAlias = arrays.QuestionInput[Tensor]


class Input(Protocol):
    """What an encoder reads: a frozen dataclass of tensors, made by the encoder's own reader."""

    @property
    def channels(self) -> int:
        """Readings of each sentence; the readings of sentence s start at s · channels."""

    def __len__(self) -> int:
        """How many questions."""


@dataclass(frozen=True)
class CompactInput:
    """The `Input` of the compact encoder."""

    theory: TheoryInput
    question: QuestionInput

    @property
    def channels(self) -> int:
        return self.theory.channels.shape[1]

    def __len__(self) -> int:
        return len(self.question.theory)


@dataclass(frozen=True)
class Linked:
    """Scores of pairs of readings, added to the logits of children (`encoders.links`)."""

    below: Tensor  # (M, R, R) of a reading under a parent reading
    beside: Tensor  # (M, R, R) of a reading beside a sibling that the parent has already
    asked: Tensor  # (B, R) of a reading under the question


@dataclass(frozen=True)
class HintLogits:
    """What the compact encoder learns from the solver's labels (`ibr.model.batch.Hints`)."""

    fires: list[Tensor]  # (M, E, N) after each turn: the sentence holds of the channel's entity
    chain: Tensor  # (M, E, N, longest) the rule leads a failure chain of length 1, 2, …
    roles: Tensor | None  # (M, T, roles) of the words


@dataclass(frozen=True)
class Encoding:
    """A *reading* is a sentence as a node: most encoders have one per sentence, the compact one
    has one per sentence and entity."""

    cls: Tensor  # (B, H) h_CLS
    question: Tensor  # (B, T', H) the question's token states
    is_token: Tensor  # (B, T') False is padding
    tokens: Tensor  # (G, T, H) the theory's token states
    spans: Tensor  # (G, R, longest) the tokens of each reading, -1 beyond the end
    sentence: Tensor  # (G, R) the sentence of each reading
    is_reading: Tensor  # (G, R) False is padding
    owner: Tensor  # (B,) the group of each question
    hinted: HintLogits | None = None
    linked: Linked | None = None
