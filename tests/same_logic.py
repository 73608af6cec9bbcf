"""Compare readings by their logic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from ibr.logic.clause import Clause, Literal


def same(clauses: Iterator[Clause] | list[Clause] | tuple[Clause, ...]) -> frozenset[Any]:
    """Equal for clauses that differ in the names of variables and in order only."""
    return frozenset(map(_renamed, clauses))


def _renamed(clause: Clause) -> tuple[Literal, tuple[Literal, ...]]:
    variables = sorted(clause.variables)
    names = [f"?{i}" for i in range(len(variables))]
    options = []
    for chosen in permutations(names):
        head, body = clause.bind(dict(zip(variables, chosen, strict=True)))
        options.append((head, tuple(sorted(body))))
    return min(options)
