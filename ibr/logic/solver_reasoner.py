"""The solver as a `Reasoner`: exact reasoning over the sentences that can be read."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from ibr.choices import Assumption
from ibr.logic.language import Logic, are_templates, logic_of, program_of, read_question
from ibr.logic.reading import ReadError
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.prediction import Prediction, Source
from ibr.reasoner import Unanswerable
from ibr.theory import Problem

Read = Callable[[Problem], Logic]


def read_text(problem: Problem, world: Assumption = Assumption.CLOSED) -> Logic:
    """The sentences and the question as their text says."""
    text = problem.question.text
    if are_templates(problem.theory):
        return Logic(program_of(problem.theory), read_question(text)).in_world(world)
    return logic_of(problem.theory, text).in_world(world)


class Solvers:
    """The solver of a problem's theory; questions about one theory share it."""

    def __init__(self, read: Read = read_text, size: int = 256) -> None:
        self._read, self._solver = read, lru_cache(size)(Solver)

    def of(self, problem: Problem) -> tuple[Logic, Solver]:
        """The problem's logic and a solver over all names in it. Raises Unanswerable."""
        try:
            logic = self._read(problem)
            return logic, self._solver(logic.program).over(logic.question)
        except ReadError as error:
            raise Unanswerable(problem, "question", str(error)) from error
        except NotStratified as error:
            raise Unanswerable(problem, "sentences", str(error)) from error


class SolverReasoner:
    """Exact reasoning over the sentences that can be read; the others are listed as unreadable."""

    name = "solver"

    def __init__(self, solvers: Solvers | None = None) -> None:
        self._solvers = solvers or Solvers()

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        return [solved(problem.id, *self._solvers.of(problem)) for problem in problems]


def solved(id: str, logic: Logic, solver: Solver) -> Prediction:
    """What the solver predicts of a question; `solver` is the one of the program."""
    found = solver.judge(logic.question)
    return Prediction(
        id=id,
        answer=found.answer,
        reasoner=SolverReasoner.name,
        strategy=found.strategy,
        graph=solver.evidence(logic.question).graph,
        depth=found.depth,
        length=found.length,
        fine_strategy=found.fine_strategy,
        unreadable=logic.program.unreadable,
        source=Source.SOLVER,
    )
