"""Links: which reading may be below which, from the symbols that they share.

A rule with the condition that someone is big is followed by a sentence about that. A node vector
would have to carry the word "big" from one sentence to the other; a link need not, since the same
symbol in both is known. Every spot leaves a *mark*, a few numbers, at its symbol and at its pair;
the score of two readings is the product of their marks. So a link knows words as "the same one"
only. The marks of a child also depend on the rank of its rule in the text: of failures that tie,
the first is the right one.

Legend: M theories, B questions, N sentences, E channels, T spots, Z symbols, K roles,
R = N·E readings.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ibr.model.encoders.encoding import Linked, QuestionInput, TheoryInput
from ibr.model.encoders.layers import ordinal


@dataclass(frozen=True)
class MarkPlaces:
    """Where spots (X, T) and channels (X, E) leave their marks."""

    sentence: Tensor  # (X, T)
    symbol: Tensor  # (X, T) 0 leaves none
    pair: Tensor  # (X, T) the symbol for the pair, 0 leaves none
    rank: Tensor  # (X, T) how many rules that have the symbol come before
    channel: Tensor  # (X, E) the symbol of each channel's entity
    sentences: int
    symbols: int


def mark_places(theory: TheoryInput, question: QuestionInput) -> tuple[MarkPlaces, MarkPlaces]:
    """Of the spots of theories and of questions. Symbols come first, the last of them for names
    that the theory does not have; then pairs."""
    first = theory.alphabet.shape[0]
    channels = torch.where(theory.channels == 0, first - 1, theory.channels)
    symbols = torch.where(question.is_stranger, first - 1, question.symbol)
    pairs, asked_pairs = (torch.where(p > 0, p + first, 0) for p in (theory.pair, question.pair))
    sentences, count = theory.kinds.shape[1], first + theory.pairs.shape[0]
    one = torch.where(question.is_spot, 0, -1)
    none, own = torch.zeros_like(symbols), channels[question.theory]
    return (
        MarkPlaces(theory.sentence, theory.symbol, pairs, theory.rank, channels, sentences, count),
        MarkPlaces(one, symbols, asked_pairs, none, own, 1, count),
    )


class Marks(nn.Module):
    """States → marks of symbols, of pairs, and of the channel's entity."""

    def __init__(self, width: int, roles: int, ranks: int = 0) -> None:
        super().__init__()
        self.spot = nn.Linear(width, roles)
        self.pair = nn.Linear(width, roles)
        self.entity = nn.Linear(width, roles)
        self.rank = ordinal(nn.Embedding(ranks, roles)) if ranks else None

    def forward(self, x: Tensor, at: MarkPlaces) -> Tensor:
        """x (X, E, T, D) → (X, E, N, Z·K)."""
        first = (at.sentence.clamp(min=0) * at.symbols).unsqueeze(1)  # (X, 1, T)
        real = ((at.symbol > 0) & (at.sentence >= 0))[:, None, :, None].to(x.dtype)
        marks = x.new_zeros(*x.shape[:2], at.sentences * at.symbols, self.spot.out_features)
        spot = self.spot(x)
        if self.rank is not None:
            last = self.rank.num_embeddings - 1
            spot = spot + self.rank(at.rank.clamp(max=last)).unsqueeze(1)
        marks = _add(marks, first + at.symbol.unsqueeze(1), spot * real)
        paired = real * (at.pair > 0)[:, None, :, None]
        marks = _add(marks, first + at.pair.unsqueeze(1), self.pair(x) * paired)
        marks = _add(marks, first + at.channel.clamp(min=0).unsqueeze(2), self.entity(x) * real)
        return marks.view(*x.shape[:2], at.sentences, -1)


def _add(marks: Tensor, place: Tensor, values: Tensor) -> Tensor:
    return marks.scatter_add(2, place.unsqueeze(-1).expand_as(values), values)


class Links(nn.Module):
    """Marks of a child against those of its parent, its siblings, and the question."""

    def __init__(self, width: int, roles: int, ranks: int = 0) -> None:
        super().__init__()
        self.child = Marks(width, roles, ranks)
        self.parent = Marks(width, roles)  # in the parent's own channel
        self.parent_seen = Marks(width, roles)  # the parent's sentence in the child's channel
        self.sibling = Marks(width, roles)
        self.question = Marks(width, roles)

    def forward(
        self, states: Tensor, at: MarkPlaces, question: Tensor, asked_at: MarkPlaces, owner: Tensor
    ) -> Linked:
        """states (M, E, T, D), question (B, E, T', D), owner (B,)."""
        marks = self.child(states, at)  # (M, E, N, Z·K)
        child = marks.transpose(1, 2).flatten(1, 2).transpose(1, 2)  # (M, Z·K, R)
        own, beside = (
            torch.matmul(side(states, at).transpose(1, 2).flatten(1, 2), child)
            for side in (self.parent, self.sibling)
        )
        seen = torch.matmul(self.parent_seen(states, at), marks.transpose(2, 3))  # (M, E, N, N)
        seen = seen.permute(0, 2, 3, 1).flatten(2)  # (M, N, R)
        below = own.view(own.shape[0], -1, states.shape[1], own.shape[2]) + seen.unsqueeze(2)
        asked = torch.matmul(
            marks.index_select(0, owner), self.question(question, asked_at).transpose(2, 3)
        )  # (B, E, N, 1)
        return Linked(below.flatten(1, 2), beside, asked[..., 0].transpose(1, 2).flatten(1))
