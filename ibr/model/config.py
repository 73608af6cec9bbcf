"""What an IBR model is made of, as data: saved as config.json beside the weights."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from ibr.errors import InputError, ModelUnusable
from ibr.inputs.model_words import read_json

T = TypeVar("T")
_OTHER_VERSION: Final = "a folder of another version of this package must be made again"


class ConfigError(InputError):
    """A config that no model can have; the message names the field."""


def within(default: T, least: float, most: float) -> T:
    """A field with bounds: what is outside is damage, not a model."""
    made: T = field(default=default, metadata={"bounds": (least, most)})
    return made


@dataclass(frozen=True)
class CompactConfig:
    """The relational encoder that learns from scratch on a CPU (`ibr.model.encoders.compact`)."""

    width: int = within(128, 1, 8_192)  # of every state
    local_layers: int = within(2, 1, 64)  # layers that see one sentence at a time
    theory_turns: int = within(7, 1, 1_000)  # of the tied block: rounds of chaining
    extra_turns: int = within(0, 0, 1_000)  # at most so many more, drawn for a batch in training
    question_turns: int = within(2, 0, 1_000)  # in which the question attends to the theory
    heads: int = within(4, 1, 256)
    words: int = within(187, 3, 1_000_000)  # known ones: the first ids of `vocabulary.json`
    codes: int = within(128, 1, 1_000_000)  # vectors of symbols; more symbols share some
    positions: int = within(24, 1, 100_000)  # places in a sentence; later ones share the last
    channels: int = within(10, 1, 1_000)  # the most entities that have a channel of their own
    word_roles: bool = False  # predict the roles of words first (`encoders.layers.Roles`)
    longest: int = within(6, 1, 1_000)  # the longest chain of failing rules among the hints
    ranks: int = within(0, 0, 10_000)  # of rules in the text, for links; later ones share the last
    entity_mention: bool = False  # embed whether a sentence names the channel's entity
    link_roles: int = within(16, 0, 1_024)  # numbers per mark of `encoders.links`; 0: no links

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


@dataclass(frozen=True)
class EncoderConfig:
    """The encoder of a model, exactly one of the two. The configs of all systems begin so."""

    compact: CompactConfig | None = field(default_factory=CompactConfig)
    pretrained: PretrainedConfig | None = None
    hidden: int = within(128, 1, 16_384)  # vectors of nodes and paths (paper: 1024)

    def __post_init__(self) -> None:
        if (self.compact is None) == (self.pretrained is None):
            raise ConfigError("give exactly one encoder: `compact` or `pretrained`")
        check_values(self)

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Unknown keys are errors: a typo must not become a default."""
        values = dict(data)
        if values.get("pretrained") is not None:
            values.setdefault("compact", None)
        for name, encoder in (("compact", CompactConfig), ("pretrained", PretrainedConfig)):
            if values.get(name) is not None:
                values[name] = build(encoder, values[name], f"{name}.")
        return build(cls, values)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises ModelUnusable."""
        try:
            return cls.from_json(read_json(path))
        except (ConfigError, TypeError) as error:
            raise ModelUnusable(path, f"{error}; {_OTHER_VERSION}") from None


@dataclass(frozen=True)
class IBRConfig(EncoderConfig):
    """The paper's three modules. Each switch below is one of its ablations or stated choices."""

    focus_lstm_hidden: int = within(64, 1, 16_384)  # path LSTM of Eq. 2 (paper: 256)
    focus_layers: int = within(2, 0, 64)  # of Trans in Eq. 2
    focus_heads: int = within(4, 1, 256)  # (paper's code: 8)
    dropout: float = within(0.0, 0, 0.99)
    alpha: float = within(0.3, 0, 1_000)  # weight of the strategy loss, from the released code
    answer_loss: bool = True  # False: "w/o QA"
    node_lstm: bool = True  # False: "w/o node LSTM", mean pooling
    focus_lstm: bool = True  # False: "w/o focus LSTM"
    count_children: bool = True  # a bias by number of children (`ibr.model.step_bias`)
    path_positions: int = within(0, 0, 100_000)  # position embeddings on the path; 0: none
    hint_weight: float = within(1.0, 0, 1_000)  # solver hints for the compact encoder; 0: none
    temperature: float = within(1.0, 0, 1e6)  # divides the answer's logit: fitted, held out
    fail_length_bonus: float = within(0.0, -1e6, 1e6)  # of each step of a fail-proof: fitted, too

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.temperature > 0:
            raise ConfigError(f"temperature {self.temperature}: give more than 0")
        if self.hidden % self.focus_heads:
            raise ConfigError(
                f"hidden {self.hidden} is not a multiple of focus_heads {self.focus_heads}"
            )

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
            raise misfit(weights, f"{name} is {found[name]}, not {shape}")


def misfit(weights: Path, why: str) -> ModelUnusable:
    return ModelUnusable(weights, f"its weights do not fit config.json: {why}; {_OTHER_VERSION}")


def check_values(config: Any, prefix: str = "") -> None:
    """Raise ConfigError for a value of the wrong type or out of its bounds."""
    for each in dataclasses.fields(config):
        value, kinds = getattr(config, each.name), str(each.type).split(" | ")
        if kinds[0] not in ("bool", "int", "float", "str"):
            continue  # an encoder, or none
        found = "None" if value is None else type(value).__name__
        if found not in kinds and (found, kinds[0]) != ("int", "float"):
            raise ConfigError(f"{prefix}{each.name}: {value!r:.60} is not of type {kinds[0]}")
        if value is None:
            continue
        least, most = each.metadata.get("bounds", (value, value))
        if not least <= value <= most:
            raise ConfigError(f"{prefix}{each.name}: {value!r:.60} is not in {least:g} to {most:g}")


def as_object(value: Any, name: str) -> dict[str, Any]:
    """The value. Raises ConfigError if it is no JSON object."""
    if not isinstance(value, dict):
        raise ConfigError(f"{name}: {value!r:.60} is not an object")
    return value


def build(kind: type[T], values: dict[str, Any], prefix: str = "") -> T:
    """`kind(**values)` with unknown keys named."""
    as_object(values, prefix.rstrip("."))
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        names = ", ".join(prefix + key for key in unknown)
        raise ConfigError(f"unknown config key {names}; known: {', '.join(sorted(known))}")
    return kind(**values)
