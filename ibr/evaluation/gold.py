"""The gold proofs (N_i, E_i) of a question: those a file lists, or those the solver accepts.

A question may have thousands of proofs, so `Accepted` tests a prediction instead of listing them:
`accepts` (one i has N = N_i and E = E_i), `accepts_nodes`, `accepts_edges`, and `accepts_minimal`
(as `accepts`, among the proofs of least depth, and of these the smallest).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ibr.data.formats.example import Example
from ibr.data.making.questions import MAX_PROOFS
from ibr.errors import InputError
from ibr.logic.clause import Literal
from ibr.logic.solver_reasoner import Solvers
from ibr.logic.solving.solver import Solver
from ibr.proof import Graph, Proof
from ibr.reasoner import Unanswerable

Edges = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Listed:
    """The proofs in a file."""

    graphs: frozenset[Graph]
    minimal: frozenset[Graph]

    @classmethod
    def of(cls, proofs: Sequence[Proof]) -> Listed:
        if not proofs:
            raise InputError("no proof is listed: an unprovable question has its failure chain")
        least = min(map(_cost, proofs))
        return cls(
            frozenset(proof.graph for proof in proofs),
            frozenset(proof.graph for proof in proofs if _cost(proof) == least),
        )

    def accepts(self, graph: Graph) -> bool:
        return graph in self.graphs

    def accepts_nodes(self, nodes: frozenset[int]) -> bool:
        return any(nodes == gold.nodes for gold in self.graphs)

    def accepts_edges(self, edges: Edges) -> bool:
        return any(edges == gold.edges for gold in self.graphs)

    def accepts_minimal(self, graph: Graph) -> bool:
        return graph in self.minimal


def _cost(proof: Proof) -> tuple[int, int]:
    return (proof.root.depth if proof.root else 0, proof.size)


@dataclass(frozen=True, slots=True)
class Solved:
    """The proofs that the solver finds, for files that list none."""

    solver: Solver
    question: Literal

    def accepts(self, graph: Graph) -> bool:
        return self.solver.accepts(self.question, graph)

    def accepts_nodes(self, nodes: frozenset[int]) -> bool:
        return self.solver.accepts_nodes(self.question, nodes)

    def accepts_edges(self, edges: Edges) -> bool:
        return self.solver.accepts_edges(self.question, edges)

    def accepts_minimal(self, graph: Graph) -> bool:
        return self.solver.accepts_minimal(self.question, graph)


Accepted = Listed | Solved


def accepted(example: Example, solvers: Solvers) -> Accepted | None:
    """The file's own proofs; else what the solver accepts; None if it cannot take the problem."""
    if example.proofs and len(example.proofs) < MAX_PROOFS:  # a list of that length was cut off
        return Listed.of(example.proofs)
    try:
        logic, solver = solvers.of(example.problem)
    except Unanswerable:
        return None
    return Solved(solver, logic.question)
