"""How far stated probabilities can be trusted, and the temperature that mends them.

Knows no model and no file: a reasoner is asked, and its confidences are compared with the labels.

* Reliability: answers in bins by their confidence; the expected calibration error (ECE) is the mean
  distance of confidence and accuracy, bins weighed by their size.
* Patience: which of the failures found is given, a longer one or a likelier one.
* Temperature T: P(true) = 1 / (1 + exp(-logit / T)). T > 1 makes a model less sure of itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ibr.data.example import Example
from ibr.proving import SearchingReasoner, Traced, patient
from ibr.reasoner import Reasoner, prove_all
from ibr.theory import Strategy

BINS: Final = 15
PATIENCE: Final = tuple(k / 4 for k in range(13))  # that are looked at
LEAST, MOST = 0.1, 10.0  # temperatures that are looked at
_LOGIT: Final = 36.0  # a double says 1.0 beyond it
_GOLDEN: Final = (math.sqrt(5) - 1) / 2
_CLOSE: Final = 1e-4  # of log T


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about the same confidence."""

    count: int = 0
    right: int = 0
    confidence: float = 0.0  # the sum

    def __add__(self, other: Bin) -> Bin:
        return Bin(
            self.count + other.count,
            self.right + other.right,
            self.confidence + other.confidence,
        )


@dataclass
class Reliability:
    """Bins of equal width over confidences from 0.5 to 1; `a + b` is of both."""

    bins: list[Bin] = field(default_factory=lambda: [Bin()] * BINS)

    def add(self, confidence: float, right: bool) -> None:
        """A system that is less than half sure of an answer says the other one."""
        if confidence < 0.5:
            confidence, right = 1 - confidence, not right
        place = min(int((2 * confidence - 1) * BINS), BINS - 1)
        self.bins[place] += Bin(1, int(right), confidence)

    def __add__(self, other: Reliability) -> Reliability:
        return Reliability([a + b for a, b in zip(self.bins, other.bins, strict=True)])

    @property
    def count(self) -> int:
        return sum(part.count for part in self.bins)

    @property
    def error(self) -> float | None:
        """ECE = Σ |confidence - accuracy| · share of the bin, from 0 to 1; None of nothing."""
        if not self.count:
            return None
        return sum(abs(part.confidence - part.right) for part in self.bins) / self.count

    def to_json(self) -> dict[str, Any]:
        """Bins without answers are left out; `from` is where a bin begins."""
        return {
            "count": self.count,
            "ece": self.error,
            "bins": [
                {
                    "from": round(0.5 + place / (2 * BINS), 4),
                    "count": part.count,
                    "confidence": part.confidence / part.count,
                    "accuracy": part.right / part.count,
                }
                for place, part in enumerate(self.bins)
                if part.count
            ],
        }


@dataclass(frozen=True, slots=True)
class Fitted:
    """The temperature that fits best, and the ECE of the same answers without and with it."""

    temperature: float
    count: int
    before: float
    after: float

    @property
    def at_bound(self) -> bool:
        """Nothing between the bounds is best: answers that are all right, or hardly any."""
        return not LEAST * 1.001 < self.temperature < MOST / 1.001

    def __str__(self) -> str:
        bound = ", a bound: nothing between the bounds fits better" if self.at_bound else ""
        return (
            f"temperature {self.temperature:.3f}{bound} ({self.count:,} held-out questions): "
            f"ECE {100 * self.before:.2f} % before, {100 * self.after:.2f} % after"
        )


def fit_reasoner(reasoner: Reasoner, examples: Iterable[Example]) -> Fitted:
    """The temperature for a model whose own is 1; the questions are not those it learned from."""
    probabilities, answers = [], []
    for example, said in prove_all(reasoner, examples, lambda asked: asked.problem):
        if said.confidence is None:
            raise ValueError(f"{reasoner.name} does not say how sure it is")
        probabilities.append(said.confidence if said.answer else 1 - said.confidence)
        answers.append(example.answer)
    return fit_temperature(probabilities, answers)


def fit_patience(reasoner: SearchingReasoner, examples: Iterable[Example]) -> float:
    """What each step should add so that most failures are right; the least that does."""
    failing = [e for e in examples if e.proofs and e.proofs[0].strategy is Strategy.FAIL_PROOF]
    right = dict.fromkeys(PATIENCE, 0)
    for example, said in prove_all(reasoner, failing, lambda asked: asked.problem):
        assert isinstance(said, Traced)
        assert example.proofs
        for patience in PATIENCE:
            right[patience] += patient(said.found, patience)[0].graph == example.proofs[0].graph
    return max(right, key=lambda patience: (right[patience], -patience))


def fit_temperature(probabilities: Sequence[float], answers: Sequence[bool]) -> Fitted:
    """T that makes these answers most likely; P(true) as a model says it at T = 1."""
    if not answers:
        raise ValueError("no answers to fit a temperature on")
    logits = [_logit(probability) for probability in probabilities]
    towards = [x if answer else -x for x, answer in zip(logits, answers, strict=True)]

    def loss(log_t: float) -> float:
        scale = math.exp(-log_t)
        return sum(_softplus(-x * scale) for x in towards)  # -log P(answer)

    temperature = math.exp(_lowest(loss, math.log(LEAST), math.log(MOST)))
    return Fitted(
        temperature,
        len(answers),
        _error(logits, answers, 1.0),
        _error(logits, answers, temperature),
    )


def _error(logits: Sequence[float], answers: Sequence[bool], temperature: float) -> float:
    found = Reliability()
    for x, answer in zip(logits, answers, strict=True):
        found.add(math.exp(-_softplus(-x / temperature)), answer)
    return found.error or 0.0


def _logit(probability: float) -> float:
    if not 0 < probability < 1:
        return math.copysign(_LOGIT, probability - 0.5)
    return max(-_LOGIT, min(_LOGIT, math.log(probability) - math.log1p(-probability)))


def _softplus(x: float) -> float:
    """log(1 + exp(x))."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _lowest(loss: Callable[[float], float], low: float, high: float) -> float:
    """Golden-section search; -log P(answer) has one valley in 1 / T."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > _CLOSE:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(right)
    return (low + high) / 2
