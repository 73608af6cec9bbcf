"""A trained model as a Reasoner, by torch on any device. By onnxruntime: `ibr.decoding.runtime`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ibr.baselines.rival_reasoner import RivalReasoner
from ibr.decoding.proving import SearchingReasoner, Wrap
from ibr.decoding.scoring import Array, EncodedScorer, LevelPaths, PathsByTheory
from ibr.decoding.search import Bools, Ints
from ibr.errors import UsageError
from ibr.inputs.arrays import Asked
from ibr.model.batch import Batch, reader_of
from ibr.model.child_node import Steps
from ibr.model.ibr import IBR, Encoded
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

    @torch.inference_mode()
    def parent_logp(self, level: LevelPaths) -> Array:
        nodes, up = map(self._tensor, (level.nodes, level.up))
        logp: Array = self.model.parent_step(self.encoded, nodes, up).cpu().numpy()
        return logp

    @torch.inference_mode()
    def child_logp(
        self, level: LevelPaths, parent: Ints, fails: Bools, layout: PathsByTheory[Ints]
    ) -> Array:
        by_theory = PathsByTheory(*map(self._tensor, vars(layout).values()))
        parts = map(self._tensor, (level.nodes, level.up, parent, level.question, fails))
        nodes, up, at, question, failing = parts
        steps = Steps(at.unsqueeze(1), question, failing, by_theory)
        logp: Array = self.model.child_step(self.encoded, nodes, up, steps).cpu().numpy()
        return logp

    def _tensor(self, array: Array) -> Tensor:
        return torch.from_numpy(array).to(self.encoded.nodes.device)


class ModelReasoner(SearchingReasoner):
    """Takes any encoder; `wrap` as in `SearchingReasoner`."""

    def __init__(
        self,
        model: IBR,
        name: str = "ibr",
        beams: int = 8,
        trace: bool = False,
        wrap: Wrap | None = None,
    ) -> None:
        super().__init__(name, beams, trace, wrap)
        self.temperature = model.config.temperature
        self.fail_length_bonus = model.config.fail_length_bonus
        self.model = model.eval()
        self.words = model.words
        self._read = reader_of(model.config, model.words)
        self.normalises = model.config.compact is not None  # the others know many words

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
    """The model of a folder, on a device. Raises CheckpointError, UsageError.

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
