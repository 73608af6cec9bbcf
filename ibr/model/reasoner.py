"""A trained model as a Reasoner, by torch. The same by onnxruntime is `ibr.runtime`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ibr.arrays import Asked
from ibr.checkpoint import from_pretrained
from ibr.model.encoders import reader_of
from ibr.model.ibr import IBR, IBRScorer
from ibr.proving import SearchingReasoner, Wrap
from ibr.proving import Traced as Traced  # as other rooms know them
from ibr.proving import with_kinds as with_kinds


class ModelReasoner(SearchingReasoner):
    """Takes any encoder; `wrap` as in `SearchingReasoner`."""

    def __init__(
        self,
        model: IBR,
        name: str = "ibr",
        beams: int = 8,
        questions: int = 64,
        trace: bool = False,
        wrap: Wrap | None = None,
    ) -> None:
        fitted = model.config.temperature, model.config.patience
        super().__init__(name, beams, questions, trace, wrap, *fitted)
        self.model = model.eval()
        self._read = reader_of(model.config)
        self.says_again = model.config.compact is not None  # the others know many words

    def scorer(self, asked: Sequence[Asked]) -> IBRScorer:
        return self.model.scorer(self._read(asked))


def load_reasoner(
    folder: str, beams: int = 8, trace: bool = False, wrap: Wrap | None = None
) -> ModelReasoner:
    """The model of a run folder. Raises CheckpointError."""
    model = from_pretrained(Path(folder))
    return ModelReasoner(model, Path(folder).name, beams, trace=trace, wrap=wrap)
