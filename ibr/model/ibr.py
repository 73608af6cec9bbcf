"""IBR: encode once; then answer and strategy; then parent, child, parent, child … until END.

`loss` teaches, `IBRScorer` lets `ibr.search` decode; both read the same `Encoded`.

Legend: B questions, G groups that share readings, R readings, C = R + 2 children (readings, NAF,
END), X = G·R + 2·B nodes, L positions, S steps, P paths, H hidden.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.batch import Batch, Gold
from ibr.model.child_node import ChildNode, Seats
from ibr.model.config import IBRConfig
from ibr.model.encoders import encoder_of
from ibr.model.encoding import Encoding
from ibr.model.growth import Growth
from ibr.model.links import Linked
from ibr.model.memory import Readers, Remembered
from ibr.model.node_encoder import NodeEncoder, attention_scores
from ibr.model.parent_node import ParentNode
from ibr.model.qa_strategy import QAStrategy
from ibr.scoring import Array, EncodedScorer, LevelPaths
from ibr.scoring import Seats as SeatArrays
from ibr.search import Bools, Ints


@dataclass(frozen=True)
class Encoded:
    """All that search needs of a batch; nothing here depends on a step or a beam."""

    answer: Tensor  # (B, 2) logits
    strategy: Tensor  # (B, 2) logits: fail-proof, proof
    nodes: Tensor  # (X, H) what stands on paths: readings by group, NAF by question, the questions
    below: Tensor | None  # (X, R) links: of a reading under a node
    beside: Tensor | None  # (X, R) links: of a reading beside a child that its parent has already
    child_keys: Tensor  # (G, R, H) f_K of readings as candidates
    special_keys: Tensor  # (B, 2, H) f_K of NAF and END
    sentence: Tensor  # (B, R)
    is_reading: Tensor  # (B, R)
    is_rule: Tensor  # (B, R)
    owner: Tensor  # (B,) the group of each question
    places: Tensor  # (B, C) where each column is among the nodes; in END's place, the question
    fires: list[Tensor]
    chain: Tensor | None
    roles: Tensor | None


@dataclass(frozen=True)
class Losses:
    """The terms of L; `total` is what is minimised."""

    total: Tensor
    answer: Tensor
    strategy: Tensor
    parent: Tensor
    child: Tensor
    hints: Tensor
    roles: Tensor


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
        readings = self.parent_encoder(out.tokens, out.spans)  # (G, R, H)
        question = self.parent_encoder(out.question, _whole(out.is_token))[:, 0]
        below, beside = _links(out.linked) if out.linked else (None, None)
        sentence = out.sentence[out.owner]
        return Encoded(
            answer=answer,
            strategy=strategy,
            nodes=torch.cat([readings.flatten(0, 1), naf, question]),
            below=below,
            beside=beside,
            child_keys=keys(self.child_encoder(out.tokens, out.spans)),
            special_keys=keys(torch.stack([naf, self.end.expand_as(naf)], dim=1)),
            sentence=sentence,
            is_reading=out.is_reading[out.owner],
            is_rule=batch.is_rule[out.owner].gather(1, sentence) & out.is_reading[out.owner],
            owner=out.owner,
            places=_places(out.owner, out.sentence),
            fires=out.fires,
            chain=out.chain,
            roles=out.roles,
        )

    def path_vectors(self, encoded: Encoded, nodes: Tensor) -> Tensor:
        """H_p: paths (P, L) of nodes → (P, L, H)."""
        path, places = F.embedding(nodes, encoded.nodes), self.place_vectors(nodes)
        return path if places is None else path + places

    def place_vectors(self, nodes: Tensor) -> Tensor | None:
        """(L, H): what is added to paths (P, L), if anything is."""
        if self.positions is None:
            return None
        place = torch.arange(nodes.shape[1], device=nodes.device)
        added: Tensor = self.positions(place.clamp(max=self.positions.num_embeddings - 1))
        return added

    @property
    def path_maps(self) -> dict[str, nn.Linear]:
        """The linear maps of what stands on a path: of a node the same at every step."""
        maps = {"parent_keys": self.parent_node.key, "parent_wishes": self.parent_node.wish}
        focus = {f"focus_{k}": linear for k, linear in enumerate(self.child_node.keys_values)}
        return {name: linear for name, linear in (maps | focus).items() if linear is not None}

    def child_logits(
        self, encoded: Encoded, path: Growth, parent: Tensor, rows: Tensor, fails: Tensor,
        seats: Seats,
    ) -> Tensor:  # fmt: skip
        """(P, S, C); path p is of question rows[p]. Padding, and facts in fail-proofs: -inf."""
        query = self.child_node(path, parent, fails)
        readings = seats.scores(query, encoded.child_keys)
        special = attention_scores(query, encoded.special_keys.index_select(0, rows))
        if encoded.below is not None and encoded.beside is not None:
            beside = F.embedding(path.nodes, encoded.beside)  # (P, L, R)
            siblings = path.siblings(parent).to(beside.dtype)  # (P, S, L)
            below = F.embedding(path.nodes.gather(1, parent), encoded.below)
            readings = readings + below + torch.matmul(siblings, beside)
        allowed = encoded.is_reading[rows] & (encoded.is_rule[rows] | ~fails.unsqueeze(-1))
        readings = readings.masked_fill(~allowed.unsqueeze(1), float("-inf"))
        return torch.cat([readings, special], dim=-1)

    def parent_step(self, path: Growth) -> Tensor:
        """Whole paths → log-probability (P, L) of each place as the parent."""
        return self.parent_node(path)[:, 0].log_softmax(-1)

    def child_step(
        self, encoded: Encoded, path: Growth, parent: Tensor, rows: Tensor, fails: Tensor,
        seats: Seats,
    ) -> Tensor:  # fmt: skip
        """As `parent_step`, given the parent (P,) → log-probability (P, C) of each child."""
        logits = self.child_logits(encoded, path, parent.unsqueeze(1), rows, fails, seats)
        return logits[:, 0].log_softmax(-1)

    def loss(self, batch: Batch) -> Losses:
        """L = L_QA + L_Parent + L_Child + α L_Strategy (+ hints), all steps in one pass."""
        assert batch.gold is not None
        gold, encoded = batch.gold, self.encode(batch)
        answer = F.cross_entropy(encoded.answer, gold.answer)
        strategy = F.cross_entropy(encoded.strategy, gold.strategy)
        parent, child = self._step_losses(encoded, gold)
        hints = self._hint_loss(encoded, batch)
        roles = self._role_loss(encoded, batch)
        told = self.config.hint_weight * (hints + roles)
        total = parent + child + self.config.alpha * strategy + told
        if self.config.answer_loss:
            total = total + answer
        return Losses(total, answer, strategy, parent, child, hints, roles)

    def _step_losses(self, encoded: Encoded, gold: Gold) -> tuple[Tensor, Tensor]:
        """Means over questions of the mean over their steps; fail-proofs are not in L_Parent."""
        fails = gold.strategy == 0
        rows = torch.arange(len(fails), device=fails.device)
        places = encoded.places
        nodes = places.gather(1, gold.columns % places.shape[1])  # (B, L), in level order
        last = torch.ones_like(nodes).cumsum(1) - 1  # step s sees positions 0..s
        up = F.pad(gold.parent[:, :-1], (1, 0), value=-1)
        path = Growth(nodes, self.path_vectors(encoded, nodes), up, last)
        seats = Seats.apart(encoded.owner)
        child = self.child_logits(encoded, path, gold.parent, rows, fails, seats)
        real = gold.is_step.to(child.dtype)
        per_child = F.cross_entropy(child.transpose(1, 2), gold.child, reduction="none")
        per_parent = F.cross_entropy(
            self.parent_node(path).transpose(1, 2), gold.parent, reduction="none"
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

    def _role_loss(self, encoded: Encoded, batch: Batch) -> Tensor:
        if batch.hints is None or not self.config.hint_weight or encoded.roles is None:
            return encoded.answer.new_zeros(())
        told = batch.hints.roles
        logits = encoded.roles.transpose(1, 2)
        loss = F.cross_entropy(logits, told, ignore_index=-1, reduction="sum")
        return loss / (told >= 0).sum().clamp(min=1)

    def scorer(self, batch: Batch) -> IBRScorer:
        with torch.no_grad():
            return IBRScorer(self, self.encode(batch))


def _links(linked: Linked) -> tuple[Tensor, Tensor]:
    """Links from every node: nothing hangs under NAF, and beside it as if it were not there."""
    none = torch.zeros_like(linked.asked)
    below = torch.cat([linked.below.flatten(0, 1), none, linked.asked])
    return below, torch.cat([linked.beside.flatten(0, 1), none, none])


def _places(owner: Tensor, sentence: Tensor) -> Tensor:
    """(B, C): where the nodes of each question stand in `Encoded.nodes`."""
    groups, readings = sentence.shape
    own = torch.ones_like(sentence).cumsum(1)[owner] - 1 + (owner * readings).unsqueeze(1)
    naf = groups * readings + torch.ones_like(owner).cumsum(0) - 1
    return torch.cat([own, torch.stack([naf, naf + owner.shape[0]], dim=1)], dim=1)


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
            encoded.owner.numpy(),
            encoded.places.numpy(),
        )
        self.model, self.encoded, self._readers = model, encoded, Readers()
        with torch.inference_mode():
            self._tables = {m: m(encoded.nodes) for m in model.path_maps.values()}

    @torch.inference_mode()
    def parent_logp(self, level: LevelPaths) -> Array:
        return self.model.parent_step(self._path(level)).numpy()

    @torch.inference_mode()
    def child_logp(self, level: LevelPaths, parent: Ints, fails: Bools, seats: SeatArrays) -> Array:
        at, rows, failing = (torch.from_numpy(part) for part in (parent, level.question, fails))
        seated = Seats(*(torch.from_numpy(part) for part in vars(seats).values()))
        path = self._path(level)
        return self.model.child_step(self.encoded, path, at, rows, failing, seated).numpy()

    def _path(self, level: LevelPaths) -> Growth:
        nodes, up = torch.from_numpy(level.nodes), torch.from_numpy(level.up)
        return Remembered(
            nodes, self.model.path_vectors(self.encoded, nodes), up, Growth.end(up),
            self.model.place_vectors(nodes), self._tables,
            [row.tobytes() for row in level.nodes], self._readers,
        )  # fmt: skip
