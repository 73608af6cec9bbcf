"""What is asked: a Theory of numbered sentences and a Question about it.

Plain nouns of the standard library. Nothing here reads English: a Sentence knows its text and its
kind, not its meaning (that is `ibr.logic`). An *index* is always a place in `Theory.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ibr.errors import InputError


class Kind(StrEnum):
    """What a sentence does in a theory."""

    FACT = "fact"
    RULE = "rule"
    REMARK = "remark"  # a heading or comment: states nothing
    UNKNOWN = "unknown"  # cannot be read, and its author did not label it


class Strategy(StrEnum):
    """The paper's S: the question or its negation is proved, or neither is."""

    PROOF = "proof"
    FAIL_PROOF = "fail-proof"


class FineStrategy(StrEnum):
    """The six values of RuleTaker's files; `inv-` marks what flips the plain form's polarity."""

    PROOF = "proof"
    INV_PROOF = "inv-proof"
    RCONC = "rconc"  # not provable, though some rule concludes it
    INV_RCONC = "inv-rconc"
    RANDOM = "random"  # not provable, and no rule concludes it
    INV_RANDOM = "inv-random"

    @property
    def strategy(self) -> Strategy:
        proved = self in (FineStrategy.PROOF, FineStrategy.INV_PROOF)
        return Strategy.PROOF if proved else Strategy.FAIL_PROOF


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    kind: Kind = Kind.UNKNOWN

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InputError("a sentence must have text")


@dataclass(frozen=True, slots=True)
class Question:
    """A statement to be judged true or false, e.g. `Question("Bob is kind.")`."""

    text: str

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InputError("a question must have text")


@dataclass(frozen=True, slots=True)
class Theory:
    """Facts and rules in the order of the text.

    `numbers[i]` is the author's own number of sentence i where a file scrambled the order (ties
    between failure chains go to the lowest number); by default it is i.
    """

    sentences: tuple[Sentence, ...]
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.numbers:
            object.__setattr__(self, "numbers", tuple(range(len(self.sentences))))
        if len(self.numbers) != len(self.sentences):
            raise InputError(
                f"{len(self.numbers)} numbers for {len(self.sentences)} sentences: give one each"
            )
        if len(set(self.numbers)) != len(self.numbers):
            raise InputError("two sentences have the same number")

    @classmethod
    def of(cls, texts: Sequence[str], kinds: Sequence[Kind] | None = None) -> Theory:
        """`Theory.of(["Bob is kind."])`; without kinds, sentences are UNKNOWN until read."""
        if kinds is None:
            kinds = [Kind.UNKNOWN] * len(texts)
        if len(kinds) != len(texts):
            raise InputError(f"{len(kinds)} kinds for {len(texts)} sentences: one each is needed")
        return cls(tuple(Sentence(text, kind) for text, kind in zip(texts, kinds, strict=True)))

    @property
    def as_shown(self) -> Theory:
        """The same sentences, numbered in the order in which they appear."""
        return Theory(self.sentences)

    @property
    def text(self) -> str:
        """The context as RuleTaker writes it: sentences joined by one space."""
        return " ".join(sentence.text for sentence in self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, index: int) -> Sentence:
        return self.sentences[index]

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)


@dataclass(frozen=True, slots=True)
class Problem:
    """One question about one theory: what every Reasoner is given."""

    id: str
    theory: Theory
    question: Question
