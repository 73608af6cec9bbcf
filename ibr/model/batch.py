"""A batch of theories and questions as padded tensors, and the reader that makes it from text.

Labels are made by `ibr.training.labels`.

Legend: M theories (one per question, for an encoder that mixes the two), B questions, N sentences,
E channels, L steps.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import torch
from torch import Tensor

from ibr.inputs import arrays
from ibr.inputs.arrays import Asked, Ints, make_arrays
from ibr.inputs.model_words import KnownWords, ModelWords
from ibr.inputs.tokens import TheoryTokens
from ibr.model.config import EncoderConfig
from ibr.model.encoders.encoding import CompactInput, Input, QuestionInput, TheoryInput

T = TypeVar("T")
NO_LABEL: Final = -1


@dataclass(frozen=True)
class Gold:
    """Labels and one gold path per question (§3.6). Columns are readings, then NAF, then END."""

    answer: Tensor  # (B,) 1 is true
    strategy: Tensor  # (B,) 1 is proof; NO_LABEL without a gold proof
    columns: Tensor  # (B, L) the path: QUESTION, then child columns
    parent: Tensor  # (B, L) parent position of each step
    child: Tensor  # (B, L) child column of each step
    is_step: Tensor  # (B, L)


@dataclass(frozen=True)
class Hints:
    """Solver labels for the extra loss of the compact encoder."""

    fires: Tensor  # (M, E, N) depth at which the sentence holds for the channel's entity
    chain: Tensor  # (M, E, N) length of the failure chain that the rule leads; 0 if it leads none
    is_asked: Tensor  # (M, E, N) where these are labels
    roles: Tensor  # (M, T) of the words (`encoders.layers.WordRole`), -1 without a label


@dataclass(frozen=True)
class Batch:
    input: Input
    is_rule: Tensor  # (M, N)
    gold: Gold | None = None
    hints: Hints | None = None
    tokens: Sequence[TheoryTokens] = ()  # of each theory, for the labels
    left_out: int = 0  # examples that could not be learned from

    def to(self, device: torch.device | str) -> Batch:
        return moved(self, device)

    def __len__(self) -> int:
        return len(self.input)

    @property
    def hint_counts(self) -> tuple[float, float]:
        """Readings and words that have hints."""
        if self.hints is None:
            return 0.0, 0.0
        return float(self.hints.is_asked.sum()), float((self.hints.roles >= 0).sum())


def moved(item: T, device: torch.device | str) -> T:
    """The dataclass with its tensors, and those of dataclasses in it, on the device."""
    changes: dict[str, Any] = {}
    for f in fields(item):  # type: ignore[arg-type]
        value = getattr(item, f.name)
        if isinstance(value, Tensor):
            changes[f.name] = value.to(device)
        elif is_dataclass(value):
            changes[f.name] = moved(value, device)
    return replace(item, **changes)  # type: ignore[type-var]


class BatchReader(Protocol):
    """Text → tensors, without the model: data workers read too."""

    def __call__(self, asked: Sequence[Asked], *, rng: random.Random | None = None) -> Batch: ...


def reader_of(config: EncoderConfig, words: ModelWords) -> BatchReader:
    """The reader for the encoder of a config."""
    if config.pretrained is not None:
        from ibr.model.encoders.pretrained import PretrainedReader

        return PretrainedReader(config.pretrained)
    assert config.compact is not None
    channels, codes = config.compact.channels, config.compact.codes
    return partial(make_batch, known=words.known, channels=channels, codes=codes)


def make_batch(
    asked: Sequence[Asked],
    known: KnownWords,
    channels: int,
    codes: int,
    rng: random.Random | None = None,
) -> Batch:
    """For the compact encoder."""
    made = make_arrays(asked, known, channels, codes, rng)
    theory, question = (
        {name: torch.from_numpy(array) for name, array in vars(part).items()}
        for part in (made.theory, made.question)
    )
    read = CompactInput(TheoryInput(**theory), QuestionInput(**question))
    return Batch(read, torch.from_numpy(made.is_rule), tokens=made.tokens)


def pad(rows: Sequence[Sequence[int] | Ints], width: int, fill: int = 0) -> Tensor:
    return torch.from_numpy(arrays.pad(rows, width, fill))
