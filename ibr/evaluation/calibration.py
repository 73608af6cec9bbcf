"""Calibration of stated probabilities: how good it is, and the temperature that corrects it.

* Reliability: answers in bins by their confidence. The expected calibration error (ECE) is the mean
  distance of confidence and accuracy, weighted by the size of the bins.
* Length bonus of failures: which of the failures found is given, a longer one or a likelier one.
* Temperature T: P(true) = 1 / (1 + exp(-logit / T)). T > 1 makes a model less confident.

Knows no model and no file: the confidences of any reasoner are compared with the labels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ibr.data.formats.example import Example
from ibr.decoding.proving import SearchingReasoner, Traced, with_length_bonus
from ibr.errors import InputError
from ibr.reasoner import Reasoner, prove_all
from ibr.theory import Strategy

BINS: Final = 15
BONUSES: Final = tuple(k / 4 for k in range(13))  # that are tried
LEAST, MOST = 0.1, 10.0  # bounds of the temperature
_MAX_LOGIT: Final = 36.0  # a double is 1.0 beyond it
_POINTS: Final = 101  # of each search for the temperature

Floats = npt.NDArray[np.float64]


@dataclass
class Reliability:
    """Answers in bins of equal width over confidences from 0.5 to 1."""

    counts: list[int] = field(default_factory=lambda: [0] * BINS)
    right: list[int] = field(default_factory=lambda: [0] * BINS)
    confidence: list[float] = field(default_factory=lambda: [0.0] * BINS)  # sums

    def add(self, confidence: float, right: bool) -> None:
        """An answer with a confidence below a half counts as the other answer."""
        if confidence < 0.5:
            confidence, right = 1 - confidence, not right
        place = min(int((2 * confidence - 1) * BINS), BINS - 1)
        self.counts[place] += 1
        self.right[place] += right
        self.confidence[place] += confidence

    @property
    def count(self) -> int:
        return sum(self.counts)

    @property
    def error(self) -> float | None:
        """ECE = Σ |confidence - accuracy| · share of the bin, from 0 to 1; None of no answers."""
        distances = (abs(c - r) for c, r in zip(self.confidence, self.right, strict=True))
        return sum(distances) / self.count if self.count else None

    def to_json(self) -> dict[str, Any]:
        """Bins without answers are left out; `from` is where a bin begins."""
        return {
            "count": self.count,
            "ece": self.error,
            "bins": [
                {
                    "from": round(0.5 + place / (2 * BINS), 4),
                    "count": count,
                    "confidence": self.confidence[place] / count,
                    "accuracy": self.right[place] / count,
                }
                for place, count in enumerate(self.counts)
                if count
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
        """No temperature between the bounds is best: nearly all answers are right, or wrong."""
        return not LEAST * 1.001 < self.temperature < MOST / 1.001

    def __str__(self) -> str:
        bound = ", a bound: nothing between the bounds fits better" if self.at_bound else ""
        return (
            f"temperature {self.temperature:.3f}{bound} ({self.count:,} held-out questions): "
            f"ECE {100 * self.before:.2f} % before, {100 * self.after:.2f} % after"
        )


def fit_reasoner(reasoner: Reasoner, examples: Iterable[Example]) -> Fitted:
    """The temperature for a model whose own is 1, from questions that it was not trained on."""
    probabilities, answers = [], []
    for example, found in prove_all(reasoner, examples, lambda asked: asked.problem):
        if found.confidence is None:
            raise InputError(f"{reasoner.name} states no confidence")
        probabilities.append(found.confidence if found.answer else 1 - found.confidence)
        answers.append(example.answer)
    return fit_temperature(probabilities, answers)


def fit_fail_length_bonus(reasoner: SearchingReasoner, examples: Iterable[Example]) -> float:
    """The least bonus of a step with which most failures are right."""
    failing = [e for e in examples if e.proofs and e.proofs[0].strategy is Strategy.FAIL_PROOF]
    right = dict.fromkeys(BONUSES, 0)
    for example, found in prove_all(reasoner, failing, lambda asked: asked.problem):
        assert isinstance(found, Traced)
        assert example.proofs
        for bonus in BONUSES:
            best = with_length_bonus(found.found, bonus)[0]
            right[bonus] += best.graph == example.proofs[0].graph
    return max(right, key=lambda bonus: (right[bonus], -bonus))


def fit_temperature(probabilities: Sequence[float], answers: Sequence[bool]) -> Fitted:
    """The T that makes these answers most likely; P(true) is given for T = 1."""
    if not answers:
        raise InputError("no answers to fit a temperature on")
    p, is_true = np.array(probabilities), np.array(answers)
    with np.errstate(divide="ignore"):
        logits = np.clip(np.log(p) - np.log1p(-p), -_MAX_LOGIT, _MAX_LOGIT)
    towards = np.where(is_true, logits, -logits)
    low, high = np.log(LEAST), np.log(MOST)
    while True:  # -log P(answers) has one minimum in log T: it lies beside the best point
        points = np.linspace(low, high, _POINTS)
        losses = [np.logaddexp(0, -towards * np.exp(-point)).sum() for point in points]
        best = int(np.argmin(losses))
        if high - low < 1e-4:
            break
        low, high = points[max(best - 1, 0)], points[min(best + 1, _POINTS - 1)]
    temperature = float(np.exp(points[best]))
    before, after = (_error(logits, answers, t) for t in (1.0, temperature))
    return Fitted(temperature, len(answers), before, after)


def _error(logits: Floats, answers: Sequence[bool], temperature: float) -> float:
    found = Reliability()
    for confidence, answer in zip(1 / (1 + np.exp(-logits / temperature)), answers, strict=True):
        found.add(float(confidence), answer)
    return found.error or 0.0
