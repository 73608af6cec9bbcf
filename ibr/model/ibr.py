"""IBR (§3.2): encode once; then answer and strategy; then parent, child, parent … until END.

`loss.py` and the scorer of `trained.py` (for `ibr.decoding.search`) use the same `Encoded`.

Legend: B questions, G groups that share readings, R readings, C = R + 2 children (readings, NAF,
END), X = G·R + 2·B nodes, L positions, S steps, P paths, H hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.inputs.model_words import ModelWords, default_words
from ibr.model.batch import Batch
from ibr.model.child_node import Candidates, ChildNode, Steps
from ibr.model.config import EncoderConfig, IBRConfig
from ibr.model.encoders.encoding import Encoding, HintLogits
from ibr.model.loss import Losses, losses_of
from ibr.model.model_folder import HubModel
from ibr.model.nodes import NodeEncoder, PathState
from ibr.model.parent_node import ParentNode
from ibr.model.qa_strategy import QAStrategy
from ibr.model.step_bias import StepBias, node_links

Named = Mapping[str, Tensor]


@dataclass(frozen=True)
class Encoded:
    """All that search needs of a batch; nothing here depends on a step or a beam."""

    answer: Tensor  # (B, 2) logits
    strategy: Tensor  # (B, 2) logits: fail-proof, proof
    nodes: Tensor  # (X, H) of paths: h_g of readings by group, h_NAF by question, the questions
    below: Tensor | None  # (X, R) links: of a reading under a node
    beside: Tensor | None  # (X, R) links: of a reading beside a child that its parent has already
    child_keys: Tensor  # (G, R, H) f_K of readings as candidates
    special_keys: Tensor  # (B, 2, H) f_K of NAF and END
    sentence: Tensor  # (B, R)
    is_reading: Tensor  # (B, R)
    is_rule: Tensor  # (B, R)
    owner: Tensor  # (B,) the group of each question
    places: Tensor  # (B, C) the node of each column; in END's column, the question
    hinted: HintLogits | None  # for the loss


class IBR(HubModel):
    """The three modules over any encoder. `README.md` in this folder lists every departure."""

    config: IBRConfig

    def __init__(
        self, config: IBRConfig, weights: bool = True, words: ModelWords | None = None
    ) -> None:
        """Without `weights` a pretrained encoder is random; `words` are those of a saved model."""
        super().__init__(config, words or default_words())
        hidden = config.hidden
        self.encoder = encoder_of(config, weights)
        self.qa_strategy = QAStrategy(hidden)
        self.parent_encoder = NodeEncoder(hidden, config.node_lstm)
        self.child_encoder = NodeEncoder(hidden, config.node_lstm)
        self.naf = nn.Linear(hidden, hidden)  # f_NAF
        self.end = nn.Parameter(torch.randn(hidden))  # h_END
        self.positions = (
            nn.Embedding(config.path_positions, hidden) if config.path_positions else None
        )
        self.parent_node = ParentNode(hidden)
        self.child_node = ChildNode(
            hidden,
            config.focus_layers,
            config.focus_heads,
            config.focus_lstm_hidden if config.focus_lstm else None,
            config.dropout,
        )
        links = config.compact is not None and config.compact.link_roles > 0
        has_bias = config.count_children or links
        self.step_bias = StepBias(hidden, config.count_children) if has_bias else None

    def encode(self, batch: Batch) -> Encoded:
        out: Encoding = self.encoder(batch.input)
        answer, strategy = self.qa_strategy(out.cls)  # P_QA, P_Strategy
        h_g = self.parent_encoder(out.tokens, out.spans)  # (G, R, H)
        h_q = self.parent_encoder(out.question, _whole(out.is_token))[:, 0]
        h_n = self.child_encoder(out.tokens, out.spans)  # (G, R, H)
        h_naf = self.naf(out.cls)
        special = torch.stack([h_naf, self.end.expand_as(h_naf)], dim=1)  # H_c = [h_n, NAF, END]
        below, beside = node_links(out.linked) if out.linked else (None, None)
        sentence = out.sentence[out.owner]
        return Encoded(
            answer=answer,
            strategy=strategy,
            nodes=torch.cat([h_g.flatten(0, 1), h_naf, h_q]),
            below=below,
            beside=beside,
            child_keys=self.child_node.key(h_n),  # f_K
            special_keys=self.child_node.key(special),
            sentence=sentence,
            is_reading=out.is_reading[out.owner],
            is_rule=batch.is_rule[out.owner].gather(1, sentence) & out.is_reading[out.owner],
            owner=out.owner,
            places=_places(out.owner, out.sentence),
            hinted=out.hinted,
        )

    def path(self, encoded: Encoded, nodes: Tensor, up: Tensor, last: Tensor) -> PathState:
        """Paths (P, L) of nodes, each with its parent's position; steps see up to `last` (P, S)."""
        vectors = F.embedding(nodes, encoded.nodes)  # H_p
        if self.positions is not None:
            place = torch.arange(nodes.shape[1], device=nodes.device)
            vectors = vectors + self.positions(place.clamp(max=self.positions.num_embeddings - 1))
        return PathState(nodes, vectors, up, last)

    def parent_logits(self, path: PathState) -> Tensor:
        """(P, S, L) of Eq. 1."""
        logits: Tensor = self.parent_node(path)
        return logits if self.step_bias is None else logits + self.step_bias.parent(path)

    def child_logits(self, encoded: Encoded, path: PathState, steps: Steps) -> Tensor:
        """(P, S, C) of Att(h_F, H_c)."""
        rows, parent, fails = steps.question, steps.parent, steps.fails
        h_f = self.child_node.focus(path, parent, fails)  # Eq. 2
        if self.step_bias is not None:
            h_f = h_f + self.step_bias.focus(path, parent)
        candidates = Candidates(
            encoded.child_keys,
            encoded.special_keys.index_select(0, rows),
            encoded.is_reading[rows],
            encoded.is_rule[rows],
        )
        logits: Tensor = self.child_node(h_f, candidates, steps)
        if self.step_bias is None or encoded.below is None or encoded.beside is None:
            return logits
        links = self.step_bias.links(path, parent, encoded.below, encoded.beside)
        return logits + F.pad(links, (0, 2))  # none for NAF and END

    def parent_step(self, encoded: Encoded, step: Named) -> Tensor:
        """The open paths of a search (`ibr.decoding.scoring`) → log-probability (P, L) of each
        position as the next parent."""
        return self.parent_logits(self._whole_path(encoded, step))[:, 0].log_softmax(-1)

    def child_step(self, encoded: Encoded, step: Named) -> Tensor:
        """The same → log-probability (P, C) of each child of the given parent."""
        path = self._whole_path(encoded, step)
        return self.child_logits(encoded, path, Steps.of(step))[:, 0].log_softmax(-1)

    def _whole_path(self, encoded: Encoded, step: Named) -> PathState:
        """One step, which sees all positions."""
        nodes, up = step["nodes"], step["up"]
        return self.path(encoded, nodes, up, torch.ones_like(up).sum(1, keepdim=True) - 1)

    def loss(self, batch: Batch) -> Losses:
        return losses_of(self, batch)


def encoder_of(config: EncoderConfig, weights: bool) -> nn.Module:
    """`Input` → `Encoding`. Only the one in use is imported; without `weights` it may be random."""
    if config.pretrained is not None:
        from ibr.model.encoders.pretrained import PretrainedEncoder

        return PretrainedEncoder(config.pretrained, config.hidden, weights)
    from ibr.model.encoders.compact import CompactEncoder

    assert config.compact is not None
    return CompactEncoder(config.compact, config.hidden)


def _places(owner: Tensor, sentence: Tensor) -> Tensor:
    """(B, C): the place of each question's nodes in `Encoded.nodes`."""
    groups, readings = sentence.shape
    own = torch.ones_like(sentence).cumsum(1)[owner] - 1 + (owner * readings).unsqueeze(1)
    naf = groups * readings + torch.ones_like(owner).cumsum(0) - 1
    return torch.cat([own, torch.stack([naf, naf + owner.shape[0]], dim=1)], dim=1)


def _whole(is_token: Tensor) -> Tensor:
    """The span of the whole question (B, 1, T')."""
    places = torch.arange(is_token.shape[1], device=is_token.device)
    return torch.where(is_token, places, -1).unsqueeze(1)
