"""What an IBR model is made of, as data: saved as config.json beside the weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, TypeVar


class ConfigError(ValueError):
    """A config that no model can have; the message names the field."""


@dataclass(frozen=True)
class CompactConfig:
    """The relational encoder that learns from scratch on a CPU (`ibr.model.compact`)."""

    width: int = 128  # of every state
    local_layers: int = 2  # layers that see one sentence at a time
    theory_turns: int = 7  # turns of the tied block over the theory: rounds of chaining
    extra_turns: int = 0  # at most so many more, drawn for every batch in training
    question_turns: int = 2  # turns in which the question looks into the theory
    heads: int = 4
    words: int = 187  # known ones: the first so many of `ibr.tokens.WORDS`
    codes: int = 128  # vectors that symbols draw from; more symbols than that share some
    positions: int = 24  # places in a sentence; later ones share the last
    channels: int = 10  # entities that are told apart at most
    word_roles: bool = False  # what words do in their sentence is found first (`ibr.model.roles`)
    longest: int = 6  # chains of failing rules that are told apart, in training
    ranks: int = 0  # places in the author's order that links know; later ones share the last
    whom: bool = False  # words know whether their sentence names the channel's entity
    link_roles: int = 16  # numbers that a symbol leaves for `ibr.model.links`; 0: no links


@dataclass(frozen=True)
class PretrainedConfig:
    """Any Hugging Face encoder, by name or folder (`ibr.model.pretrained`)."""

    name: str = "roberta-large"
    drop_stop_words: bool = True  # the paper shortens its input so; on word boundaries here


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
    alpha: float = 0.3  # weight of the strategy loss
    answer_loss: bool = True  # False: "w/o QA"
    node_lstm: bool = True  # False: "w/o node LSTM", mean pooling
    focus_lstm: bool = True  # False: "w/o focus LSTM"
    count_children: bool = True  # nodes of a path know how many children they have
    path_positions: int = 0  # learned position embeddings on the path; 0: none
    hint_weight: float = 1.0  # solver hints for the compact encoder; 0 turns them off
    temperature: float = 1.0  # divides the answer's logit: fitted on held-out questions
    patience: float = 0.0  # what a step of a failure adds to its score in the choice: fitted, too

    def __post_init__(self) -> None:
        if (self.compact is None) == (self.pretrained is None):
            raise ConfigError("give exactly one encoder: `compact` or `pretrained`")
        if not self.temperature > 0:
            raise ConfigError(f"temperature {self.temperature}: give more than 0")
        if self.hidden % self.focus_heads:
            raise ConfigError(
                f"hidden {self.hidden} is not a multiple of focus_heads {self.focus_heads}"
            )

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> IBRConfig:
        """Unknown keys are errors: a typo must not become a default."""
        values = dict(data)
        nested = {"compact": CompactConfig, "pretrained": PretrainedConfig}
        for name, kind in nested.items():
            if values.get(name) is not None:
                values[name] = build(kind, values[name], f"{name}.")
        return build(cls, values)


T = TypeVar("T")


def build(kind: type[T], values: dict[str, Any], prefix: str = "") -> T:
    """`kind(**values)` with unknown keys named."""
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        names = ", ".join(prefix + key for key in unknown)
        raise ConfigError(f"unknown config key {names}; known: {', '.join(sorted(known))}")
    return kind(**values)
