"""A batch of theories and questions as padded tensors; how the compact encoder's is made.

Other encoders make their own: `encoders.reader_of` has the reader of a config. Symbols draw their
codes anew for every batch when a random generator is given; without one the codes follow the order
of appearance, so that inference is repeatable. Labels are `gold`'s.

Legend: M theories (one a question, for an encoder that mixes the two), B questions, N sentences,
E channels.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from ibr.model.compact_input import CompactInput, QuestionInput, TheoryInput
from ibr.model.encoding import Input
from ibr.theory import Kind, Question, Theory
from ibr.tokens import QuestionTokens, TheoryTokens, read_question, read_theory

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Gold:
    """Labels and one gold path a question (§3.6). Columns are readings, then NAF, then END."""

    answer: Tensor  # (B,) 1 is true
    strategy: Tensor  # (B,) 1 is proof
    columns: Tensor  # (B, L) the path: QUESTION, then child columns
    parent: Tensor  # (B, L) parent position of each step
    child: Tensor  # (B, L) child column of each step
    is_step: Tensor  # (B, L)


@dataclass(frozen=True)
class Hints:
    """Solver labels for the extra loss of the compact encoder."""

    fires: Tensor  # (M, E, N) depth at which the sentence holds for the channel's entity
    chain: Tensor  # (M, E, N) length of the failure chain that the rule leads; 0 if it leads none
    is_asked: Tensor  # (M, E, N) where that is asked


@dataclass(frozen=True)
class Batch:
    input: Input
    is_rule: Tensor  # (M, N)
    gold: Gold | None = None
    hints: Hints | None = None
    left_out: int = 0  # examples that could not be learned from

    def to(self, device: torch.device | str) -> Batch:
        return _moved(self, device)

    def __len__(self) -> int:
        return len(self.input)


T = TypeVar("T")


def _moved(item: T, device: torch.device | str) -> T:
    changes: dict[str, Any] = {}
    for f in fields(item):  # type: ignore[arg-type]
        value = getattr(item, f.name)
        if isinstance(value, Tensor):
            changes[f.name] = value.to(device)
        elif is_dataclass(value):
            changes[f.name] = _moved(value, device)
    return replace(item, **changes)  # type: ignore[type-var]


@dataclass(frozen=True)
class Asked:
    """A theory and questions about it: what shares one encoding."""

    theory: Theory
    questions: Sequence[Question]


def make_batch(
    asked: Sequence[Asked], channels: int, codes: int, rng: random.Random | None = None
) -> Batch:
    theories = [read_theory(item.theory, channels) for item in asked]
    pairs = [
        (m, read_question(question.text, theories[m]))
        for m, item in enumerate(asked)
        for question in item.questions
    ]
    draws = [
        _draw(max([len(t.numbers), *(q.symbols.max() for i, q in pairs if i == m)]), codes, rng)
        for m, t in enumerate(theories)
    ]
    theory = _theory_input(theories, draws)
    rules = [[int(s.kind is Kind.RULE) for s in item.theory] for item in asked]
    return Batch(
        input=CompactInput(theory, _question_input(pairs, theories, draws)),
        is_rule=pad(rules, theory.kinds.shape[1]).bool(),
    )


def _draw(symbols: int, codes: int, rng: random.Random | None) -> Ints:
    """Code of each symbol number; number 0 (no symbol) has code 0."""
    order = list(range(1, codes + 1))
    if rng is not None:
        rng.shuffle(order)
    return np.array([0, *(order[i % codes] for i in range(symbols))], dtype=np.int64)


def pad(rows: Sequence[Sequence[int] | Ints], width: int, fill: int = 0) -> Tensor:
    out = np.full((len(rows), width), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return torch.from_numpy(out)


def _theory_input(theories: Sequence[TheoryTokens], draws: Sequence[Ints]) -> TheoryInput:
    sentences = max(max(len(t.kinds) for t in theories), 1)
    length = max(int(t.position.max(initial=0)) + 1 for t in theories)
    words = np.zeros((len(theories), sentences, length), dtype=np.int64)
    codes = np.zeros_like(words)
    for m, (t, draw) in enumerate(zip(theories, draws, strict=True)):
        words[m, t.sentence, t.position] = t.words
        codes[m, t.sentence, t.position] = draw[t.symbols]
    spots = max(1, max(len(t.spots) for t in theories))
    channels = max(len(t.channels) for t in theories)
    return TheoryInput(
        words=torch.from_numpy(words),
        codes=torch.from_numpy(codes),
        kinds=pad([t.kinds for t in theories], sentences, 2),
        spots=pad([t.sentence[t.spots] * length + t.position[t.spots] for t in theories], spots),
        sentence=pad([t.sentence[t.spots] for t in theories], spots, -1),
        symbol=pad([t.symbols[t.spots] for t in theories], spots),
        pair=pad([t.pairs for t in theories], spots),
        triple=pad([t.triples for t in theories], spots),
        channels=pad([t.channels for t in theories], channels, -1),
        channel_codes=pad([d[t.channels] for t, d in zip(theories, draws, strict=True)], channels),
        spans=torch.from_numpy(_spans(theories, sentences)),
        pairs=torch.arange(max(t.pairs.max(initial=0) for t in theories) + 1),
        alphabet=torch.arange(max(len(t.numbers) for t in theories) + 2),
    )


def _spans(theories: Sequence[TheoryTokens], sentences: int) -> Ints:
    """(M, N, longest): which spots each sentence has, -1 beyond the end."""
    counts = [np.bincount(t.sentence[t.spots], minlength=sentences) for t in theories]
    spans = np.full((len(theories), sentences, max(1, max(c.max() for c in counts))), -1)
    for m, t in enumerate(theories):
        owner = t.sentence[t.spots]
        first = np.searchsorted(owner, np.arange(sentences))  # words come sentence by sentence
        place = np.arange(len(owner))
        spans[m, owner, place - first[owner]] = place
    return spans


def _question_input(
    pairs: Sequence[tuple[int, QuestionTokens]],
    theories: Sequence[TheoryTokens],
    draws: Sequence[Ints],
) -> QuestionInput:
    questions = [q for _, q in pairs]
    length = max(len(q.words) for q in questions)
    spots = max(len(q.spots) for q in questions)
    strangers = [q.symbols[q.spots] > len(theories[m].numbers) for m, q in pairs]
    return QuestionInput(
        theory=torch.tensor([m for m, _ in pairs]),
        words=pad([q.words for q in questions], length),
        codes=pad([draws[m][q.symbols] for m, q in pairs], length),
        spots=pad([q.spots for q in questions], spots),
        symbol=pad([q.symbols[q.spots] for q in questions], spots),
        pair=pad([q.pairs for q in questions], spots),
        triple=pad([q.triples for q in questions], spots),
        is_spot=pad([np.ones_like(q.spots) for q in questions], spots).bool(),
        is_stranger=pad([s.astype(np.int64) for s in strangers], spots).bool(),
    )
