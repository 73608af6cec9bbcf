"""PROBR (Sun et al. 2021): a Markov random field over answer, nodes and edges of the proof.

    log p(a, v, e | C, Q) = φ(a) + Σ φ_i(v_i, a) + Σ φ_ij(v_i, v_j, e_ij, a) - log Z

log Z is out of reach, so conditionals are learned, the other variables filled in by PROVER's heads
(the variational q). As released, with all data labelled: the loss is that of p(a|·), q(v) and q(e),
fill-ins are the argmax of q, and a is predicted by p(a|·), nodes and edges by q and PROVER's
connection. Their KL terms concern unlabelled data only; there is none here, so q(a) has no use.
`pseudo_likelihood` adds the losses of p(v|·) and p(e|·), which the released code does not have.

Two departures of the released code from its paper are options. `conditional="summed"` sums logits
over a neighbour's values where one should be selected. `mask="gold"` zeroes the pairs that touch a
node outside of the *gold* proof, at test time too, so that the answer follows from which pairs are
left: tests/test_probr.py reproduces it, and a model with it refuses to answer. By default the mask
is what the input tells. Unfair: the gold mask; 50 epochs (theirs) against IBR's 8.

Legend as in `graph_heads`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from torch import Tensor, nn
from torch.nn import functional as F

from ibr.baselines.graph_heads import GraphBatch, GraphNodes, Head, PairHead, has_links
from ibr.baselines.prover_ilp import ProverIlp, mean_loss
from ibr.baselines.system import Answered, hint_loss
from ibr.inputs.arrays import Asked
from ibr.model.config import ConfigError


@dataclass(frozen=True)
class Field:
    """Log-potentials, 0 where there is no node or no pair; values 0 and 1 index the last axes."""

    answer: Tensor  # (B, a)
    node: Tensor  # (B, N, v, a)
    pair: Tensor  # (B, N, N, v_i, v_j, e, a)
    summed: bool = False

    def of_answer(self, node: Tensor, edge: Tensor) -> Tensor:
        """p(a|·): logits (B, a) with node (B, N) and edge (B, N, N) given."""
        nodes = self.node.sum(2) if self.summed else _pick(self.node, node, 2)
        pairs = _pick(self._of_nodes(node), edge, 3)  # (B, N, N, a)
        return self.answer + nodes.sum(1) + pairs.sum((1, 2))

    def of_node(self, node: Tensor, edge: Tensor, answer: Tensor) -> Tensor:
        """p(v_i|·): logits (B, N, v)."""
        pair = _pick(self.pair, answer[:, None, None, None, None, None], 6)  # (B, N, N, v, v, e)
        pair = _pick(pair, edge[:, :, :, None, None], 5)  # (B, N, N, v_i, v_j)
        if self.summed:
            first, second = pair.sum(4), pair.sum(3)
        else:
            first = _pick(pair, node[:, None, :, None], 4)  # of v_i, v_j given
            second = _pick(pair, node[:, :, None], 3)
        return _pick(self.node, answer[:, None, None], 3) + first.sum(2) + second.sum(1)

    def of_edge(self, node: Tensor, answer: Tensor) -> Tensor:
        """p(e_ij|·): logits (B, N, N, e)."""
        return _pick(self._of_nodes(node), answer[:, None, None, None], 4)

    def _of_nodes(self, node: Tensor) -> Tensor:
        """The pair potentials with both ends given: (B, N, N, e, a)."""
        if self.summed:
            return self.pair.sum((3, 4))
        return _pick(_pick(self.pair, node[:, :, None], 3), node[:, None], 3)


def _pick(table: Tensor, index: Tensor, axis: int) -> Tensor:
    """The entry of `axis` that `index` names; index has the axes before it, broadcast."""
    shape = list(table.shape)
    shape[axis] = 1
    spread = index.reshape(*index.shape, *[1] * (len(shape) - index.dim())).expand(shape)
    return table.gather(axis, spread).squeeze(axis)


class Probr(ProverIlp):
    name = "probr"

    def build(self, weights: bool) -> None:
        super().build(weights)
        config = self.config
        self.node_potential = Head(config.hidden, config.hidden, 4, config.dropout)
        self.pair_potential = PairHead(config.hidden, 16, config.dropout, has_links(config))
        pair = self.pair_potential
        for layer in (self.node_potential[-1], pair.out, *([pair.links] if pair.links else [])):
            for parameter in layer.parameters():
                nn.init.zeros_(parameter)  # sums over all pairs would drown φ(a)

    def field(self, cls: Tensor, nodes: GraphNodes, mask: Tensor) -> Field:
        """mask (B, N + 1, N + 1): the pairs that have a potential. A node has as many pairs as the
        theory has sentences; divided by it, their sum is of the size of the node's own."""
        node = self.node_potential(nodes.vectors).unflatten(-1, (2, 2))
        pair = self.pair_potential(nodes).unflatten(-1, (2, 2, 2, 2))
        return Field(
            self.qa(cls),
            node * nodes.is_node[:, :, None, None],
            pair * (mask / nodes.is_node.sum(1)[:, None, None])[..., None, None, None, None],
            summed=self.config.conditional == "summed",
        )

    def loss(self, batch: GraphBatch) -> SimpleNamespace:
        out = self.encoder(batch.read.input)
        nodes: GraphNodes = self.nodes(out, batch.read)
        node, edge = self.node(nodes.vectors).argmax(-1), self.edge(nodes).argmax(-1)
        mask = nodes.may_be_edge
        if self.config.mask == "gold":
            mask = gold_mask(batch.node, nodes)
        field = self.field(out.cls, nodes, mask)
        parts = {
            "answer": F.cross_entropy(field.of_answer(node, edge), batch.answer),
            **self.graph_losses(nodes, batch),
            "hints": hint_loss(out, batch.read, self.config.hint_weight),
        }
        if self.config.pseudo_likelihood:
            of_node = field.of_node(node, edge, batch.answer)
            parts["p_node"] = mean_loss(of_node, batch.node, nodes.is_node)
            of_edge = field.of_edge(node, batch.answer)
            parts["p_edge"] = mean_loss(of_edge, batch.edge, mask)
        return SimpleNamespace(total=sum(parts.values()), **parts)

    def answer(self, asked: Sequence[Asked]) -> list[Answered]:
        if self.config.mask == "gold":
            raise ConfigError("mask: a model with the gold mask sees the labels; it cannot answer")
        return super().answer(asked)

    def true_probability(
        self, cls: Tensor, nodes: GraphNodes, node: Tensor, edge: Tensor
    ) -> Tensor:
        field = self.field(cls, nodes, nodes.may_be_edge)
        return field.of_answer(node, edge).softmax(-1)[:, 1]


def gold_mask(gold: Tensor, nodes: GraphNodes) -> Tensor:
    """The released code's: (B, N + 1, N + 1), pairs of gold nodes only. It tells the answer."""
    is_gold = gold > 0
    return nodes.may_be_edge & is_gold.unsqueeze(2) & is_gold.unsqueeze(1)
