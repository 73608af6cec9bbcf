"""A budget of work: counted, the same each time, and enough for ordinary rulebooks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ibr
from benchmarks.attackers import large
from ibr.asking.caches import forget_models, forget_readings
from ibr.logic.budget import Budget, Cancelled, OutOfWork, keep, spend

RULEBOOK = Path(__file__).parent / "rulebooks" / "07-hospital-triage.json"


def names(count: int) -> list[str]:
    return [f"N{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(count)]


def three_variables(count: int) -> str:
    """Six rules over X, Y and Z: a cube of groundings for each."""
    verbs = ("likes", "sees", "needs", "eats", "chases", "visits")
    rules = [f"If X is big and Y is big and Z is big then X {verb} Y." for verb in verbs]
    return "\n".join([*(f"{name} is big." for name in names(count)), *rules])


def used(rules: str, question: str) -> tuple[int, int]:
    forget_readings()
    forget_models()
    with Budget() as budget:
        ibr.load("solver").prove(rules, question)
    return budget.used, budget.kept


def test_the_same_work_counts_the_same() -> None:
    book = json.loads(RULEBOOK.read_text(encoding="utf-8"))
    rules = "\n".join(sentence["text"] for sentence in book["sentences"])
    first = used(rules, book["questions"][0]["text"])
    assert first == used(rules, book["questions"][0]["text"])
    assert 0 < first[0] < 50_000
    assert 0 < first[1] < 5_000


def test_a_further_question_does_not_look_through_the_whole_rulebook_again() -> None:
    asking = ibr.load("solver").ask(large(3, sentences=40))
    with Budget() as first:
        asking.prove("The dog is w1en.")
    with Budget() as second:
        asking.prove("The dog is w2en.")
    assert second.used < 5_000 < first.used


def test_groundings_are_bounded() -> None:
    with pytest.raises(OutOfWork) as caught, Budget(groundings=10_000) as budget:
        ibr.load("solver").prove(three_variables(100), "Naa likes Nab.")
    assert (caught.value.limit, caught.value.most) == ("groundings", 10_000)
    assert budget.kept == 10_001
    assert ibr.load("solver").prove("Bob is big.", "Bob is big.").proved  # no budget is left behind


@pytest.mark.parametrize("steps", [100, 3_000, 60_000])
def test_steps_are_bounded_in_reading_and_in_reasoning(steps: int) -> None:
    forget_readings()
    rules = "\n".join(
        f"If a {n} that sees the dog or the cat is not ill, the {n} may visit {n} and the garden."
        for n in names(60)
    )
    with pytest.raises(OutOfWork, match="more than"), Budget(steps=steps):
        ibr.load("solver").prove(rules, "The dog may visit the garden.")


def test_work_that_nobody_waits_for_stops() -> None:
    polls = []

    def poll() -> None:
        polls.append(1)
        if len(polls) == 3:
            raise Cancelled

    with pytest.raises(Cancelled), Budget(poll=poll):
        ibr.load("solver").prove(three_variables(60), "Naa likes Nab.")
    assert len(polls) == 3


def test_without_a_budget_nothing_is_counted() -> None:
    spend(10**9)
    keep(10**9)
