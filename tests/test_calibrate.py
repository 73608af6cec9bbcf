"""Calibration: a known temperature is found again, and the error is what its definition says."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibr.calibrate import BINS, LEAST, Fitted, Reliability, fit_temperature


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
    told = str(Fitted(1.5, 2068, 0.0312, 0.0078))
    assert told == ("temperature 1.500 (2,068 held-out questions): ECE 3.12 % before, 0.78 % after")


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


@given(ANSWERS, ANSWERS)
def test_reliabilities_add_up(
    some: list[tuple[float, bool]], others: list[tuple[float, bool]]
) -> None:
    both = reliability(some) + reliability(others)
    assert both.count == len(some) + len(others)
    assert both.error == pytest.approx(plain([*some, *others]))


def test_less_than_half_sure_is_sure_of_the_opposite() -> None:
    """An answer that the checker turned round is still judged as the model gave it."""
    turned, own = reliability([(0.1, True)]), reliability([(0.9, False)])
    assert turned.to_json() == own.to_json()
    assert turned.error == pytest.approx(0.9)


def test_of_nothing_there_is_no_error() -> None:
    assert Reliability().error is None
    assert Reliability().to_json() == {"count": 0, "ece": None, "bins": []}
