"""What an IBR model is made of, as data: saved as config.json beside the weights."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from ibr.errors import InputError, ModelUnusable
from ibr.inputs.model_words import read_json

T = TypeVar("T")
# The least and the most that a number of a config can be: more is damage, not a model.
_BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "width": (1, 8_192),
    "local_layers": (1, 64),
    "theory_turns": (1, 1_000),
    "extra_turns": (0, 1_000),
    "question_turns": (0, 1_000),
    "heads": (1, 256),
    "words": (3, 1_000_000),
    "codes": (1, 1_000_000),
    "positions": (1, 100_000),
    "channels": (1, 1_000),
    "longest": (1, 1_000),
    "ranks": (0, 10_000),
    "link_roles": (0, 1_024),
    "hidden": (1, 16_384),
    "focus_lstm_hidden": (1, 16_384),
    "focus_layers": (0, 64),
    "focus_heads": (1, 256),
    "path_positions": (0, 100_000),
    "dropout": (0, 0.99),
    "alpha": (0, 1_000),
    "hint_weight": (0, 1_000),
    "temperature": (0, 1000000.0),
    "fail_length_bonus": (-1000000.0, 1000000.0),
}


class ConfigError(InputError):
    """A config that no model can have; the message names the field."""


@dataclass(frozen=True)
class CompactConfig:
    """The relational encoder that learns from scratch on a CPU (`ibr.model.encoders.compact`)."""

    width: int = 128  # of every state
    local_layers: int = 2  # layers that see one sentence at a time
    theory_turns: int = 7  # turns of the tied block over the theory: rounds of chaining
    extra_turns: int = 0  # at most so many more, drawn for every batch in training
    question_turns: int = 2  # turns in which the question attends to the theory
    heads: int = 4
    words: int = 187  # known ones: the first ids of `vocabulary.json`
    codes: int = 128  # vectors that symbols draw from; more symbols than that share some
    positions: int = 24  # places in a sentence; later ones share the last
    channels: int = 10  # the most entities that have a channel of their own
    word_roles: bool = False  # predict the roles of words first (`encoders.layers.Roles`)
    longest: int = 6  # the longest chain of failing rules among the hints
    ranks: int = 0  # ranks of rules in the text that links use; later ones share the last
    entity_mention: bool = False  # embed whether a sentence names the channel's entity
    link_roles: int = 16  # numbers per mark of `ibr.model.encoders.links`; 0: no links

    def __post_init__(self) -> None:
        check_values(self, "compact.")
        if self.width % self.heads:
            raise ConfigError(f"compact.width {self.width} is not a multiple of heads {self.heads}")


@dataclass(frozen=True)
class PretrainedConfig:
    """Any Hugging Face encoder, by name or folder (`ibr.model.encoders.pretrained`)."""

    name: str = "roberta-large"
    drop_stop_words: bool = True  # the paper shortens its input so; on word boundaries here

    def __post_init__(self) -> None:
        check_values(self, "pretrained.")


class EncoderConfig(Protocol):
    """The part of a model's config that is about its encoder; exactly one of the two is given."""

    @property
    def compact(self) -> CompactConfig | None: ...

    @property
    def pretrained(self) -> PretrainedConfig | None: ...

    @property
    def hidden(self) -> int: ...


@dataclass(frozen=True)
class IBRConfig:
    """The paper's three modules. Each switch below is one of its ablations or stated choices."""

    compact: CompactConfig | None = field(default_factory=CompactConfig)
    pretrained: PretrainedConfig | None = None
    hidden: int = 128  # node and path vectors (paper: 1024)
    focus_lstm_hidden: int = 64  # path LSTM beside the transformer of Eq. 2 (paper: 256)
    focus_layers: int = 2
    focus_heads: int = 4  # (paper's code: 8)
    dropout: float = 0.0
    alpha: float = 0.3  # weight of the strategy loss, from the released code
    answer_loss: bool = True  # False: "w/o QA"
    node_lstm: bool = True  # False: "w/o node LSTM", mean pooling
    focus_lstm: bool = True  # False: "w/o focus LSTM"
    count_children: bool = True  # a bias by number of children (`ibr.model.step_bias`)
    path_positions: int = 0  # learned position embeddings on the path; 0: none
    hint_weight: float = 1.0  # solver hints for the compact encoder; 0 turns them off
    temperature: float = 1.0  # divides the answer's logit: fitted on held-out questions
    fail_length_bonus: float = 0.0  # added per step to the score of a fail-proof: fitted, too

    def __post_init__(self) -> None:
        if (self.compact is None) == (self.pretrained is None):
            raise ConfigError("give exactly one encoder: `compact` or `pretrained`")
        check_values(self)
        if not self.temperature > 0:
            raise ConfigError(f"temperature {self.temperature}: give more than 0")
        if self.hidden % self.focus_heads:
            raise ConfigError(
                f"hidden {self.hidden} is not a multiple of focus_heads {self.focus_heads}"
            )

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The weights whose sizes follow from a number of the config alone."""
        found: dict[str, tuple[int, ...]] = {"end": (self.hidden,)}
        if self.path_positions:
            found["positions.weight"] = self.path_positions, self.hidden
        if self.focus_lstm:
            lstm = self.focus_lstm_hidden
            found["child_node.focus_lstm.weight_hh_l0"] = 4 * lstm, lstm
        if self.compact:
            own, local = self.compact, "encoder.local"
            found[f"{local}.word.weight"] = own.words, own.width
            found[f"{local}.code.weight"] = own.codes + 1, own.width
            found[f"{local}.position.weight"] = own.positions, own.width
            found["encoder.chain.weight"] = own.longest, own.width
        return found

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> IBRConfig:
        """Unknown keys are errors: a typo must not become a default."""
        return build_with_encoder(cls, data)


def read_config(path: Path, from_json: Callable[[dict[str, Any]], T]) -> T:
    """Raises ModelUnusable."""
    try:
        return from_json(read_json(path))
    except (ConfigError, TypeError) as error:
        why = f"{error}; a folder of another version of this package must be made again"
        raise ModelUnusable(path, why) from None


def build_with_encoder(kind: type[T], data: dict[str, Any]) -> T:
    """`build` for a config that has an encoder's in it."""
    values = dict(data)
    for name, encoder in (("compact", CompactConfig), ("pretrained", PretrainedConfig)):
        if values.get(name) is not None:
            values[name] = build(encoder, values[name], f"{name}.")
    return build(kind, values)


def check_sizes(config: IBRConfig, weights: Path) -> None:
    """Raise ModelUnusable unless the weights have the sizes of the config. Loads no weights."""
    try:
        with weights.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            if size > weights.stat().st_size:
                raise ValueError("its header is longer than the file")
            header = json.loads(stream.read(size))
        found = {name: tuple(header.get(name, {}).get("shape", ())) for name in config.shapes()}
    except OSError as error:
        raise ModelUnusable(weights, f"cannot be read: {error.strerror}") from None
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ModelUnusable(weights, f"damaged, or no safetensors file: {error}") from None
    for name, shape in config.shapes().items():
        if found[name] != shape:
            why = f"its weights do not fit config.json: {name} is {found[name]}, not {shape}"
            old = "a folder of another version of this package must be made again"
            raise ModelUnusable(weights, f"{why}; {old}")


def check_values(config: Any, prefix: str = "") -> None:
    """Raise ConfigError for a value of the wrong type or out of its bounds."""
    for each in dataclasses.fields(config):
        value, kind = getattr(config, each.name), type(each.default)
        if kind is float and type(value) is int:
            kind = int
        if kind not in (bool, int, float, str):
            continue  # an encoder, or none
        if type(value) is not kind:
            expected = type(each.default).__name__
            raise ConfigError(f"{prefix}{each.name}: {value!r:.60} is not of type {expected}")
        least, most = _BOUNDS.get(each.name, (value, value))
        if not least <= value <= most:
            raise ConfigError(f"{prefix}{each.name}: {value!r:.60} is not in {least:g} to {most:g}")


def build(kind: type[T], values: dict[str, Any], prefix: str = "") -> T:
    """`kind(**values)` with unknown keys named."""
    if not isinstance(values, dict):
        raise ConfigError(f"{prefix.rstrip('.')}: {values!r:.60} is not an object")
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        names = ", ".join(prefix + key for key in unknown)
        raise ConfigError(f"unknown config key {names}; known: {', '.join(sorted(known))}")
    return kind(**values)
