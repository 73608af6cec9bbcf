"""PROVER (Saha et al. 2020): answer, nodes and edges of the proof at once; edges made connected.

Three heads that do not condition on one another: q(a) from h_CLS, q(v_i) from node i, q(e_ij) from
a pair. Loss: the three cross-entropies, equally weighted. Edges are learned between gold nodes, off
the diagonal and into rules only; of the other pairs nothing is asked. Inference: nodes by argmax,
then edges by `algorithms.connect` (`connect=ilp` as published, `kruskal` for the same optimum).

The authors read `<s> C </s></s> Q </s>` with RoBERTa-large, at most 26 nodes. PROVER predicts no
strategy; it is read off the graph (a proof has a fact or NAF, a chain of failed rules has neither).
Unfair: argmax edges without connectivity; IBR's LSTM node vectors; a loop over pairs in Python.
"""

import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from ibr.baselines.algorithms.connect import CONNECT, graph_of_scores
from ibr.baselines.graph_heads import (
    GraphBatch,
    GraphHeads,
    GraphNodes,
    Head,
    PairHead,
    has_links,
)
from ibr.baselines.ruletaker_qa import RuleTaker
from ibr.baselines.system import Answered, hint_loss
from ibr.inputs.arrays import Asked
from ibr.proof import NAF
from ibr.theory import Kind, Strategy, Theory


class ProverIlp(RuleTaker):
    name = "prover"

    def build(self, weights: bool) -> None:
        super().build(weights)
        config = self.config
        self.nodes = GraphHeads(config)
        self.node = Head(config.hidden, config.hidden, 2, config.dropout)
        self.edge = PairHead(config.hidden, 2, config.dropout, has_links(config))

    def loss(self, batch: GraphBatch) -> SimpleNamespace:
        out = self.encoder(batch.read.input)
        nodes: GraphNodes = self.nodes(out, batch.read)
        parts = {
            "answer": F.cross_entropy(self.qa(out.cls), batch.answer),
            **self.graph_losses(nodes, batch),
            "hints": hint_loss(out, batch.read, self.config.hint_weight),
        }
        return SimpleNamespace(total=sum(parts.values()), **parts)

    def graph_losses(self, nodes: GraphNodes, batch: GraphBatch) -> dict[str, Tensor]:
        gold = batch.node > 0
        asked = nodes.may_be_edge & gold.unsqueeze(2) & gold.unsqueeze(1)
        return {
            "node": mean_loss(self.node(nodes.vectors), batch.node, nodes.is_node),
            "edge": mean_loss(self.edge(nodes), batch.edge, asked),
        }

    @torch.inference_mode()
    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        read = self.reader(asked).to(self.device)
        out = self.encoder(read.input)
        self.meter.count(out)
        nodes: GraphNodes = self.nodes(out, read)
        node = self.node(nodes.vectors).softmax(-1)[..., 1]
        edge = self.edge(nodes).softmax(-1)[..., 1]
        true = self.true_probability(out.cls, nodes, (node > 0.5).long(), (edge > 0.5).long())
        theories = [item.theory for item in asked for _ in item.questions]
        nodes_, edges = node.cpu().double().numpy(), edge.cpu().double().numpy()
        rows = zip(theories, true.tolist(), nodes_, edges, strict=True)
        return [self._answered(*row) for row in rows]

    def true_probability(
        self, cls: Tensor, nodes: GraphNodes, node: Tensor, edge: Tensor
    ) -> Tensor:
        """(B,); the nodes and edges by argmax are for subclasses."""
        return self.qa(cls).softmax(-1)[:, 1]

    def _answered(self, theory: Theory, probability: float, node: Any, edge: Any) -> Answered:
        n = len(theory)
        places = [*range(n), -1]  # without padding; NAF is the last
        is_rule = np.array([sentence.kind is Kind.RULE for sentence in theory], dtype=bool)
        began, cpu = time.perf_counter(), time.process_time()
        graph = graph_of_scores(
            node[places], edge[places][:, places], is_rule, CONNECT[self.config.connect]
        )
        self.meter.solver_seconds += time.perf_counter() - began
        self.meter.solver_cpu += time.process_time() - cpu
        self.meter.solver_calls += 1
        self.meter.pairs += (n + 1) * (n + 1)
        # A proof rests on a fact or on NAF.
        rests = any(node == NAF or theory[node].kind is not Kind.RULE for node in graph.nodes)
        strategy = Strategy.PROOF if rests else Strategy.FAIL_PROOF
        return Answered(probability > 0.5, graph, strategy, max(probability, 1 - probability))


def mean_loss(logits: Tensor, target: Tensor, asked: Tensor) -> Tensor:
    """Cross-entropy over what is asked, 0 if nothing is."""
    loss = F.cross_entropy(logits.flatten(0, -2), target.flatten(), reduction="none")
    return (loss * asked.flatten()).sum() / asked.sum().clamp(min=1)
