"""The gold proofs (N_i, E_i) of a question: those a file lists, or those the solver accepts.

A question may have thousands of proofs, so they are not listed: a prediction is tested.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from ibr.data.formats.example import Example, Reported
from ibr.data.formats.sources import FileLogic
from ibr.data.making.questions import MAX_PROOFS
from ibr.errors import InputError
from ibr.logic.solver_reasoner import Solvers
from ibr.logic.solving.covering import Target
from ibr.proof import Graph, Proof
from ibr.reasoner import Unanswerable
from ibr.theory import Problem


class Accepted(NamedTuple):
    """Whether some gold proof has exactly these nodes and edges (a None leaves them open)."""

    accepts: Callable[[Graph | Target], bool]
    accepts_minimal: Callable[[Graph], bool]  # of the proofs of least depth, then of least size


def listed(proofs: Sequence[Proof]) -> Accepted:
    """Of the proofs in a file."""
    if not proofs:
        raise InputError("no proof is listed: an unprovable question has its failure chain")
    least = min(proof.cost for proof in proofs)
    graphs = {proof.graph for proof in proofs}
    minimal = {proof.graph for proof in proofs if proof.cost == least}

    def accepts(graph: Graph | Target) -> bool:
        return any(Target(graph.nodes, graph.edges).is_met_by(gold) for gold in graphs)

    return Accepted(accepts, minimal.__contains__)


def accepted(example: Example, solvers: Solvers) -> Accepted | None:
    """The file's own proofs; else what the solver accepts; None if it cannot take the problem.

    A set that others report on is scored by its own proofs only.
    """
    if example.proofs and len(example.proofs) < MAX_PROOFS:  # a list of that length was cut off
        return listed(example.proofs)
    if isinstance(example, Reported):
        return None
    try:
        logic, solver = solvers.of(example.problem)
    except Unanswerable:
        return None
    asked = logic.question
    return Accepted(partial(solver.accepts, asked), partial(solver.accepts_minimal, asked))


def listed_or_solved(source: FileLogic, solvers: Solvers) -> Callable[[Problem], Sequence[Proof]]:
    """The proofs that an oracle follows: the file's own, else the first that the solver finds."""

    def proofs_of(problem: Problem) -> Sequence[Proof]:
        if proofs := source.proofs_of(problem):
            return proofs
        try:
            logic, solver = solvers.of(problem)
        except Unanswerable:
            return ()
        return tuple(islice(solver.all_evidence(logic.question), MAX_PROOFS))

    return proofs_of
