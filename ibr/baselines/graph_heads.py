"""Heads over the nodes and edges of a proof graph, shared by PROVER and PROBR.

PROVER's node vector is the mean of a sentence's token states, NAF's a linear map of h_CLS; an edge
(i, j) is scored from [h_j; h_i; h_j - h_i]; a head is dropout, dense, tanh, dropout, output.

A pretrained encoder reads question and theory together, as the authors' does. The compact encoder
reads a theory once for all its questions and each sentence once for every entity, so two things are
added for it, and only for it: the readings of a sentence are pooled by attention from the question,
and `mix_layers` transformer layers over question and nodes stand in for joint reading.

Legend: B questions, G groups, N sentences, E channels, H hidden; node N is NAF.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ibr.baselines.system import SystemBatch, SystemConfig
from ibr.model.batch import Batch
from ibr.model.encoders.encoding import Encoding
from ibr.model.nodes import NodeEncoder
from ibr.training.labels import Groups, first_proof


@dataclass(frozen=True)
class GraphBatch(SystemBatch):
    read: Batch
    answer: Tensor  # (B,)
    node: Tensor  # (B, N + 1) 1 for the nodes of the gold proof
    edge: Tensor  # (B, N + 1, N + 1) from premise to rule


@dataclass(frozen=True)
class GraphNodes:
    vectors: Tensor  # (B, N + 1, H)
    is_node: Tensor  # (B, N + 1) False is padding
    is_rule: Tensor  # (B, N + 1)

    @property
    def may_be_edge(self) -> Tensor:
        """(B, N + 1, N + 1): two real nodes, the end a rule. All that the input tells of edges."""
        pairs = self.is_node.unsqueeze(2) & (self.is_node & self.is_rule).unsqueeze(1)
        return pairs & ~torch.eye(pairs.shape[1], dtype=torch.bool, device=pairs.device)


class Head(nn.Sequential):
    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__(
            nn.Dropout(dropout),
            nn.Linear(inputs, hidden),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(hidden, outputs),
        )


class PairHead(nn.Module):
    """A head over [h_j; h_i; h_j - h_i] for all pairs at once: its dense layer is a sum of maps."""

    def __init__(self, hidden: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.premise = nn.Linear(hidden, hidden)
        self.rule = nn.Linear(hidden, hidden, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, outputs)

    def forward(self, vectors: Tensor) -> Tensor:
        """(B, N + 1, H) → (B, N + 1, N + 1, outputs): row i is the premise, column j the rule."""
        vectors = self.dropout(vectors)
        dense = self.premise(vectors).unsqueeze(2) + self.rule(vectors).unsqueeze(1)
        return self.out(self.dropout(dense.tanh()))


class GraphHeads(nn.Module):
    """Encoding → node vectors."""

    def __init__(self, config: SystemConfig) -> None:
        super().__init__()
        hidden = config.hidden
        self.mean = NodeEncoder(hidden, lstm=False)
        self.naf = nn.Linear(hidden, hidden)
        compact = config.compact is not None
        self.query = nn.Linear(hidden, hidden) if compact else None
        layer = nn.TransformerEncoderLayer(
            hidden,
            config.attention_heads,
            2 * hidden,
            config.dropout,
            batch_first=True,
            norm_first=True,
        )
        layers = config.mix_layers if compact else 0
        self.mix = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

    def forward(self, out: Encoding, batch: Batch) -> GraphNodes:
        readings = self.mean(out.tokens, out.spans)  # (G, R, H)
        groups, n = batch.is_rule.shape
        readings = readings.view(groups, n, -1, readings.shape[-1])[out.owner]  # (B, N, E, H)
        real = out.is_reading.view(groups, n, -1)[out.owner]  # (B, N, E)
        vectors = torch.cat([self._pooled(out.cls, readings, real), self.naf(out.cls)[:, None]], 1)
        is_node = nn.functional.pad(real.any(-1), (0, 1), value=True)
        if self.mix.num_layers:
            tokens = torch.cat([out.cls.unsqueeze(1), vectors], dim=1)
            padding = nn.functional.pad(~is_node, (1, 0), value=False)
            vectors = self.mix(tokens, src_key_padding_mask=padding)[:, 1:]
        is_rule = nn.functional.pad(batch.is_rule[out.owner], (0, 1), value=False)
        return GraphNodes(vectors, is_node, is_rule)

    def _pooled(self, cls: Tensor, readings: Tensor, real: Tensor) -> Tensor:
        """(B, N, E, H) → (B, N, H)."""
        if self.query is None:
            return readings[:, :, 0]
        score = (readings * self.query(cls)[:, None, None]).sum(-1) / readings.shape[-1] ** 0.5
        weight = score.masked_fill(~real, float("-inf")).softmax(-1).nan_to_num()
        return (weight.unsqueeze(-1) * readings).sum(2)


def graph_batch(read: Batch, groups: Groups) -> GraphBatch:
    """The first listed proof is gold, as the authors have it."""
    examples = [example for group in groups for example in group]
    size = read.is_rule.shape[1] + 1
    node, edge = torch.zeros(len(examples), size), torch.zeros(len(examples), size, size)
    for row, example in enumerate(examples):
        graph = first_proof(example).graph
        node[row, list(graph.nodes)] = 1.0  # NAF is -1: the last place
        for premise, rule in graph.edges:
            edge[row, premise, rule] = 1.0
    answer = torch.tensor([int(example.answer) for example in examples])
    return GraphBatch(len(examples), read, answer, node.long(), edge.long())
