"""The `allProofs` field: everything that a theory proves, by depth, with its proofs.

@0: Bob is red.[(triple1)] @1: Bob is big.[(((triple1) -> rule2))]
"""

from __future__ import annotations

from itertools import groupby, islice

from ibr.data.proof_string import Names
from ibr.data.ruletaker.naming import name_proofs
from ibr.logic import templates
from ibr.logic.clause import Literal
from ibr.logic.solver import Solver
from ibr.proof import Proof


def all_proofs(solver: Solver, names: Names, max_proofs: int) -> str:
    """Facts from the last to the first, as the published files list them, then by rule."""
    found = {literal: list(islice(solver.proofs(literal), max_proofs)) for literal in solver.model}

    def place(literal: Literal) -> tuple[int, int, Literal]:
        depth, number = solver.model[literal], _number(solver, found[literal])
        return depth, number if depth else -number, literal

    sections = []
    for depth, literals in groupby(sorted(found, key=place), key=solver.model.__getitem__):
        proved = (
            f"{templates.write_literal(literal)}"
            f"{name_proofs(found[literal], literal, names, solver.program)}"
            for literal in literals
        )
        sections.append(f"@{depth}: {' '.join(proved)}")
    return " ".join(sections)


def _number(solver: Solver, proofs: list[Proof]) -> int:
    """The author's number of the sentence that concludes it."""
    root = proofs[0].root
    assert root is not None
    return solver.program.numbers[root.node]
