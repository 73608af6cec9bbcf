"""A batch of theories and questions as padded tensors.

The compact encoder's are `ibr.arrays` as tensors. Other encoders make their own:
`encoders.reader_of` has the reader of a config. Labels are `gold`'s.

Legend: M theories (one a question, for an encoder that mixes the two), B questions, N sentences,
E channels.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from ibr import arrays
from ibr.arrays import Asked as Asked  # as other rooms know it
from ibr.arrays import Ints, make_arrays
from ibr.model.compact_input import CompactInput, QuestionInput, TheoryInput
from ibr.model.encoding import Input


@dataclass(frozen=True)
class Gold:
    """Labels and one gold path a question (§3.6). Columns are readings, then NAF, then END."""

    answer: Tensor  # (B,) 1 is true
    strategy: Tensor  # (B,) 1 is proof
    columns: Tensor  # (B, L) the path: QUESTION, then child columns
    parent: Tensor  # (B, L) parent position of each step
    child: Tensor  # (B, L) child column of each step
    is_step: Tensor  # (B, L)


@dataclass(frozen=True)
class Hints:
    """Solver labels for the extra loss of the compact encoder."""

    fires: Tensor  # (M, E, N) depth at which the sentence holds for the channel's entity
    chain: Tensor  # (M, E, N) length of the failure chain that the rule leads; 0 if it leads none
    is_asked: Tensor  # (M, E, N) where that is asked
    roles: Tensor  # (M, T) of the words in their sentences (`ibr.model.roles`), -1 where not asked


@dataclass(frozen=True)
class Batch:
    input: Input
    is_rule: Tensor  # (M, N)
    gold: Gold | None = None
    hints: Hints | None = None
    left_out: int = 0  # examples that could not be learned from

    def to(self, device: torch.device | str) -> Batch:
        return _moved(self, device)

    def __len__(self) -> int:
        return len(self.input)


T = TypeVar("T")


def _moved(item: T, device: torch.device | str) -> T:
    changes: dict[str, Any] = {}
    for f in fields(item):  # type: ignore[arg-type]
        value = getattr(item, f.name)
        if isinstance(value, Tensor):
            changes[f.name] = value.to(device)
        elif is_dataclass(value):
            changes[f.name] = _moved(value, device)
    return replace(item, **changes)  # type: ignore[type-var]


def make_batch(
    asked: Sequence[Asked], channels: int, codes: int, rng: random.Random | None = None
) -> Batch:
    made = make_arrays(asked, channels, codes, rng)
    return Batch(
        input=CompactInput(
            TheoryInput(**_tensors(made.theory)), QuestionInput(**_tensors(made.question))
        ),
        is_rule=torch.from_numpy(made.is_rule),
    )


def _tensors(item: arrays.TheoryInput[Any] | arrays.QuestionInput[Any]) -> dict[str, Tensor]:
    return {f.name: torch.from_numpy(getattr(item, f.name)) for f in fields(item)}


def pad(rows: Sequence[Sequence[int] | Ints], width: int, fill: int = 0) -> Tensor:
    return torch.from_numpy(arrays.pad(rows, width, fill))
