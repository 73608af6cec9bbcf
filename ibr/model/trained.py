"""A trained model as a Reasoner, by torch on any device. By onnxruntime: `ibr.decoding.runtime`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ibr.baselines.system import RivalReasoner
from ibr.decoding.proving import SearchingReasoner
from ibr.decoding.scoring import Array, EncodedScorer, StepArrays
from ibr.errors import UsageError
from ibr.inputs.arrays import Asked
from ibr.model.batch import Batch, reader_of
from ibr.model.child_node import Steps
from ibr.model.ibr import IBR, Encoded
from ibr.model.nodes import OpenPath, PathMemo
from ibr.reasoner import Reasoner
from ibr.training.checkpoint import load_system
from ibr.training.systems import Model


class IBRScorer(EncodedScorer):
    """The `Scorer` of `ibr.decoding.search` over an encoded batch: numpy outside, torch inside."""

    def __init__(self, model: IBR, encoded: Encoded) -> None:
        super().__init__({name: getattr(encoded, name).cpu().numpy() for name in self.PARTS})
        self.model, self.encoded = model, encoded
        self._memo = PathMemo(encoded.nodes if model.positions is None else None)
        self._open: tuple[Array, OpenPath] | None = None

    @classmethod
    def of(cls, model: IBR, batch: Batch) -> IBRScorer:
        with torch.no_grad():
            return cls(model, model.encode(batch.to(model.device)))

    @torch.inference_mode()
    def parent_logp(self, step: StepArrays) -> Array:
        return _logp(self.model.parent_logits(self._path(step)))

    @torch.inference_mode()
    def child_logp(self, step: StepArrays) -> Array:
        steps = Steps.of({name: self._tensor(step[name]) for name in Steps.NAMES})
        return _logp(self.model.child_logits(self.encoded, self._path(step), steps))

    def _path(self, step: StepArrays) -> OpenPath:
        """Those that get a parent and then a child are the same, unless the beam cuts some."""
        nodes = step["nodes"]
        if self._open is None or self._open[0] is not nodes:
            last = np.full((len(nodes), 1), nodes.shape[1] - 1)
            path = self.model.path(self.encoded, *map(self._tensor, (nodes, step["up"], last)))
            ends = range(nodes.itemsize, nodes.itemsize * (nodes.shape[1] + 1), nodes.itemsize)
            prefixes = [[whole[:end] for end in ends] for whole in map(bytes, nodes)]
            self._open = nodes, OpenPath(**vars(path), prefixes=prefixes, memo=self._memo)
        return self._open[1]

    def _tensor(self, array: Array) -> Tensor:
        return torch.from_numpy(array).to(self.encoded.nodes.device)


def _logp(logits: Tensor) -> Array:
    """Of one step (P, 1, ·) → (P, ·)."""
    logp: Array = logits[:, 0].log_softmax(-1).cpu().numpy()
    return logp


class ModelReasoner(SearchingReasoner):
    """Takes any encoder; `options` are those of `SearchingReasoner`."""

    def __init__(self, model: IBR, name: str = "ibr", **options: Any) -> None:
        super().__init__(name, config=model.config, words=model.words, **options)
        self.model = model.eval()
        self._read = reader_of(model.config, model.words)

    def scorer(self, asked: Sequence[Asked]) -> IBRScorer:
        return IBRScorer.of(self.model, self._read(asked))


def device_named(name: str) -> torch.device:
    """Raises UsageError if torch has no such device here."""
    try:
        return torch.zeros((), device=name).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        why = str(error).splitlines()[0]
        raise UsageError(f"device {name!r}: {why}; give cpu, cuda, cuda:1, mps …") from None


def load_reasoner(folder: str, device: str = "cpu", **options: Any) -> Reasoner:
    """The model of a folder, on a device. Raises ModelUnusable, UsageError.

    `options` are those of `ModelReasoner`; a rival system has none.
    """
    model = load_system(Path(folder)).to(device_named(device))
    return reasoner_of(model, Path(folder).name, **options)


def reasoner_of(model: Model, name: str = "ibr", **options: Any) -> Reasoner:
    if isinstance(model, IBR):
        return ModelReasoner(model, name, **options)
    given = [key for key in ("trace", "wrap") if options.get(key)]
    if given:
        raise UsageError(f"{', '.join(given)}: only IBR has that, not {model.name!r}")
    return RivalReasoner(model, name)
