"""The common face of the rival systems: config, meter, labelled batches, loss, answers.

A system is a module that reads theories through an encoder of `ibr.model.encoders` (the same as
IBR's), learns from the same examples, and answers as any `Reasoner` does. Which systems there are
is `SYSTEMS`; each is loaded when it is asked for.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from types import SimpleNamespace
from typing import Any, ClassVar, Final, NamedTuple, Self

import torch
from torch import Tensor

from ibr.errors import InputError
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import ModelWords, default_words
from ibr.inputs.normalise import NormalisedTheory, prepare
from ibr.logic.reading import ReadError
from ibr.model.batch import Batch, moved
from ibr.model.config import ConfigError, EncoderConfig, within
from ibr.model.encoders.encoding import Encoding
from ibr.model.loss import hint_losses
from ibr.model.model_folder import HubModel
from ibr.prediction import Prediction, Source
from ibr.proof import NAF, Graph
from ibr.reasoner import Unanswerable
from ibr.theory import Problem, Question, Strategy
from ibr.training.labels import Groups

SYSTEMS: Final = {
    "ruletaker": ("ibr.baselines.ruletaker_qa", "RuleTaker"),
    "prover": ("ibr.baselines.prover_ilp", "ProverIlp"),
    "probr": ("ibr.baselines.probr", "Probr"),
    "evr": ("ibr.baselines.evr", "Evr"),
    "proofwriter": ("ibr.baselines.proofwriter", "ProofWriterAll"),
    "proofwriter-iter": ("ibr.baselines.proofwriter", "ProofWriterIter"),
    "nlprolog": ("ibr.baselines.nlprolog", "NLProlog"),
}
_CHOICES: Final = {
    "system": tuple(SYSTEMS),
    "connect": ("kruskal", "ilp"),
    "conditional": ("exact", "summed"),
    "mask": ("input", "gold"),
}


@dataclass(frozen=True)
class SystemConfig(EncoderConfig):
    """One rival, saved as config.json beside its weights. Keys of other systems change nothing."""

    system: str = field(kw_only=True)
    dropout: float = within(0.0, 0, 0.99)
    attention_heads: int = within(4, 1, 256)  # of the layers beside the encoder
    hint_weight: float = within(
        1.0, 0, 1_000
    )  # solver hints for the compact encoder; 0 turns them off
    mix_layers: int = within(
        2, 0, 64
    )  # prover, probr: see `GraphHeads`; 0 for an encoder that reads both texts
    mix_turns: int = within(3, 0, 1_000)  # of these layers: each carries a proof two steps down
    connect: str = "kruskal"  # prover, probr: or "ilp", as published
    conditional: str = "exact"  # probr: or "summed", as released
    mask: str = "input"  # probr: or "gold", the leak of the released code; only for tests
    pseudo_likelihood: bool = False  # probr: learn p(v|·) and p(e|·), too
    decoder_layers: int = within(2, 1, 64)  # evr, proofwriter
    max_output: int = within(160, 1, 100_000)  # evr, proofwriter: tokens
    fact_buffer: int = within(5, 1, 1_000)  # evr: sentences in a buffer
    rule_buffer: int = within(3, 1, 1_000)
    max_calls: int = within(2_000, 0, 1_000_000)  # evr: of one question
    share_modules: bool = False  # evr: one network for all three modules ("EVR2")
    pairs: int = within(
        4, 1, 10_000
    )  # evr: for training, of each question; proofwriter-iter: theory
    fail_chain: bool = False  # proofwriter: write the chain of a failure instead of "none"
    threshold: float = within(0.5, -1, 1)  # nlprolog: names that are less similar do not unify
    accept: float = within(0.7, -1, 1)  # nlprolog: a proof that scores less shows nothing
    depth: int = within(6, 1, 64)  # nlprolog: of the search

    def __post_init__(self) -> None:
        super().__post_init__()
        for key, known in _CHOICES.items():
            if getattr(self, key) not in known:
                raise ConfigError(f"{key} {getattr(self, key)!r}: use {' or '.join(known)}")
        if self.hidden % self.attention_heads:
            heads = self.attention_heads
            raise ConfigError(f"hidden {self.hidden} is not a multiple of attention_heads {heads}")


@dataclass
class Meter:
    """The work of a system since `reset`: seconds are explained by these counts."""

    encoder_calls: int = 0
    encoder_tokens: int = 0
    encoder_pairs: int = 0  # tokens that attend to one another
    node_tokens: int = 0  # of all readings, each padded to the longest: a node vector reads them
    decoder_steps: int = 0
    light_steps: int = 0  # IBR's parent and child steps
    path_positions: int = 0  # of the paths at these steps
    pairs: int = 0  # edges that were scored
    solver_calls: int = 0
    solver_seconds: float = 0.0
    solver_cpu: float = 0.0  # the same by the time of the process
    search_nodes: int = 0

    def reset(self) -> None:
        for f in fields(self):
            setattr(self, f.name, f.default)

    def count(self, encoding: Encoding) -> None:
        """A call of the encoder for each group that it reads by itself."""
        self.encoder_calls += encoding.tokens.shape[0]
        self.encoder_tokens += int(encoding.is_token.sum()) + int((encoding.spans >= 0).sum())
        groups, size = encoding.tokens.shape[:2]
        readings = encoding.spans.shape[1]  # in channels, each of which is read by itself
        self.encoder_pairs += groups * size**2 * (int(encoding.sentence.max()) + 1) // readings
        self.node_tokens += encoding.spans.numel()


class TooManySentences(InputError):
    """More than a system has numbers for."""


class Answered(NamedTuple):
    """What a system says of one question; nodes are sentences of the theory as it was given."""

    answer: bool
    graph: Graph | None = None  # None: it makes no proofs, or with a strategy: text that is none
    strategy: Strategy | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class SystemBatch:
    """A labelled batch: fields of subclasses are tensors, or dataclasses of tensors."""

    questions: int
    left_out: int = field(default=0, kw_only=True)

    def to(self, device: torch.device | str) -> Self:
        return moved(self, device)

    def __len__(self) -> int:
        return self.questions


Labeller = Callable[[Groups, random.Random], SystemBatch]


class Baseline(HubModel, ABC):
    """Subclasses name themselves and fill in the abstract methods."""

    name: ClassVar[str]
    config_class = SystemConfig
    config: SystemConfig

    def __init__(
        self, config: SystemConfig, weights: bool = True, words: ModelWords | None = None
    ) -> None:
        """Without `weights` a pretrained encoder is random; `words` are those of a saved model."""
        super().__init__(config, words or self.new_words())
        self.meter = Meter()
        self.build(weights)

    @classmethod
    def new_words(cls) -> ModelWords:
        return default_words()

    @abstractmethod
    def build(self, weights: bool) -> None:
        """Make the modules."""

    @classmethod
    @abstractmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        """Makes labelled batches, without the weights: data workers use it. Raises ValueError."""

    @abstractmethod
    def loss(self, batch: Any) -> SimpleNamespace:
        """The parts of the loss by name; `total` is minimised."""

    @abstractmethod
    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        """One for each question, in order; the kinds of the sentences are known."""


def system_class(name: str) -> type[Baseline]:
    module, kind = SYSTEMS[name]
    found: type[Baseline] = getattr(import_module(module), kind)
    return found


def hint_loss(encoding: Encoding, batch: Batch, weight: float) -> Tensor:
    """The weighted loss of the hints, 0 where there are none."""
    hints, roles = hint_losses(encoding.hinted, batch.hints, encoding.cls)
    return weight * (hints + roles)


class RivalReasoner:
    """A trained rival as a `Reasoner`. Questions in a row about one theory are asked together; the
    meter adds up over calls."""

    def __init__(self, model: Baseline, name: str | None = None) -> None:
        self.model, self.name = model.eval(), name or model.name
        self.meter = model.meter
        self._normalises = model.config.compact is not None  # as IBR: the others know many words

    @property
    def parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.model.parameters())

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        groups: list[tuple[NormalisedTheory, list[Question]]] = []
        for problem in problems:
            given, question = prepare(problem, self.model.words, self._normalises)
            if not groups or groups[-1][0] != given:
                groups.append((given, []))
            groups[-1][1].append(question)
        sources = [given.source for given, questions in groups for _ in questions]
        try:
            found = self.model.answer([Asked(given.theory, asked) for given, asked in groups])
        except TooManySentences as error:
            raise Unanswerable(problems[0], "sentences", str(error)) from error
        except ReadError as error:
            raise Unanswerable(problems[0], "question", str(error)) from error
        rows = zip(problems, found, sources, strict=True)
        return [self._prediction(*row) for row in rows]

    def _prediction(self, problem: Problem, found: Answered, source: Sequence[int]) -> Prediction:
        """A malformed proof is claimed and not there, so that metrics count it as wrong."""
        return Prediction(
            id=problem.id,
            answer=found.answer,
            reasoner=self.name,
            strategy=found.strategy,
            graph=None if found.graph is None else _cited(found.graph, source),
            source=Source.MODEL,
            confidence=found.confidence,
        )


def _cited(graph: Graph, source: Sequence[int]) -> Graph:
    """The same over the sentences of the rulebook; one that was read in parts is one node."""

    def place(node: int) -> int:
        return NAF if node == NAF else source[node]

    edges = ((place(premise), place(rule)) for premise, rule in graph.edges)
    return Graph.of(map(place, graph.nodes), edges)
