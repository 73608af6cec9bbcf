"""Individuals, witnesses and invented words: small runs of `benchmarks`."""

from collections import Counter

import pytest

pytest.importorskip("clingo", reason="clingo is not installed: pip install 'ibr[dev]'")

from benchmarks.individuals import compare
from benchmarks.invented import measure


@pytest.mark.parametrize("seed", range(5))
def test_individuals_against_clingo(seed: int) -> None:
    counts: Counter[str] = Counter()
    for drawn, question, right, ours in compare(8, seed):
        if ours == "cannot say":
            counts["undecided"] += 1
        else:
            assert ours == right, (drawn, question)
        counts["all"] += 1
    assert counts["undecided"] <= 0.05 * counts["all"]


def test_any_vocabulary() -> None:
    counts = measure(30, seed=0, reasoner="solver", show=3)
    assert counts["wrong"] == 0
    assert counts["same"] >= 0.995 * sum(counts.values())
