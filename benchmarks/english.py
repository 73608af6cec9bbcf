"""`python -m benchmarks english`: the model alone on ordinary English.

The rulebooks of `examples/` and of `tests/rulebooks` (without unreadable sentences), with their own
questions and those of `ibr.asking.suggestions`. The solver gives the right answers, the verifier
checks proofs. Each question is asked twice: of the text as written, and as `ibr.inputs.normalise`
rewrites it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.symbolic import ROOT
from ibr.asking.reasoners import get_reasoner
from ibr.asking.rulebook import ParsedQuestion
from ibr.asking.suggestions import suggestions
from ibr.decoding.proving import SearchingReasoner
from ibr.logic.checking.verifier import check
from ibr.logic.language import program_of, read, theory_from_text
from ibr.logic.solver_reasoner import SolverReasoner, Solvers
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction
from ibr.serving.examples import examples
from ibr.theory import Problem, Question, Strategy, Theory

SUGGESTED = 12


class Book(NamedTuple):
    name: str
    theory: Theory
    questions: Sequence[str]

    @property
    def problems(self) -> list[Problem]:
        """The book's own questions first, each once."""
        parsed = map(ParsedQuestion.parse, self.questions)
        own = [question.statement for question in parsed if question.literal]
        program = program_of(self.theory)
        asked = dict.fromkeys([*own, *suggestions(program, Solver(program), SUGGESTED)])
        return [Problem(text, self.theory, Question(text)) for text in asked]


def example_books() -> Iterator[Book]:
    for book in examples():
        yield Book(book.name, theory_from_text(book.rules), book.questions)


def test_books() -> Iterator[Book]:
    for path in sorted((ROOT / "tests" / "rulebooks").glob("*.json")):
        book = json.loads(path.read_text(encoding="utf-8"))
        readings = [read(sentence["text"]) for sentence in book["sentences"]]
        known = [reading for reading in readings if reading.readable]
        theory = Theory.of([r.text for r in known], [r.kind for r in known])
        yield Book(path.stem, theory, [question["text"] for question in book["questions"]])


@dataclass
class Score:
    questions: int = 0
    answers: int = 0  # that are right
    proofs: int = 0  # right answers with a proof that the verifier accepts

    def add(self, right: bool, accepted: bool) -> None:
        self.questions += 1
        self.answers += right
        self.proofs += right and accepted

    def __str__(self) -> str:
        qa, proved = (100 * count / max(1, self.questions) for count in (self.answers, self.proofs))
        return f"{self.questions:>6,} questions   QA {qa:5.1f}   and proof accepted {proved:5.1f}"


class Trial:
    """Asks one reasoner and scores its answers."""

    def __init__(self, reasoner: SearchingReasoner, show: bool) -> None:
        self._reasoner, self._show, self._solvers = reasoner, show, Solvers()
        self._solver = SolverReasoner(self._solvers)

    def scores(self, books: Sequence[Book]) -> Iterator[str]:
        found: dict[str, Score] = {}
        for book in books:
            problems = book.problems
            predicted = self._reasoner.prove(problems)
            for problem, gold, given in zip(
                problems, self._solver.prove(problems), predicted, strict=True
            ):
                right, accepted = given.answer == gold.answer, self._accepts(problem, given)
                for name in ("all", _kind(gold)):
                    found.setdefault(name, Score()).add(right, accepted)
                if self._show and not (right and accepted):
                    yield f"  {book.name}: {problem.question.text} ({gold.answer})"
        yield from (f"  {name:12}{found[name]}" for name in sorted(found))

    def _accepts(self, problem: Problem, given: Prediction) -> bool:
        logic, _ = self._solvers.of(problem)
        assert given.graph is not None
        return check(*logic, given.graph, given.strategy, given.answer).valid


def _kind(gold: Prediction) -> str:
    if gold.strategy is Strategy.FAIL_PROOF:
        return "fails"
    return "stated" if gold.depth == 0 else "derived"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks english", description=__doc__)
    parser.add_argument("--reasoner", default="ibr", help="ibr, or the folder of a model")
    parser.add_argument("--show", action="store_true", help="list what is wrong when normalised")
    options = parser.parse_args(arguments)
    reasoner: Any = get_reasoner(options.reasoner)
    for name, books in (("examples", [*example_books()]), ("rulebooks", [*test_books()])):
        for again in (False, True):
            reasoner.normalises = again
            print(f"{name}, {'normalised' if again else 'as written'}: {len(books)} books")
            for line in Trial(reasoner, options.show and again).scores(books):
                print(line, flush=True)
