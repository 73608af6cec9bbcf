"""The events of a search: the model's own answer, then its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ibr.prediction import Prediction
from ibr.theory import Strategy


@dataclass(frozen=True, slots=True)
class Guess:
    """The model's own answer, known once the theory is encoded: before any proof, unchecked.

    `confidence` is the calibrated probability of this answer, `proof_probability` that of there
    being a proof; None where the system has no such number. `reading` is the question as it was
    understood, None if it could not be read.
    """

    question: str
    reading: str | None
    answer: bool
    strategy: Strategy | None
    confidence: float | None
    proof_probability: float | None

    @classmethod
    def of(
        cls, question: str, reading: str | None, prediction: Prediction, proof: float | None = None
    ) -> Guess:
        strategy, confidence = prediction.strategy, prediction.confidence
        return cls(question, reading, prediction.answer, strategy, confidence, proof)

    def to_json(self) -> dict[str, Any]:
        sure, proof = self.confidence, self.proof_probability
        return asdict(self) | {
            "confidence": None if sure is None else round(sure, 4),
            "proof_probability": None if proof is None else round(proof, 6),
        }


@dataclass(frozen=True, slots=True)
class Stepped:
    """One step of a path: under which place which node was put, and what else was weighed.

    `number` counts from 1. An event replaces the one of its number and all after it (`onto`): if
    there were such, another path leads now. A parent is a
    position on the path: 0 is the question, k the child of step k. A child is a sentence (from 0),
    "NAF" or "END". Both lists are (candidate, probability), likeliest first.
    """

    number: int
    parent: int
    child: int | str
    parents: tuple[tuple[int, float], ...]
    children: tuple[tuple[int | str, float], ...]

    def onto(self, path: Sequence[Stepped]) -> list[Stepped]:
        """The path after this event."""
        return [*path[: self.number - 1], self]

    @classmethod
    def of_json(cls, number: int, step: dict[str, Any]) -> Stepped:
        """A step of `ibr.decoding.trace`."""
        parents, children = (tuple(map(tuple, step[name])) for name in ("parents", "children"))
        return cls(number, step["parent"], step["child"], parents, children)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "parent": self.parent,
            "child": self.child,
            "parents": [list(pair) for pair in self.parents],
            "children": [list(pair) for pair in self.children],
        }
