"""Calibration: a known temperature is found again, and the error is what its definition says."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.data.formats.example import Example
from ibr.data.making.generator import Recipe, generate
from ibr.decoding.proving import SearchingReasoner, Traced, with_length_bonus
from ibr.decoding.scoring import EncodedScorer
from ibr.decoding.search import ScoredPath
from ibr.evaluation.calibration import (
    BINS,
    LEAST,
    Fitted,
    Reliability,
    fit_fail_length_bonus,
    fit_temperature,
)
from ibr.inputs.arrays import Asked
from ibr.prediction import Prediction
from ibr.proof import END, Path, Step
from ibr.theory import Problem, Strategy


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def drawn(temperature: float, count: int = 6000, seed: int = 1) -> tuple[list[float], list[bool]]:
    """What a model that is `temperature` times too sure says, and answers as likely as they are."""
    rng = random.Random(seed)
    logits = [rng.gauss(0, 3) for _ in range(count)]
    answers = [rng.random() < sigmoid(logit) for logit in logits]
    return [sigmoid(temperature * logit) for logit in logits], answers


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5, 6.0])
def test_a_known_temperature_is_found_again(temperature: float) -> None:
    fitted = fit_temperature(*drawn(temperature))
    assert fitted.temperature == pytest.approx(temperature, rel=0.08)
    assert not fitted.at_bound
    assert fitted.after < 0.02
    if temperature != 1.0:
        assert fitted.after < fitted.before / 2


def test_no_other_temperature_makes_the_answers_likelier() -> None:
    probabilities, answers = drawn(2.0, 400)
    best = fit_temperature(probabilities, answers).temperature

    def loss(temperature: float) -> float:
        logits = [math.log(p / (1 - p)) / temperature for p in probabilities]
        return -sum(
            math.log(sigmoid(x if answer else -x))
            for x, answer in zip(logits, answers, strict=True)
        )

    assert loss(best) <= min(loss(0.1 * k) for k in range(1, 100)) + 1e-6


def test_answers_that_are_all_right_have_no_best_temperature() -> None:
    """The surer the better: the search stops at its bound, and says so."""
    fitted = fit_temperature([0.9, 0.8, 0.1], [True, True, False])
    assert fitted.at_bound
    assert fitted.temperature == pytest.approx(LEAST, rel=1e-3)
    assert "bound" in str(fitted)


def test_probabilities_without_a_logit_do_no_harm() -> None:
    """One certain answer that is wrong is dear, not infinitely so."""
    probabilities, answers = drawn(1.0, 500)
    fitted = fit_temperature([*probabilities, 1.0, 0.0], [*answers, False, True])
    assert 1.0 < fitted.temperature < 10.0
    assert math.isfinite(fitted.after)


def test_nothing_fits_nothing() -> None:
    with pytest.raises(ValueError, match="no answers"):
        fit_temperature([], [])


def test_what_was_fitted_is_told() -> None:
    text = str(Fitted(1.5, 2068, 0.0312, 0.0078))
    assert text == ("temperature 1.500 (2,068 held-out questions): ECE 3.12 % before, 0.78 % after")


# --- reliability ---


def plain(answers: list[tuple[float, bool]]) -> float:
    """ECE by its definition, with the answers kept."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in answers:
        for place in range(BINS):
            low, high = 0.5 + place / (2 * BINS), 0.5 + (place + 1) / (2 * BINS)
            if low <= confidence < high or (confidence == 1.0 and place == BINS - 1):
                bins.setdefault(place, []).append((confidence, right))
    return sum(
        len(part)
        / len(answers)
        * abs(sum(c for c, _ in part) / len(part) - sum(r for _, r in part) / len(part))
        for part in bins.values()
    )


# Away from the borders of bins, where rounding decides.
CONFIDENCE = st.integers(0, 2 * BINS - 1).map(lambda k: 0.5 + (k + 0.5) / (4 * BINS)) | st.just(1.0)
ANSWERS = st.lists(st.tuples(CONFIDENCE, st.booleans()), min_size=1)


def reliability(answers: list[tuple[float, bool]]) -> Reliability:
    found = Reliability()
    for confidence, right in answers:
        found.add(confidence, right)
    return found


@given(ANSWERS)
def test_the_error_is_as_defined(answers: list[tuple[float, bool]]) -> None:
    assert reliability(answers).error == pytest.approx(plain(answers))


def test_less_than_half_sure_is_sure_of_the_opposite() -> None:
    """An answer that the checker turned round is still judged as the model gave it."""
    turned, own = reliability([(0.1, True)]), reliability([(0.9, False)])
    assert turned.to_json() == own.to_json()
    assert turned.error == pytest.approx(0.9)


def test_of_nothing_there_is_no_error() -> None:
    assert Reliability().error is None
    assert Reliability().to_json() == {"count": 0, "ece": None, "bins": []}


def failing(score: float, length: int) -> ScoredPath:
    steps = (*(Step(k, k) for k in range(length)), Step(length, END))
    return ScoredPath(Path(Strategy.FAIL_PROOF, steps), score, ())


def test_the_length_bonus_prefers_longer_failures_and_leaves_proofs_alone() -> None:
    proof = ScoredPath(Path(Strategy.PROOF, (Step(0, 0), Step(1, END))), -0.5, ())
    short, long = failing(-1.0, 1), failing(-2.5, 3)
    assert with_length_bonus([proof, short, long], 0.0) == [proof, short, long]
    assert with_length_bonus([proof, short, long], 0.5) == [proof, short, long]
    assert with_length_bonus([proof, short, long], 1.0) == [proof, long, short]
    assert with_length_bonus([short, proof, long], 1.0) == [long, proof, short]


class EndsEarly(SearchingReasoner):
    """Finds the right failure of every question second, `late` times less likely than none."""

    def __init__(self, examples: Sequence[Example], late: float) -> None:
        super().__init__(trace=True)
        self._late = late
        self._proofs = {e.id: e.proofs[0] for e in examples if e.proofs}

    def scorer(self, asked: Sequence[Asked]) -> EncodedScorer:
        raise NotImplementedError

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        predictions: list[Prediction] = []
        for problem in problems:
            path = self._proofs[problem.id].to_path(random.Random(0))
            found = (failing(-0.1, 0), ScoredPath(path, -0.1 - self._late, ()))
            predictions.append(Traced(problem.id, False, self.name, found=found))
        return predictions


def test_the_least_bonus_that_is_right_most_often_is_found() -> None:
    examples = [e for group in generate(Recipe(depth=2), 3, 12) for e in group]
    long = [e for e in examples if e.depth and e.proofs and not e.answer]
    one = [e for e in long if e.proofs and len(e.proofs[0].graph.nodes) == 1]
    one = [e for e in one if e.proofs and e.proofs[0].strategy is Strategy.FAIL_PROOF]
    assert one
    assert fit_fail_length_bonus(EndsEarly(one, 0.9), one) == 1.0
    assert fit_fail_length_bonus(EndsEarly(one, -0.5), one) == 0.0
