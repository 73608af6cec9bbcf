"""The settings of a training run, saved as train.json in its folder. Presets are in `presets`."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ibr.data.making.generator import Recipe
from ibr.model.config import ConfigError, IBRConfig, as_object, build, check_values
from ibr.training.systems import ModelConfig, config_from_json

PRECISIONS: Final = ("no", "fp16", "bf16")
_AT_LEAST_ONE: Final = (
    "theories", "window", "questions", "accumulation", "threads", "eval_every", "save_every",
    "average",
)  # fmt: skip


@dataclass(frozen=True)
class Rates:
    """AdamW, with a learning rate for each of the paper's groups (`ibr.training.optimiser`)."""

    encoder: float = 1e-3
    parent: float = 1e-3
    child: float = 1e-3
    lstm: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.98
    epsilon: float = 1e-8
    decay: float = 0.01

    def __post_init__(self) -> None:
        check_values(self, "rates.")


@dataclass(frozen=True)
class DataPart:
    """A part of the data: generated, or read from files if it has a `path`.

    `weight` is its share of the theories; all files together are read through before any theory of
    them comes again.
    """

    weight: float = 1.0
    depth: int = 3
    preset: str = "ruletaker"
    vocabulary: str = "ruletaker"
    path: str | None = None
    split: str | None = None
    mappings: str | None = None
    limit: int | None = None  # the first questions of the path
    stitched: bool = False  # new theories from the sentences of ParaRules' tsv
    paraphrased: bool = False  # generated theories in the wording of ParaRules' tsv
    deep_failures: bool = False  # more questions that fail after a long chain of rules
    theories: int | None = None  # only so many generated theories, again and again

    def __post_init__(self) -> None:
        check_values(self, "data.")
        if self.theories is not None and self.theories < 1:
            raise ConfigError(f"data theories {self.theories}: at least 1 is needed")
        if not self.weight > 0:
            raise ConfigError(f"data weight {self.weight}: give more than 0")
        is_tsv = self.path is not None and self.path.endswith(".tsv")
        if (self.stitched or self.paraphrased) and not is_tsv:
            raise ConfigError(f"data {self.path}: stitched and paraphrased need ParaRules' tsv")

    @property
    def is_endless(self) -> bool:
        return self.path is None or self.stitched or self.paraphrased

    @property
    def recipe(self) -> Recipe:
        deep = self.deep_failures
        return Recipe(self.depth, self.preset, self.vocabulary, deep_failures=deep)


@dataclass(frozen=True)
class TrainConfig:
    model: ModelConfig = field(default_factory=IBRConfig)
    start: str | None = None  # run folder or model folder of the initial weights
    data: tuple[DataPart, ...] = (DataPart(),)
    shuffle_sentences: bool = True  # another order of the sentences each time they are seen
    theories: int = 3  # in a batch
    window: int = 1  # batches whose theories are sorted by size: less padding
    questions: int = 20  # of one theory in a batch, at most
    accumulation: int = 1  # batches of a step
    steps: int | None = None  # with neither steps nor epochs: as many as max_minutes allow
    epochs: float | None = None  # of the files
    max_minutes: float | None = None
    rates: Rates = field(default_factory=Rates)
    warmup: int = 300
    clip: float = 1.0
    seed: int = 0
    device: str | None = None  # cpu, cuda, cuda:1 …; None: a GPU if there is one
    mixed_precision: str = "no"  # or fp16, bf16
    threads: int = 2
    workers: int = 1  # processes that make batches; 0: the training process itself
    dev: DataPart = field(default_factory=DataPart)
    dev_questions: int = 256
    dev_beams: int = 4
    eval_every: int = 500
    save_every: int = 250
    average: int = 1  # last checkpoints whose mean weights are tried at the end
    use_last: bool = False  # the run's model is the last one, not the best on dev

    def __post_init__(self) -> None:
        check_values(self)
        if not self.data:
            raise ConfigError("data: at least one part is needed")
        for name in _AT_LEAST_ONE:
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} {getattr(self, name)}: at least 1 is needed")
        if self.mixed_precision not in PRECISIONS:
            raise ConfigError(f"mixed_precision: give one of {', '.join(PRECISIONS)}")
        if self.steps is None and self.epochs is None and self.max_minutes is None:
            raise ConfigError("no end: give steps, epochs or max_minutes")
        if self.epochs is not None and all(part.is_endless for part in self.data):
            raise ConfigError("epochs: generated data has none; give steps or max_minutes")

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def read(cls, path: Path, **values: Any) -> TrainConfig:
        """A file of these keys, and `values` in place of its own. Raises ConfigError."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return cls.from_json(data | values if isinstance(data, dict) else data)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TrainConfig:
        """Unknown keys are errors."""
        values = dict(as_object(data, "the settings of a run"))
        if "model" in values:
            values["model"] = config_from_json(values["model"])
        if "data" in values:
            parts = values["data"]
            if not isinstance(parts, list | tuple):
                raise ConfigError(f"data: {parts!r:.60} is not a list")
            values["data"] = tuple(build(DataPart, part, "data.") for part in parts)
        for name, kind in (("rates", Rates), ("dev", DataPart)):
            if name in values:
                values[name] = build(kind, values[name], f"{name}.")
        return build(cls, values)
