"""Heads over the nodes and edges of a proof graph, shared by PROVER and PROBR.

PROVER's node vector is the mean of a sentence's token states, NAF's a linear map of h_CLS; an edge
(i, j) is scored from [h_j; h_i; h_j - h_i]; a head is dropout, dense, tanh, dropout, output.

A pretrained encoder reads question and theory together, as the authors' does. The compact encoder
reads a theory once for all its questions and each sentence once for every entity, so two things are
added for it, and only for it. The readings of a sentence are pooled by attention from the question.
`mix_layers` transformer layers over question and nodes, run `mix_turns` times, stand in for joint
reading; the encoder's links (`encoders.links`), which IBR's steps see, bias their attention and the
scores of edges.

Legend: B questions, G groups, N sentences, E channels, R = N·E readings, H hidden; node N is NAF.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from ibr.baselines.system import SystemBatch, SystemConfig
from ibr.model.batch import Batch
from ibr.model.encoders.encoding import Encoding, Linked
from ibr.model.nodes import NodeEncoder
from ibr.training.labels import Groups, first_proof

_LINKS: Final = 3  # of two nodes: one under the other, over it, beside it


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
    links: Tensor | None = None  # (B, N + 1, N + 1, 3): `links_of_nodes`, premise first

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
    """A head over [h_j; h_i; h_j - h_i] for all pairs at once: its dense layer is a sum of maps.
    The links of a pair are added as a linear term."""

    def __init__(self, hidden: int, outputs: int, dropout: float, links: bool) -> None:
        super().__init__()
        self.premise = nn.Linear(hidden, hidden)
        self.rule = nn.Linear(hidden, hidden, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, outputs)
        self.links = nn.Linear(_LINKS, outputs, bias=False) if links else None

    def forward(self, nodes: GraphNodes) -> Tensor:
        """→ (B, N + 1, N + 1, outputs): row i is the premise, column j the rule."""
        vectors = self.dropout(nodes.vectors)
        dense = self.premise(vectors).unsqueeze(2) + self.rule(vectors).unsqueeze(1)
        scores: Tensor = self.out(self.dropout(dense.tanh()))
        if self.links is None or nodes.links is None:
            return scores
        return scores + self.links(nodes.links)


class GraphHeads(nn.Module):
    """Encoding → node vectors."""

    def __init__(self, config: SystemConfig) -> None:
        super().__init__()
        hidden, heads = config.hidden, config.attention_heads
        self.mean = NodeEncoder(hidden, lstm=False)
        self.naf = nn.Linear(hidden, hidden)
        compact = config.compact is not None
        self.query = nn.Linear(hidden, hidden) if compact else None
        self.links = nn.Linear(_LINKS, heads, bias=False) if has_links(config) else None
        layer = nn.TransformerEncoderLayer(
            hidden,
            heads,
            2 * hidden,
            config.dropout,
            activation=torch.relu,  # with F.relu, inference takes a path that masks what links bias
            batch_first=True,
            norm_first=True,
        )
        layers = config.mix_layers if compact else 0
        self.mix = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.turns = config.mix_turns if layers else 0

    def forward(self, out: Encoding, batch: Batch) -> GraphNodes:
        readings = self.mean(out.tokens, out.spans)  # (G, R, H)
        groups, n = batch.is_rule.shape
        readings = readings.view(groups, n, -1, readings.shape[-1])[out.owner]  # (B, N, E, H)
        real = out.is_reading.view(groups, n, -1)[out.owner]  # (B, N, E)
        weight = self._weight(out, readings, real)
        pooled = (weight.unsqueeze(-1) * readings).sum(2)
        vectors = torch.cat([out.cls.unsqueeze(1), pooled, self.naf(out.cls).unsqueeze(1)], dim=1)
        is_node = nn.functional.pad(real.any(-1), (0, 1), value=True)
        links = None if out.linked is None else links_of_nodes(out.linked, weight, out.owner)
        seen = self._attention(links, is_node)
        for _ in range(self.turns):
            vectors = self.mix(vectors, mask=seen)
        is_rule = nn.functional.pad(batch.is_rule[out.owner], (0, 1), value=False)
        premises = None if links is None else links[:, 1:, 1:].transpose(1, 2)
        return GraphNodes(vectors[:, 1:], is_node, is_rule, premises)

    def _weight(self, out: Encoding, readings: Tensor, real: Tensor) -> Tensor:
        """(B, N, E): the share of each reading in the vector of its sentence."""
        if self.query is None:
            return real.to(readings.dtype)
        score = (readings * self.query(out.cls)[:, None, None]).sum(-1) / readings.shape[-1] ** 0.5
        if out.linked is not None:
            score = score + out.linked.asked.view(score.shape)
        return score.masked_fill(~real, float("-inf")).softmax(-1).nan_to_num()

    def _attention(self, links: Tensor | None, is_node: Tensor) -> Tensor:
        """(B·heads, S, S), S = N + 2, the question first: added to the logits of attention."""
        seen = torch.zeros(is_node.shape[0], 1, is_node.shape[1] + 1, device=is_node.device)
        seen[:, 0, 1:].masked_fill_(~is_node, float("-inf"))
        heads = self.mix.layers[0].self_attn.num_heads if self.turns else 1
        seen = seen[:, None].expand(-1, heads, seen.shape[-1], -1)
        if links is not None and self.links is not None:
            seen = seen + self.links(links).permute(0, 3, 1, 2)
        return seen.flatten(0, 1)


def has_links(config: SystemConfig) -> bool:
    return config.compact is not None and config.compact.link_roles > 0


def links_of_nodes(linked: Linked, weight: Tensor, owner: Tensor) -> Tensor:
    """(B, S, S, 3) with the question first and NAF, which has none, last: how well the second node
    stands under the first, over it, and beside it; weight (B, N, E) of each reading."""
    b, n, e = weight.shape

    def pooled(links: Tensor) -> Tensor:
        """(M, R, R) → (B, N, N)."""
        first = (links[owner].view(b, n, e, n * e) * weight.unsqueeze(-1)).sum(2)
        return (first.view(b, n, n, e) * weight.unsqueeze(1)).sum(-1)

    asked = (linked.asked.view(b, n, e) * weight).sum(-1, keepdim=True)  # (B, N, 1)
    under = nn.functional.pad(pooled(linked.below), (1, 1, 1, 1))
    under = under + nn.functional.pad(asked.transpose(1, 2), (1, 1, 0, n + 1))
    beside = nn.functional.pad(pooled(linked.beside), (1, 1, 1, 1))
    return torch.stack([under, under.transpose(1, 2), beside], dim=-1)


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
