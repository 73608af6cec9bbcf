"""Which system a config describes, IBR or a rival (`ibr.baselines`), and how each is trained."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ibr.baselines.system import SYSTEMS, Baseline, SystemBatch, SystemConfig, system_class
from ibr.decoding.manifest import CONFIG
from ibr.inputs.model_words import ModelWords, read_json
from ibr.model.batch import Batch, reader_of
from ibr.model.config import ConfigError, IBRConfig, as_object
from ibr.model.ibr import IBR
from ibr.training.labels import Groups, asked_of, with_gold

ModelConfig = IBRConfig | SystemConfig
Model = IBR | Baseline
LabelledBatch = Batch | SystemBatch
Labeller = Callable[[Groups, random.Random], Any]
IBR_NAME: Final = "ibr"
_POSITIONS: Final = 64  # a call of a text generator is longer than a sentence


def config_from_json(data: dict[str, Any]) -> ModelConfig:
    """Raises ConfigError."""
    as_object(data, "model")
    return (SystemConfig if "system" in data else IBRConfig).from_json(data)


def with_system(config: ModelConfig, name: str) -> ModelConfig:
    """The config of another system with the same encoder. Raises ConfigError."""
    if name == IBR_NAME:
        return config
    if name not in SYSTEMS:
        raise ConfigError(f"system {name!r}: use {', '.join([IBR_NAME, *SYSTEMS])}")
    compact = config.compact
    if compact is not None:
        known = system_class(name).new_words().known
        positions = max(compact.positions, _POSITIONS)
        compact = replace(compact, words=len(known.words), positions=positions)
    kept = ("pretrained", "hidden", "dropout", "hint_weight")
    values: dict[str, Any] = {key: getattr(config, key) for key in kept}
    return SystemConfig(system=name, compact=compact, **values)


def new_model(config: ModelConfig, words: ModelWords | None = None) -> Model:
    if isinstance(config, SystemConfig):
        return system_class(config.system)(config, words=words)
    return IBR(config, words=words)


def read_model(folder: Path) -> Model:
    """The model of a model folder. Raises ModelUnusable."""
    system = read_json(folder / CONFIG).get("system")
    return system_class(system).read(folder) if system in [*SYSTEMS] else IBR.read(folder)


def labeller_of(config: ModelConfig, words: ModelWords) -> Labeller:
    """Makes labelled batches of examples, without the model. Raises ValueError."""
    if isinstance(config, SystemConfig):
        return system_class(config.system).labeller(config, words)
    reader = reader_of(config, words)
    return lambda groups, rng: with_gold(reader(asked_of(groups), rng=rng), groups, rng)
