"""A batch of theories and questions as padded arrays: what the compact encoder reads. numpy only.

The same arrays go to torch (`ibr.model.batch`) and to onnxruntime (`ibr.decoding.runtime`). With a
random generator, the codes of symbols are drawn for every batch; without one they follow the order
of appearance, so that inference is repeatable.

Legend: M theories, B questions, N sentences, L words, T spots, E channels.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from ibr.inputs.model_words import SYMBOL, KnownWords
from ibr.inputs.tokens import QuestionTokens, TheoryTokens, tokenize_question, tokenize_theory
from ibr.theory import Kind, Question, Theory

HIDDEN: Final = 0.12  # of the theories, in training: words of any kind may be adjectives

Ints = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
A = TypeVar("A")  # an array of numpy, or a tensor


@dataclass(frozen=True)
class TheoryInput(Generic[A]):
    """M theories, padded. Symbols are numbered per theory; codes are what was drawn for them."""

    words: A  # (M, N, L) word ids, 0 is padding
    codes: A  # (M, N, L) 0 for words without a symbol
    kinds: A  # (M, N)
    spots: A  # (M, T) place of each spot in N·L
    sentence: A  # (M, T) its sentence, -1 is padding
    symbol: A  # (M, T) its symbol, 0 is padding
    pair: A  # (M, T) the pair that it forms with the next spot, 0 for none
    triple: A  # (M, T) with the next two
    rank: A  # (M, T) how many rules that have its symbol come before
    channels: A  # (M, E) symbol of each channel; 0: not named in the theory, -1: padding
    channel_codes: A  # (M, E)
    spans: A  # (M, N, longest) the spots of each sentence, -1 beyond the end
    alphabet: A  # (Z,) as long as the longest list of symbols, and one for unknown names
    pairs: A  # (Y,) as long as the longest list of pairs


@dataclass(frozen=True)
class QuestionInput(Generic[A]):
    """B questions about these theories; the first spot of each is [CLS], whose symbol is 0."""

    theory: A  # (B,)
    words: A  # (B, L)
    codes: A  # (B, L)
    spots: A  # (B, T') places in L
    symbol: A  # (B, T')
    pair: A  # (B, T') of the theory's; 0 for others
    triple: A  # (B, T')
    is_spot: A  # (B, T') False is padding
    is_stranger: A  # (B, T') names what the theory does not: the entity of channel 0


@dataclass(frozen=True)
class Arrays:
    """All that is read of a batch."""

    theory: TheoryInput[Array]
    question: QuestionInput[Array]
    is_rule: npt.NDArray[np.bool_]  # (M, N)
    tokens: tuple[TheoryTokens, ...]  # of each theory, for the labels of training

    def named(self) -> dict[str, Array]:
        """By the names that the inputs of an exported graph have."""
        theory = {f"theory.{name}": array for name, array in vars(self.theory).items()}
        question = {f"question.{name}": array for name, array in vars(self.question).items()}
        return theory | question | {"theory.is_rule": self.is_rule}


@dataclass(frozen=True)
class Asked:
    """A theory and questions about it: what shares one encoding."""

    theory: Theory
    questions: Sequence[Question]


def make_arrays(
    asked: Sequence[Asked],
    known: KnownWords,
    channels: int,
    codes: int,
    rng: random.Random | None = None,
) -> Arrays:
    theories = [tokenize_theory(item.theory, known, channels) for item in asked]
    pairs = [
        (m, tokenize_question(question.text, known, theories[m]))
        for m, item in enumerate(asked)
        for question in item.questions
    ]
    draws = [
        _draw(max([len(t.numbers), *(q.symbols.max() for i, q in pairs if i == m)]), codes, rng)
        for m, t in enumerate(theories)
    ]
    theory = _theory_input(theories, draws)
    question = _question_input(pairs, theories, draws)
    if rng is not None:
        hidden = np.array([rng.random() < HIDDEN for _ in asked])
        theory = replace(theory, words=_hidden(theory.words, hidden, known))
        question = replace(question, words=_hidden(question.words, hidden[question.theory], known))
    rules = [[int(s.kind is Kind.RULE) for s in item.theory] for item in asked]
    is_rule = pad(rules, theory.kinds.shape[1]).astype(bool)
    return Arrays(theory, question, is_rule, tuple(theories))


def _hidden(words: Ints, hidden: npt.NDArray[np.bool_], known: KnownWords) -> Ints:
    """Adjectives as plain symbols in the `hidden` rows."""
    rows = hidden.reshape(-1, *[1] * (words.ndim - 1))
    return np.where(rows & (words >= known.adjective), SYMBOL, words)


def _draw(symbols: int, codes: int, rng: random.Random | None) -> Ints:
    """Code of each symbol number; number 0 (no symbol) has code 0."""
    order = list(range(1, codes + 1))
    if rng is not None:
        rng.shuffle(order)
    return np.array([0, *(order[i % codes] for i in range(symbols))], dtype=np.int64)


def pad(rows: Sequence[Sequence[int] | Ints], width: int, fill: int = 0) -> Ints:
    out = np.full((len(rows), width), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


def _theory_input(theories: Sequence[TheoryTokens], draws: Sequence[Ints]) -> TheoryInput[Array]:
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
        words=words,
        codes=codes,
        kinds=pad([t.kinds for t in theories], sentences, 2),
        spots=pad([t.sentence[t.spots] * length + t.position[t.spots] for t in theories], spots),
        sentence=pad([t.sentence[t.spots] for t in theories], spots, -1),
        symbol=pad([t.symbols[t.spots] for t in theories], spots),
        pair=pad([t.pairs for t in theories], spots),
        triple=pad([t.triples for t in theories], spots),
        rank=pad([t.ranks for t in theories], spots),
        channels=pad([t.channels for t in theories], channels, -1),
        channel_codes=pad([d[t.channels] for t, d in zip(theories, draws, strict=True)], channels),
        spans=_spans(theories, sentences),
        pairs=np.arange(max(t.pairs.max(initial=0) for t in theories) + 1),
        alphabet=np.arange(max(len(t.numbers) for t in theories) + 2),
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
) -> QuestionInput[Array]:
    questions = [q for _, q in pairs]
    length = max(len(q.words) for q in questions)
    spots = max(len(q.spots) for q in questions)
    unknown = [q.symbols[q.spots] > len(theories[m].numbers) for m, q in pairs]
    return QuestionInput(
        theory=np.array([m for m, _ in pairs], dtype=np.int64),
        words=pad([q.words for q in questions], length),
        codes=pad([draws[m][q.symbols] for m, q in pairs], length),
        spots=pad([q.spots for q in questions], spots),
        symbol=pad([q.symbols[q.spots] for q in questions], spots),
        pair=pad([q.pairs for q in questions], spots),
        triple=pad([q.triples for q in questions], spots),
        is_spot=pad([np.ones_like(q.spots) for q in questions], spots).astype(bool),
        is_stranger=pad([s.astype(np.int64) for s in unknown], spots).astype(bool),
    )
