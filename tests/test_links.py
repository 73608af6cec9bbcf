"""Links and the shape of paths against loops; what the hints say against the solver."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import torch

from ibr.data.generate import Recipe, generate
from ibr.logic.clause import Literal
from ibr.logic.solver import Solver
from ibr.model.growth import MOST, Growth
from ibr.model.hints import NEVER, Hinting
from ibr.model.links import Links, Marks, Places
from ibr.tokens import read_theory, stem

torch.set_num_threads(1)  # tensors here are tiny

D, K, CHANNELS = 12, 5, 3


@pytest.fixture(autouse=True)
def _same_weights() -> None:
    torch.manual_seed(0)


def places(rows: int, spots: int, sentences: int, symbols: int, seed: int) -> Places:
    rng = np.random.default_rng(seed)
    drawn = (
        rng.integers(-1 if sentences > 1 else 0, sentences, (rows, spots)),
        rng.integers(0, symbols - 3, (rows, spots)),
        rng.choice([0, symbols - 3, symbols - 2], (rows, spots)),
        rng.integers(1, symbols, (rows, CHANNELS)),
    )
    return Places(*map(torch.from_numpy, drawn), sentences, symbols)


def marks_of(module: Marks, x: torch.Tensor, at: Places, row: int, n: int, e: int) -> np.ndarray:
    """Z × K: the sum of what the spots of a sentence leave in a channel."""
    found = np.zeros((at.symbols, K))
    for t in range(x.shape[2]):
        if int(at.sentence[row, t]) != n or not at.symbol[row, t]:
            continue
        state = x[row, e, t]
        found[int(at.symbol[row, t])] += module.spot(state).detach().numpy()
        found[int(at.channel[row, e])] += module.entity(state).detach().numpy()
        if at.pair[row, t]:
            found[int(at.pair[row, t])] += module.pair(state).detach().numpy()
    return found


def test_links_are_products_of_marks_at_the_same_symbol() -> None:
    links = Links(D, K)
    x, y = torch.randn(2, CHANNELS, 9, D), torch.randn(4, CHANNELS, 3, D)
    at, asked = places(2, 9, 4, 8, seed=0), places(4, 3, 1, 8, seed=1)
    owner = torch.tensor([0, 0, 1, 1])
    with torch.no_grad():
        linked = links(x, at, y, asked, owner)
    readings = list(itertools.product(range(4), range(CHANNELS)))
    for m in range(2):
        for p, (n, e) in enumerate(readings):
            for c, (n2, e2) in enumerate(readings):
                gives = marks_of(links.gives, x, at, m, n2, e2)
                below = (marks_of(links.needs, x, at, m, n, e) * gives).sum()
                below += (marks_of(links.wants, x, at, m, n, e2) * gives).sum()
                beside = (marks_of(links.gave, x, at, m, n, e) * gives).sum()
                assert float(linked.below[m, p, c]) == pytest.approx(below, abs=1e-5)
                assert float(linked.beside[m, p, c]) == pytest.approx(beside, abs=1e-5)
    for b in range(4):
        for c, (n, e) in enumerate(readings):
            gives = marks_of(links.gives, x, at, int(owner[b]), n, e)
            score = (marks_of(links.asks, y, asked, b, 0, e) * gives).sum()
            assert float(linked.asked[b, c]) == pytest.approx(score, abs=1e-5)


def test_growth() -> None:
    rng = random.Random(0)
    for _ in range(20):
        length = rng.randint(1, 9)
        up = [-1, *(rng.randrange(k) for k in range(1, length))]
        last = rng.randrange(length)
        parent = rng.randrange(last + 1)
        nodes, vectors = torch.zeros(1, length, dtype=torch.long), torch.zeros(1, length, 4)
        growth = Growth(nodes, vectors, torch.tensor([up]), torch.tensor([[last]]))
        for position in range(length):
            below = [k for k in range(last + 1) if up[k] == position]
            assert growth.seen[0, 0, position] == (position <= last)
            assert growth.is_last[0, 0, position] == (position == last)
            assert growth.children[0, 0, position] == min(MOST, len(below))
            sibling = position <= last and up[position] == parent
            assert growth.siblings(torch.tensor([[parent]]))[0, 0, position] == sibling


@pytest.mark.parametrize(("preset", "words"), [("ruletaker", "ruletaker"), ("wide", "open")])
def test_hints_are_what_the_solver_says(preset: str, words: str) -> None:
    """A sentence holds for an entity if, and as deep as, something it concludes of it does."""
    for first, *_ in generate(Recipe(depth=3, preset=preset, vocabulary=words), seed=5, count=6):
        assert first.program is not None
        solver, tokens = Solver(first.program), read_theory(first.theory, 10)
        shape = (1, len(tokens.channels), len(first.theory))
        hinting = Hinting(shape)
        hinting.tell(0, solver, tokens)
        hints = hinting.hints
        names = {number: word for word, number in tokens.numbers.items()}
        entity = {c: names[int(s)] for c, s in enumerate(tokens.channels) if c}
        assert hints.is_asked[0, 1:].all()
        assert not hints.is_asked[0, 0].any()
        for c, s in itertools.product(entity, range(shape[2])):
            clauses = first.program.said[s]
            about = [
                depth
                for literal, depth in solver.model.items()
                if entity[c] in map(stem, literal.subject.lower().replace("-", " ").split())
                for clause in clauses
                if not clause.body and clause.head == literal
            ]
            if all(not clause.body for clause in clauses):
                assert int(hints.fires[0, c, s]) == min(about, default=NEVER)
            elif int(hints.fires[0, c, s]) != NEVER:
                heads = {(lit.relation, lit.sign) for lit in solver.model}
                assert any((cl.head.relation, cl.head.sign) in heads for cl in clauses)
                assert int(hints.fires[0, c, s]) >= 1


def test_failing_atoms_have_chains() -> None:
    for first, *_ in generate(Recipe(depth=3), seed=7, count=6):
        assert first.program is not None
        solver = Solver(first.program)
        for atom in solver.failing:
            assert isinstance(atom, Literal)
            assert not solver.proves(atom)
            assert not solver.proves(atom.negation)
            assert solver.failure(atom).size >= 1
