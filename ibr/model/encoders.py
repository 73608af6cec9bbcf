"""The door to the encoders: the one that a config names, and the reader that makes its batches.

Only the one that is asked for is loaded: `transformers` is not, for the compact encoder.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from torch import nn

from ibr.model.batch import Asked, Batch, make_batch
from ibr.model.compact import CompactEncoder
from ibr.model.config import IBRConfig


class Reader(Protocol):
    """Text → tensors, without the model: data workers read too."""

    def __call__(self, asked: Sequence[Asked], *, rng: random.Random | None = None) -> Batch: ...


def encoder_of(config: IBRConfig, weights: bool = True) -> nn.Module:
    """A module: `Input` → `Encoding`. Without `weights` a pretrained one is random."""
    if config.pretrained is not None:
        from ibr.model.pretrained import PretrainedEncoder

        return PretrainedEncoder(config.pretrained, config.hidden, weights)
    assert config.compact is not None
    return CompactEncoder(config.compact, config.hidden)


def reader_of(config: IBRConfig) -> Reader:
    if config.pretrained is not None:
        from ibr.model.pretrained import PretrainedReader

        return PretrainedReader(config.pretrained)
    assert config.compact is not None
    return partial(make_batch, channels=config.compact.channels, codes=config.compact.codes)
