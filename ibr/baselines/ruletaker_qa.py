"""RuleTaker (Clark, Tafjord, Richardson 2020): the answer alone, from h_CLS; it makes no proofs.

p(A) = softmax(W2 tanh(W1 h_CLS)), cross-entropy. The authors fine-tune RoBERTa-large, first on RACE
and then on this. With the compact encoder's hints it learns from more than answers, as every system
here does: `--set hint_weight=0` is the answer-only system. Calling it answer-only while it has
hints, or giving hints to IBR alone, is unfair.
"""

import random
from collections.abc import Sequence
from types import SimpleNamespace

import torch
from torch.nn import functional as F

from ibr.baselines.graph_heads import GraphBatch, Head, graph_batch
from ibr.baselines.system import Answered, Baseline, Labeller, SystemConfig, hint_loss
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import ModelWords
from ibr.model.batch import reader_of
from ibr.model.ibr import encoder_of
from ibr.training.labels import Groups, asked_of, with_hints


class RuleTaker(Baseline):
    name = "ruletaker"

    def build(self, weights: bool) -> None:
        config = self.config
        self.encoder = encoder_of(config, weights)
        self.qa = Head(config.hidden, config.hidden, 2, config.dropout)
        self.reader = reader_of(config, self.words)

    @classmethod
    def labeller(cls, config: SystemConfig, words: ModelWords) -> Labeller:
        reader = reader_of(config, words)

        def label(groups: Groups, rng: random.Random) -> GraphBatch:
            return graph_batch(with_hints(reader(asked_of(groups), rng=rng), groups), groups)

        return label

    def loss(self, batch: GraphBatch) -> SimpleNamespace:
        out = self.encoder(batch.read.input)
        answer = F.cross_entropy(self.qa(out.cls), batch.answer)
        hints = hint_loss(out, batch.read, self.config.hint_weight)
        return SimpleNamespace(total=answer + hints, answer=answer, hints=hints)

    @torch.inference_mode()
    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        out = self.encoder(self.reader(asked).to(self.device).input)
        self.meter.count(out)
        true = self.qa(out.cls).softmax(-1)[:, 1].tolist()
        return [Answered(p > 0.5, confidence=max(p, 1 - p)) for p in true]
