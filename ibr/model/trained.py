"""A trained model as a Reasoner, by torch on any device. By onnxruntime: `ibr.decoding.runtime`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ibr.baselines.rival_reasoner import RivalReasoner
from ibr.decoding.proving import SearchingReasoner
from ibr.decoding.scoring import Array, EncodedScorer, StepArrays
from ibr.errors import UsageError
from ibr.inputs.arrays import Asked
from ibr.model.batch import Batch, reader_of
from ibr.model.ibr import IBR, Encoded, Named
from ibr.reasoner import Reasoner
from ibr.training.checkpoint import load_system
from ibr.training.systems import Model


class IBRScorer(EncodedScorer):
    """The `Scorer` of `ibr.decoding.search` over an encoded batch: numpy outside, torch inside."""

    def __init__(self, model: IBR, encoded: Encoded) -> None:
        super().__init__({name: getattr(encoded, name).cpu().numpy() for name in self.PARTS})
        self.model, self.encoded = model, encoded

    @classmethod
    def of(cls, model: IBR, batch: Batch) -> IBRScorer:
        with torch.no_grad():
            return cls(model, model.encode(batch.to(model.device)))

    def parent_logp(self, step: StepArrays) -> Array:
        return self._scored(self.model.parent_step, step)

    def child_logp(self, step: StepArrays) -> Array:
        return self._scored(self.model.child_step, step)

    @torch.inference_mode()
    def _scored(self, score: Callable[[Encoded, Named], Tensor], step: StepArrays) -> Array:
        device = self.encoded.nodes.device
        tensors = {name: torch.from_numpy(array).to(device) for name, array in step.items()}
        logp: Array = score(self.encoded, tensors).cpu().numpy()
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
