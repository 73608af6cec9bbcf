"""Sentences with two readings: a verdict is certified exactly when all combinations agree.

The readings of each form are written here by hand, as sentences that have only one.
"""

import random
from itertools import product
from typing import NamedTuple

import pytest

import ibr

STATES = ("old", "calm", "late", "tired")
KINDS = ("dog", "cat", "goat")


class Ambiguous(NamedTuple):
    text: str
    readings: tuple[str, str]


def adjective_before_two(rng: random.Random) -> Ambiguous:
    (one, other), (state, then) = rng.sample(KINDS, 2), rng.sample(STATES, 2)
    first = f"{state.capitalize()} {one}s are {then}."
    return Ambiguous(
        f"{state.capitalize()} {one}s and {other}s are {then}.",
        (
            f"{first} {state.capitalize()} {other}s are {then}.",
            f"{first} {other.capitalize()}s are {then}.",
        ),
    )


def or_before_and(rng: random.Random) -> Ambiguous:
    a, b, c, then = rng.sample(STATES, 4)
    return Ambiguous(
        f"An animal is {then} if it is {a} or {b} and {c}.",
        (
            f"If an animal is {a} then it is {then}. "
            f"If an animal is {b} and {c} then it is {then}.",
            f"If an animal is {a} and {c} then it is {then}. "
            f"If an animal is {b} and {c} then it is {then}.",
        ),
    )


def draw(rng: random.Random) -> tuple[str, list[Ambiguous]]:
    names = ("Rex", "Milo", "Luna")
    facts = [f"{name} is a {rng.choice(KINDS)}." for name in names]
    facts += [f"{rng.choice(names)} is {rng.choice(STATES)}." for _ in range(rng.randint(1, 4))]
    forms = (adjective_before_two, or_before_and)
    return " ".join(facts), [rng.choice(forms)(rng) for _ in range(rng.randint(1, 3))]


@pytest.mark.parametrize("seed", range(30))
def test_certified_exactly_when_all_readings_agree(seed: int) -> None:
    rng = random.Random(seed)
    facts, sentences = draw(rng)
    prover = ibr.load("solver")
    questions = [f"Is {name} {state}?" for name in ("Rex", "Milo") for state in STATES]
    asked = prover.prove(f"{facts} {' '.join(s.text for s in sentences)}", questions)
    combinations = [
        prover.prove(f"{facts} {' '.join(chosen)}", questions)
        for chosen in product(*(s.readings for s in sentences))
    ]
    for i, result in enumerate(asked):
        verdicts = {str(results[i].verdict) for results in combinations}
        expected = verdicts.pop() if len(verdicts) == 1 else "cannot say"
        assert str(result.verdict) == expected, (facts, sentences, questions[i], result.reason)
