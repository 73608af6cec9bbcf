"""Links and the shape of paths against loops."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import torch

from ibr.model.encoders.links import Links, MarkPlaces, Marks
from ibr.model.nodes import PathState

torch.set_num_threads(1)  # tensors here are tiny

D, K, CHANNELS, RANKS = 12, 5, 3, 4


@pytest.fixture(autouse=True)
def _same_weights() -> None:
    torch.manual_seed(0)


def places(rows: int, spots: int, sentences: int, symbols: int, seed: int) -> MarkPlaces:
    rng = np.random.default_rng(seed)
    drawn = (
        rng.integers(-1 if sentences > 1 else 0, sentences, (rows, spots)),
        rng.integers(0, symbols - 3, (rows, spots)),
        rng.choice([0, symbols - 3, symbols - 2], (rows, spots)),
        rng.integers(0, RANKS + 2, (rows, spots)),
        rng.integers(1, symbols, (rows, CHANNELS)),
    )
    return MarkPlaces(*map(torch.from_numpy, drawn), sentences, symbols)


def marks_of(
    module: Marks, x: torch.Tensor, at: MarkPlaces, row: int, n: int, e: int
) -> np.ndarray:
    """Z × K: the sum of what the spots of a sentence leave in a channel."""
    found = np.zeros((at.symbols, K))
    for t in range(x.shape[2]):
        if int(at.sentence[row, t]) != n or not at.symbol[row, t]:
            continue
        state = x[row, e, t]
        found[int(at.symbol[row, t])] += module.spot(state).detach().numpy()
        if module.rank is not None:
            place = min(int(at.rank[row, t]), RANKS - 1)
            found[int(at.symbol[row, t])] += module.rank.weight[place].detach().numpy()
        found[int(at.channel[row, e])] += module.entity(state).detach().numpy()
        if at.pair[row, t]:
            found[int(at.pair[row, t])] += module.pair(state).detach().numpy()
    return found


@pytest.mark.parametrize("ranks", [0, RANKS])
def test_links_are_products_of_marks_at_the_same_symbol(ranks: int) -> None:
    links = Links(D, K, ranks)
    x, y = torch.randn(2, CHANNELS, 9, D), torch.randn(4, CHANNELS, 3, D)
    at, asked = places(2, 9, 4, 8, seed=0), places(4, 3, 1, 8, seed=1)
    owner = torch.tensor([0, 0, 1, 1])
    with torch.no_grad():
        linked = links(x, at, y, asked, owner)
    readings = list(itertools.product(range(4), range(CHANNELS)))
    for m in range(2):
        for p, (n, e) in enumerate(readings):
            for c, (n2, e2) in enumerate(readings):
                child = marks_of(links.child, x, at, m, n2, e2)
                below = (marks_of(links.parent, x, at, m, n, e) * child).sum()
                below += (marks_of(links.parent_seen, x, at, m, n, e2) * child).sum()
                beside = (marks_of(links.sibling, x, at, m, n, e) * child).sum()
                assert float(linked.below[m, p, c]) == pytest.approx(below, abs=1e-5)
                assert float(linked.beside[m, p, c]) == pytest.approx(beside, abs=1e-5)
    for b in range(4):
        for c, (n, e) in enumerate(readings):
            child = marks_of(links.child, x, at, int(owner[b]), n, e)
            score = (marks_of(links.question, y, asked, b, 0, e) * child).sum()
            assert float(linked.asked[b, c]) == pytest.approx(score, abs=1e-5)


def test_path_state() -> None:
    rng = random.Random(0)
    for _ in range(20):
        length = rng.randint(1, 9)
        up = [-1, *(rng.randrange(k) for k in range(1, length))]
        last = rng.randrange(length)
        parent = rng.randrange(last + 1)
        nodes, vectors = torch.zeros(1, length, dtype=torch.long), torch.zeros(1, length, 4)
        path = PathState(nodes, vectors, torch.tensor([up]), torch.tensor([[last]]))
        for position in range(length):
            below = [k for k in range(last + 1) if up[k] == position]
            assert path.seen[0, 0, position] == (position <= last)
            assert path.is_last[0, 0, position] == (position == last)
            assert path.child_count[0, 0, position] == len(below)
            sibling = position <= last and up[position] == parent
            assert path.siblings(torch.tensor([[parent]]))[0, 0, position] == sibling
