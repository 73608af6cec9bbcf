"""`python -m benchmarks metamorphic`: do answers change under changes that are irrelevant?

Every question is asked as it is and after each change of its theory: sentences in another order,
other words, an irrelevant fact or rule added. A flip is a different answer; proofs are compared
after mapping sentences back. A question is left out and counted if the change cannot be made or
alters the solver's answer (a rule for everyone also holds for an added entity).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.renaming import NotRenamed, Renaming, new_fact, new_rule
from ibr.asking.reasoners import get_reasoner
from ibr.cli.output import progress
from ibr.data.formats.sources import Reader
from ibr.logic.solver_reasoner import Solvers
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph
from ibr.reasoner import Reasoner, Unanswerable, prove_all
from ibr.theory import Problem, Question, Sentence, Theory

BATCH: Final = 64


class Changed(NamedTuple):
    """A changed problem; `back[i]` is the old index of its sentence i (None: added)."""

    problem: Problem
    back: Sequence[int | None]


Change = Callable[[Problem, random.Random], Changed]


def shuffled(problem: Problem, rng: random.Random) -> Changed:
    theory = problem.theory
    order = rng.sample(range(len(theory)), len(theory))
    sentences = tuple(theory[i] for i in order)
    numbers = tuple(theory.numbers[i] for i in order)
    return Changed(_with(problem, Theory(sentences, numbers)), order)


def renamed(problem: Problem, rng: random.Random) -> Changed:
    """Raises NotRenamed."""
    theory, renaming = problem.theory, Renaming(problem.theory, rng)
    sentences = tuple(Sentence(renaming.rewrite(s.text), s.kind) for s in theory)
    question = Question(renaming.rewrite(problem.question.text))
    changed = Problem(problem.id, Theory(sentences, theory.numbers), question)
    return Changed(changed, range(len(theory)))


def with_fact(problem: Problem, rng: random.Random) -> Changed:
    return _with_one_more(problem, new_fact(problem.theory, rng), rng)


def with_rule(problem: Problem, rng: random.Random) -> Changed:
    return _with_one_more(problem, new_rule(problem.theory, rng), rng)


def _with_one_more(problem: Problem, sentence: Sentence, rng: random.Random) -> Changed:
    theory, place = problem.theory, rng.randint(0, len(problem.theory))
    sentences, numbers, back = [*theory], [*theory.numbers], [*range(len(theory))]
    sentences.insert(place, sentence)
    numbers.insert(place, max(numbers, default=0) + 1)
    added = Theory(tuple(sentences), tuple(numbers))
    return Changed(_with(problem, added), [*back[:place], None, *back[place:]])


def _with(problem: Problem, theory: Theory) -> Problem:
    return Problem(problem.id, theory, problem.question)


CHANGES: Final[Mapping[str, Change]] = {
    "sentence order": shuffled,
    "other words": renamed,
    "irrelevant fact": with_fact,
    "irrelevant rule": with_rule,
}


@dataclass
class Flips:
    """Counts for one kind of change."""

    questions: int = 0
    flips: int = 0  # another answer
    proofs: int = 0  # questions with a proof before and after
    other_proofs: int = 0
    left_out: int = 0

    def add(self, before: Prediction, after: Prediction, back: Sequence[int | None]) -> None:
        self.questions += 1
        self.flips += before.answer != after.answer
        if before.graph is not None and after.graph is not None:
            self.proofs += 1
            self.other_proofs += before.graph != mapped(after.graph, back)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {
            "flip_rate": self.flips / self.questions if self.questions else None,
            "other_proof_rate": self.other_proofs / self.proofs if self.proofs else None,
        }


def mapped(graph: Graph, back: Sequence[int | None]) -> Graph | None:
    """The graph with the old indices of its sentences; None if it cites an added one."""
    names = {node: NAF if node == NAF else back[node] for node in graph.nodes}
    if None in names.values():
        return None
    old = {node: name for node, name in names.items() if name is not None}
    return Graph.of(old.values(), [(old[p], old[r]) for p, r in graph.edges])


def _refused(problem: Problem, why: Unanswerable) -> None:
    """Problems that the reasoner cannot answer are ignored."""


class ChangeTrial:
    """Asks one reasoner before and after each change; the solver gives the right answers."""

    def __init__(self, reasoner: Reasoner, seed: int = 0) -> None:
        self.flips = {name: Flips() for name in CHANGES}
        self._reasoner, self._seed, self._solvers = reasoner, seed, Solvers()

    def run(self, problems: Iterable[Problem]) -> None:
        """Ask a stream of problems; a batch is asked once for each change."""
        stream = iter(problems)
        while some := list(islice(stream, BATCH)):
            before = list(prove_all(self._reasoner, some, lambda p: p, _refused, BATCH))
            for name in CHANGES:
                self._try(name, before)

    def _try(self, name: str, before: list[tuple[Problem, Prediction]]) -> None:
        found, kept = self.flips[name], []
        for problem, old in before:
            changed = self._change(name, problem)
            if changed is not None and self._truth(problem) == self._truth(changed.problem):
                kept.append((old, changed))
            else:
                found.left_out += 1
        after = self._reasoner.prove([changed.problem for _, changed in kept])
        for (old, changed), new in zip(kept, after, strict=True):
            found.add(old, new, changed.back)

    def _change(self, name: str, problem: Problem) -> Changed | None:
        """The same change for all questions about a theory, so that they still share one."""
        rng = random.Random(f"{self._seed} {name} {problem.theory.text}")
        try:
            return CHANGES[name](problem, rng)
        except NotRenamed:
            return None

    def _truth(self, problem: Problem) -> tuple[object, ...] | None:
        """Answer, strategy and depth; None if the question cannot be read."""
        try:
            (_, question), solver = self._solvers.of(problem)
        except Unanswerable:
            return None
        found = solver.judge(question)
        return found.answer, found.fine_strategy, found.depth


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks metamorphic", description=__doc__)
    parser.add_argument("--reasoner", default="ibr")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="the first N questions")
    parser.add_argument("--seed", type=int, default=0, help="of orders, words and sentences")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    trial = ChangeTrial(get_reasoner(options.reasoner), options.seed)
    examples = islice(Reader().examples(options.data), options.limit)
    trial.run(example.problem for example in progress(examples, "questions"))
    if options.json:
        head = {"reasoner": options.reasoner, "data": str(options.data), "seed": options.seed}
        changes = {name: flips.to_json() for name, flips in trial.flips.items()}
        print(json.dumps(head | {"changes": changes}))
        return
    print(f"{options.reasoner} on {options.data}, seed {options.seed}")
    print("\n".join(table(trial.flips)))


def table(changes: Mapping[str, Flips]) -> Iterator[str]:
    yield f"{'':16}{'questions':>10}{'flips':>8}{'':>10}{'other proof':>13}{'':>10}{'left out':>10}"
    for name, found in changes.items():
        flips = f"{found.flips:>8,}{_percent(found.flips, found.questions)}"
        proofs = f"{found.other_proofs:>13,}{_percent(found.other_proofs, found.proofs)}"
        yield f"{name:16}{found.questions:>10,}{flips}{proofs}{found.left_out:>10,}"


def _percent(count: int, whole: int) -> str:
    return f"{100 * count / whole:>8.2f} %" if whole else f"{'n/a':>10}"
