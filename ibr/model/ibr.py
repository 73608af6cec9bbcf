"""IBR: encode once; then answer and strategy; then parent, child, parent, child … until END.

`loss` teaches, `IBRScorer` lets `ibr.search` decode; both read the same `Encoded`.

Legend: B questions, G groups that share readings, R readings, C = R + 2 children (readings, NAF,
END), L positions, S steps, P paths, H hidden. Paths come question by question, equally many each.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.batch import Batch, Gold
from ibr.model.child_node import ChildNode
from ibr.model.config import IBRConfig
from ibr.model.encoders import encoder_of
from ibr.model.encoding import Encoding
from ibr.model.growth import Growth
from ibr.model.links import Linked
from ibr.model.node_encoder import NodeEncoder
from ibr.model.parent_node import ParentNode
from ibr.model.qa_strategy import QAStrategy
from ibr.scoring import Array, EncodedScorer, LevelPaths
from ibr.search import QUESTION, Bools, Ints


@dataclass(frozen=True)
class Encoded:
    """All that search needs of a batch; nothing here depends on a step or a beam."""

    answer: Tensor  # (B, 2) logits
    strategy: Tensor  # (B, 2) logits: fail-proof, proof
    parents: Tensor  # (G, R, H) readings as they stand on a path
    naf: Tensor  # (B, H)
    question: Tensor  # (B, H)
    child_keys: Tensor  # (B, C, H) f_K of the candidates
    sentence: Tensor  # (B, R)
    is_reading: Tensor  # (B, R)
    is_rule: Tensor  # (B, R)
    owner: Tensor  # (B,) the group of each question
    fires: list[Tensor]
    chain: Tensor | None
    linked: Linked | None


@dataclass(frozen=True)
class Losses:
    """The terms of L; `total` is what is minimised."""

    total: Tensor
    answer: Tensor
    strategy: Tensor
    parent: Tensor
    child: Tensor
    hints: Tensor


class IBR(nn.Module):
    """The paper's model over any encoder. Departures: see the modules' docstrings; no type or
    strategy embeddings (the encoder sees kinds, Eq. 2 sees the strategy)."""

    def __init__(self, config: IBRConfig, weights: bool = True) -> None:
        """`weights=False`: a checkpoint will bring those of a pretrained encoder, too."""
        super().__init__()
        self.config = config
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
        self.parent_node = ParentNode(hidden, config.count_children)
        self.child_node = ChildNode(
            hidden,
            config.focus_layers,
            config.focus_heads,
            config.focus_lstm_hidden if config.focus_lstm else None,
            config.dropout,
            config.count_children,
        )

    def encode(self, batch: Batch) -> Encoded:
        out: Encoding = self.encoder(batch.input)
        answer, strategy = self.qa_strategy(out.cls)
        naf = self.naf(out.cls)
        keys = self.child_node.keys
        readings = keys(self.child_encoder(out.tokens, out.spans)).index_select(0, out.owner)
        special = keys(torch.stack([naf, self.end.expand_as(naf)], dim=1))
        sentence = out.sentence[out.owner]
        return Encoded(
            answer=answer,
            strategy=strategy,
            parents=self.parent_encoder(out.tokens, out.spans),
            naf=naf,
            question=self.parent_encoder(out.question, _whole(out.is_token))[:, 0],
            child_keys=torch.cat([readings, special], dim=1),
            sentence=sentence,
            is_reading=out.is_reading[out.owner],
            is_rule=batch.is_rule[out.owner].gather(1, sentence) & out.is_reading[out.owner],
            owner=out.owner,
            fires=out.fires,
            chain=out.chain,
            linked=out.linked,
        )

    def path_vectors(self, encoded: Encoded, columns: Tensor, rows: Tensor) -> Tensor:
        """H_p: the nodes of paths of questions `rows` (P,), columns (P, L) → (P, L, H)."""
        naf = (columns == encoded.parents.shape[1]).unsqueeze(-1)
        path = pick(encoded.parents, encoded.owner[rows], columns)
        path = torch.where(naf, encoded.naf.index_select(0, rows).unsqueeze(1), path)
        question = encoded.question.index_select(0, rows).unsqueeze(1)
        path = torch.where((columns == QUESTION).unsqueeze(-1), question, path)
        if self.positions is not None:
            place = torch.arange(path.shape[1], device=path.device)
            path = path + self.positions(place.clamp(max=self.positions.num_embeddings - 1))
        return path

    def child_logits(
        self, encoded: Encoded, path: Tensor, growth: Growth, parent: Tensor, rows: Tensor,
        fails: Tensor, asked: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        """(P, S, C); path p is of question rows[p], which are `asked` with all their paths in a row
        (by default they have one each). Padding, and facts in fail-proofs: -inf.
        """
        keys = encoded.child_keys.index_select(0, rows if asked is None else asked)
        logits: Tensor = self.child_node(path, growth, parent, fails, keys)
        if encoded.linked is not None:
            logits = logits + F.pad(_links(encoded, growth, parent, rows), (0, 2))
        allowed = encoded.is_reading[rows] & (encoded.is_rule[rows] | ~fails.unsqueeze(-1))
        allowed = F.pad(allowed, (0, 2), value=True)  # NAF, END
        return logits.masked_fill(~allowed.unsqueeze(1), float("-inf"))

    def parent_step(
        self, encoded: Encoded, question: Tensor, columns: Tensor, up: Tensor
    ) -> Tensor:
        """One step of open paths in level order, question (A,), columns and up (A, K, L) →

        log-probability (A, K, L) of each place as the next parent.
        """
        path, growth, _ = self._open(encoded, question, columns, up)
        return self.parent_node(path, growth).log_softmax(-1).view(columns.shape)

    def child_step(
        self, encoded: Encoded, question: Tensor, columns: Tensor, up: Tensor, parent: Tensor,
        fails: Tensor,
    ) -> Tensor:  # fmt: skip
        """As `parent_step`, given the place of the parent (A, K) and which questions fail (A,) →

        log-probability (A, K, C) of each child.
        """
        path, growth, rows = self._open(encoded, question, columns, up)
        fails = fails.unsqueeze(1).expand_as(parent).flatten()
        at = parent.flatten().unsqueeze(1)
        logits = self.child_logits(encoded, path, growth, at, rows, fails, asked=question)
        return logits.log_softmax(-1).view(*parent.shape, -1)

    def _open(
        self, encoded: Encoded, question: Tensor, columns: Tensor, up: Tensor
    ) -> tuple[Tensor, Growth, Tensor]:
        """Path vectors (P, L, H), the shape of the paths, and the question of each."""
        rows = question.unsqueeze(1).expand_as(columns[..., 0]).flatten()
        growth = Growth.whole(columns.flatten(0, 1), up.flatten(0, 1))
        return self.path_vectors(encoded, growth.columns, rows), growth, rows

    def loss(self, batch: Batch) -> Losses:
        """L = L_QA + L_Parent + L_Child + α L_Strategy (+ hints), all steps in one pass."""
        assert batch.gold is not None
        gold, encoded = batch.gold, self.encode(batch)
        answer = F.cross_entropy(encoded.answer, gold.answer)
        strategy = F.cross_entropy(encoded.strategy, gold.strategy)
        parent, child = self._step_losses(encoded, gold)
        hints = self._hint_loss(encoded, batch)
        total = parent + child + self.config.alpha * strategy + self.config.hint_weight * hints
        if self.config.answer_loss:
            total = total + answer
        return Losses(total, answer, strategy, parent, child, hints)

    def _step_losses(self, encoded: Encoded, gold: Gold) -> tuple[Tensor, Tensor]:
        """Means over questions of the mean over their steps; fail-proofs are not in L_Parent."""
        fails = gold.strategy == 0
        rows = torch.arange(len(fails), device=fails.device)
        path = self.path_vectors(encoded, gold.columns, rows)  # (B, L, H): gold is level order
        last = rows.new_ones(path.shape[:2]).cumsum(1) - 1  # step s sees positions 0..s
        growth = Growth(gold.columns, F.pad(gold.parent[:, :-1], (1, 0), value=-1), last)
        real = gold.is_step.to(path.dtype)
        child = self.child_logits(encoded, path, growth, gold.parent, rows, fails)
        per_child = F.cross_entropy(child.transpose(1, 2), gold.child, reduction="none")
        per_parent = F.cross_entropy(
            self.parent_node(path, growth).transpose(1, 2), gold.parent, reduction="none"
        )
        chosen = real * (last > 0) * (~fails).unsqueeze(1)  # the first parent is the question
        parent_loss = (per_parent * chosen).sum(1) / chosen.sum(1).clamp(min=1)
        child_loss = (per_child.masked_fill(~gold.is_step, 0.0)).sum(1) / real.sum(1)
        return parent_loss.mean(), child_loss.mean()

    def _hint_loss(self, encoded: Encoded, batch: Batch) -> Tensor:
        """After turn t, each sentence says of each entity whether it holds by depth t - 1."""
        hints = batch.hints
        if hints is None or not self.config.hint_weight or not encoded.fires:
            return encoded.answer.new_zeros(())
        terms = []
        for depth, logits in enumerate(encoded.fires):
            target = (hints.fires <= depth).to(logits.dtype)
            loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
            terms.append((loss * hints.is_asked).sum() / hints.is_asked.sum().clamp(min=1))
        loss = torch.stack(terms).mean()
        if encoded.chain is not None:
            lengths = torch.arange(encoded.chain.shape[-1], device=loss.device)
            target = (hints.chain.unsqueeze(-1) > lengths).to(loss.dtype)
            told = F.binary_cross_entropy_with_logits(encoded.chain, target, reduction="none")
            asked = hints.is_asked.unsqueeze(-1)
            loss = loss + (told * asked).sum() / asked.sum().clamp(min=1)
        return loss

    def scorer(self, batch: Batch) -> IBRScorer:
        with torch.no_grad():
            return IBRScorer(self, self.encode(batch))


def pick(table: Tensor, group: Tensor, column: Tensor) -> Tensor:
    """table (G, R, X) in group (P,) at column (P, L) → (P, L, X); any row where no reading is."""
    readings = table.shape[1]
    is_reading = (column >= 0) & (column < readings)
    place = group.unsqueeze(1) * readings + torch.where(is_reading, column, 0)
    return table.flatten(0, 1).index_select(0, place.flatten()).view(*place.shape, -1)


def _links(encoded: Encoded, growth: Growth, parent: Tensor, rows: Tensor) -> Tensor:
    """(P, S, R): what readings have to do with the parent, and with its children so far."""
    linked = encoded.linked
    assert linked is not None
    theory, readings = encoded.owner[rows], linked.asked.shape[1]
    is_reading = (growth.columns >= 0) & (growth.columns < readings)
    columns = torch.where(is_reading, growth.columns, 0)
    at_parent, is_node = columns.gather(1, parent), is_reading.gather(1, parent)
    below = pick(linked.below, theory, at_parent) * is_node.unsqueeze(-1)
    asked = linked.asked.index_select(0, rows).unsqueeze(1) * (parent == 0).unsqueeze(-1)
    beside = pick(linked.beside, theory, columns)  # (P, L, R)
    siblings = growth.siblings(parent) & is_reading.unsqueeze(1)
    return below + asked + torch.matmul(siblings.to(beside.dtype), beside)


def _whole(is_token: Tensor) -> Tensor:
    """The span of the whole question (B, 1, T')."""
    places = torch.arange(is_token.shape[1], device=is_token.device)
    return torch.where(is_token, places, -1).unsqueeze(1)


class IBRScorer(EncodedScorer):
    """The `Scorer` of `ibr.search` over an encoded batch."""

    def __init__(self, model: IBR, encoded: Encoded) -> None:
        super().__init__(
            encoded.answer.numpy(),
            encoded.strategy.numpy(),
            encoded.sentence.numpy(),
            encoded.is_reading.numpy(),
            encoded.is_rule.numpy(),
        )
        self.model, self.encoded = model, encoded

    @torch.no_grad()
    def parent_logp(self, level: LevelPaths) -> Array:
        steps = [torch.from_numpy(part) for part in (level.question, level.columns, level.up)]
        return self.model.parent_step(self.encoded, *steps).numpy()

    @torch.no_grad()
    def child_logp(self, level: LevelPaths, parent: Ints, fails: Bools) -> Array:
        parts = (level.question, level.columns, level.up, parent, fails)
        steps = [torch.from_numpy(part) for part in parts]
        return self.model.child_step(self.encoded, *steps).numpy()
