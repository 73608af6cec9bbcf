"""Text in and out of a generating system: known words by their ids, all others by copying.

Output tokens are words of a closed list (grammar, operators, numbers, the notation of proofs),
labels of the sentences of this very input, or *slots*: its words, numbered. A label is written by
pointing at its sentence, a slot by pointing at its word. So words stay anonymous, as they are for
the compact encoder, and any vocabulary can be written; labels say nothing of the order.

Legend: B questions, G groups, T tokens of a theory, T' of a question, V words, N sentences, Z
slots, L tokens.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor

from ibr.baselines.system import SystemBatch, SystemConfig
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import KnownWords, ModelWords, default_words
from ibr.inputs.tokens import stem, tokenize
from ibr.model.batch import Batch, pad, reader_of
from ibr.model.encoders.encoding import CompactInput

END: Final = 0  # the id of the end of a text
_IGNORED: Final = -100  # by the cross-entropy
_WORD: Final = re.compile(r"[a-z0-9]+", re.IGNORECASE)
Slots = Mapping[str, int]  # word → its number, from 1
Labels = Mapping[str, int]  # label → the sentence that it cites


class Copied(NamedTuple):
    """What may be copied from one input."""

    slots: Slots
    labels: Labels


@dataclass(frozen=True)
class TextBatch(SystemBatch):
    read: Batch
    theory_slot: Tensor  # (G, T) the slot whose word stands at each token of the theory; 0: none
    question_slot: Tensor  # (B, T')
    sizes: Tensor  # (B, 2) how many sentences have a label, how many slots there are
    target: Tensor | None = None  # (B, L) ids: V words, N sentences, Z slots; END last


class OutputWords:
    """Ids of output tokens: the closed list, then the sentences, then the slots of each input."""

    def __init__(self, words: ModelWords, notation: Sequence[str] = ()) -> None:
        self.known = words.known
        self.words = ("[END]", *dict.fromkeys((*words.known.grammar, *notation)))
        self._ids = {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, tokens: Sequence[str], given: Copied, sentences: int) -> list[int]:
        """Raises ValueError for a word that is neither known nor in the input."""
        return [*(self._id(token, given, sentences) for token in tokens), END]

    def _id(self, token: str, given: Copied, sentences: int) -> int:
        if token in given.labels:
            return len(self) + given.labels[token]
        if token in self._ids:
            return self._ids[token]
        if token not in given.slots:
            raise ValueError(f"{token!r} is not in the input, so it cannot be copied")
        return len(self) + sentences + given.slots[token] - 1

    def decode(self, ids: Sequence[int], given: Copied, sentences: int) -> list[str]:
        copied = {sentence: label for label, sentence in given.labels.items()}
        copied |= {sentences + slot - 1: word for word, slot in given.slots.items()}
        return [self.words[i] if i < len(self) else copied[i - len(self)] for i in ids]


def extended(words: Sequence[str]) -> ModelWords:
    """The words of a new model, with more that are known as they are: operators and labels."""
    default = default_words()
    grammar = (*default.known.grammar, *words)
    return replace(default, known=replace(default.known, grammar=grammar))


class TextReader:
    """Asked → tensors with slots. Has no weights: data workers use it."""

    def __init__(self, config: SystemConfig, words: ModelWords) -> None:
        self.reader = reader_of(config, words)
        self.known = words.known

    def copied(self, asked: Sequence[Asked], labels: Sequence[Labels]) -> list[Copied]:
        """Of each question; `labels` are those of each theory's sentences."""
        found = []
        for item, own in zip(asked, labels, strict=True):
            theory = _numbered({}, (s.text for s in item.theory), self.known)
            found += [Copied(_numbered(theory, [q.text], self.known), own) for q in item.questions]
        return found

    def read(
        self, asked: Sequence[Asked], copied: Sequence[Copied], rng: random.Random | None = None
    ) -> TextBatch:
        batch = self.reader(asked, rng=rng)
        slots = [given.slots for given in copied]
        if isinstance(batch.input, CompactInput):
            symbol = batch.input.theory.symbol.unsqueeze(1)
            theory = symbol.expand(-1, batch.input.channels, -1).flatten(1)
            question = batch.input.question.symbol
        else:
            theory, question = _places_of_words(self.reader, batch.input, asked, slots)
        sizes = torch.tensor([[len(given.labels), len(given.slots)] for given in copied])
        return TextBatch(len(copied), batch, theory, question, sizes)

    def labelled(
        self,
        asked: Sequence[Asked],
        labels: Sequence[Labels],
        targets: Sequence[Sequence[str]],
        out: OutputWords,
        rng: random.Random,
    ) -> TextBatch:
        """Raises ValueError if a target cannot be written."""
        copied = self.copied(asked, labels)
        batch = self.read(asked, copied, rng)
        pairs = zip(targets, copied, strict=True)
        ids = [out.encode(*pair, batch.read.is_rule.shape[1]) for pair in pairs]
        return replace(batch, target=pad(ids, max(map(len, ids)), _IGNORED))


def _numbered(before: Slots, texts: Iterable[str], known: KnownWords) -> dict[str, int]:
    """As the compact encoder numbers its symbols."""
    found = dict(before)
    for text in texts:
        for token in tokenize(text, known):
            if token.symbol:
                found.setdefault(token.symbol, len(found) + 1)
    return found


def _places_of_words(
    reader: Any, read: Any, asked: Sequence[Asked], slots: Sequence[Slots]
) -> tuple[Tensor, Tensor]:
    """The slot of each word piece of a pretrained encoder's input, as its reader cut the text."""
    theory, question = torch.zeros_like(read.ids), torch.zeros_like(read.question)
    pairs = [(item.theory, q.text) for item in asked for q in item.questions]
    for row, (sentences, text) in enumerate(pairs):
        texts = reader.shortened(text), " ".join(reader.shortened(s.text) for s in sentences)
        cut = reader.tokenizer(*texts, return_offsets_mapping=True)
        words = [
            [(m.span(), slots[row].get(stem(m.group().lower()), 0)) for m in _WORD.finditer(side)]
            for side in texts
        ]
        asked_slots = []
        for place, (side, span) in enumerate(
            zip(cut.sequence_ids(0), cut["offset_mapping"], strict=True)
        ):
            if side is not None:
                slot = next((z for at, z in words[side] if at[0] < span[1] and span[0] < at[1]), 0)
                asked_slots += [slot] if side == 0 else []
                theory[row, place] = slot
        question[row, : len(asked_slots)] = torch.tensor(asked_slots)
    return theory, question
