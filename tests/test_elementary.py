"""Plain English with undisputed answers: what is decided rightly stays so, and nothing is wrong."""

from __future__ import annotations

from collections import Counter

import pytest

import ibr
from benchmarks.elementary import FOLDER, count, kind_of
from benchmarks.elementary import Asked as AskedOf

LATER = [  # a minute in all
    pytest.param(f"{of}/{kind}-{half}", marks=pytest.mark.slow)
    for of in ("new", "third", "fourth")
    for kind in ("plain", "subtle")
    for half in "ab"
] + [pytest.param(name, marks=pytest.mark.slow) for name in ("fifth/plain-a", "fifth/subtle-a")]


def kinds(name: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for (_, kind), number in count(FOLDER / name, ibr.load("solver")).items():
        found[kind] += number
    return found


def test_everyday_sentences_are_decided_rightly_and_none_is_certified_wrong() -> None:
    found = kinds("own.jsonl")
    assert found["wrong"] == 0
    assert found["right"] >= 150


def test_other_subjects_are_decided_rightly_and_none_is_certified_wrong() -> None:
    found = kinds("fresh.jsonl")
    assert found["wrong"] == 0
    assert found["right"] >= 350


def test_daily_sentences_are_decided_rightly_and_none_is_certified_wrong() -> None:
    found = kinds("daily.jsonl")
    assert found["wrong"] == 0
    assert found["right"] >= 290


def test_near_misses_and_tricky_sentences_are_certified_wrong_no_more_often_than_recorded() -> None:
    assert kinds("probes.jsonl")["wrong"] == 0
    assert kinds("tricky.jsonl")["wrong"] == 0
    assert kinds("eighth-probes.jsonl")["wrong"] == 0


def test_kinds_of_outcomes() -> None:
    asked = AskedOf("1", "unless", "", "", ("no",), is_soft=True)
    verdicts = ("no", "not shown", "cannot say", "yes")
    assert [kind_of(verdict, asked) for verdict in verdicts] == [
        "right", "soft", "undecided", "wrong",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["fifth/plain-b", "sixth/plain-b", "sixth/plain-a", *LATER])
def test_items_that_were_run_once_are_not_certified_wrongly(name: str) -> None:
    assert kinds(f"{name}.jsonl")["wrong"] == 0


@pytest.mark.parametrize("half", ["a", "b"])
def test_the_items_of_the_outside_style(half: str) -> None:
    found = kinds(f"seventh/plain-{half}.jsonl")
    assert found["wrong"] == 0
    assert found["right"] >= 0.9 * 150


@pytest.mark.parametrize(("name", "least"), [("own", 281), ("plain-a", 74)])
def test_the_newest_items_are_decided_as_often_as_recorded(name: str, least: int) -> None:
    found = kinds(f"eighth/{name}.jsonl")
    assert found["right"] >= least
    assert found["wrong"] <= 1


@pytest.mark.parametrize(("name", "least"), [("thirteenth", 140), ("fourteenth", 112)])
def test_first_examples_by_strangers(name: str, least: int) -> None:
    """The halves that were mended on; the others are counted in docs/results/english.md."""
    found = kinds(f"{name}/plain-a.jsonl")
    assert found["wrong"] == 0
    assert found["right"] >= least
