"""What the workers of `ibr predict`, `evaluate` and `generate` do with a block.

Blocks are units (questions about one theory, at most `UNIT`) or numbers of theories to make. A job
is pickled for workers elsewhere: files are read and written by the command, models by the workers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeVar

from ibr.asking.judge import verdict_on
from ibr.asking.reasoners import SystemName, get_reasoner
from ibr.bulk.parts import UNIT, digest
from ibr.choices import Assumption, GoldDecision, LogicFrom
from ibr.data.formats.example import Example
from ibr.data.formats.jsonl import BadLines, dump_line
from ibr.data.formats.rule_reasoning import TheoryLines
from ibr.data.formats.sources import FileLogic, ProblemAtLine, RefusedProblems
from ibr.data.making.generator import Recipe, generate
from ibr.decoding.manifest import MANIFEST
from ibr.evaluation import gold, oracle
from ibr.evaluation.metrics import Marks, score
from ibr.logic.solver_reasoner import Solvers
from ibr.prediction import NoAnswer, Prediction
from ibr.reasoner import Reasoner, Recorded, Unanswerable, prove_all, runs
from ibr.theory import Problem

T = TypeVar("T", Example, ProblemAtLine)
_PROBLEM: Final = attrgetter("problem")
_THEORIES: Final = 8  # of a block that is made


def units(asked: Iterable[T]) -> Iterator[list[T]]:
    return runs(asked, _PROBLEM, UNIT)


def model_of(reasoner: str) -> tuple[str, str | None]:
    """The name of a system, and the sha256 of its model's files (an exported one lists theirs)."""
    system = SystemName.parse(reasoner)
    folder = system.folder
    if folder is None or not folder.is_dir():
        return system.label, None
    if (folder / MANIFEST).exists():
        return system.label, digest(folder / MANIFEST)
    from ibr.training.checkpoint import model_folder  # needs torch

    return system.label, digest(model_folder(folder))


@dataclass
class BlockNotes:
    """What is counted on the way, of a block or of all of them."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: BadLines = field(default_factory=BadLines)

    def add(self, more: BlockNotes) -> None:
        self.counts += more.counts
        self.refused.extend(more.refused)


@dataclass(frozen=True)
class QuestionJob:
    """How the questions of a file are read and who answers them."""

    file: str  # that errors name
    reasoner: str | None
    logic: LogicFrom
    world: Assumption
    options: dict[str, Any]  # of a model
    skip_bad: bool

    def system(self, solvers: Solvers, **more: Any) -> Reasoner:
        assert self.reasoner is not None
        return get_reasoner(self.reasoner, solvers, self.world, **self.options, **more)


@dataclass(frozen=True)
class AnswerJob(QuestionJob):
    """`ibr predict`: lines of JSON."""

    batch: int

    def start(self) -> Callable[[Sequence[ProblemAtLine]], tuple[list[str], BlockNotes]]:
        source = FileLogic(self.logic, self.world)
        return partial(self._answer, self.system(Solvers(source.read)), source)

    def _answer(
        self, system: Reasoner, source: FileLogic, unit: Sequence[ProblemAtLine]
    ) -> tuple[list[str], BlockNotes]:
        notes, source.from_file = BlockNotes(), 0
        refuse = RefusedProblems(self.file, notes.refused)

        def refused(item: ProblemAtLine, why: Unanswerable) -> Prediction | None:
            """Left out with `--skip-bad`; else a line that says why there is no answer."""
            refuse(item, why)
            if self.skip_bad:
                return None
            return NoAnswer(item.problem.id, False, system.name, why=f"{why.field}: {why.why}")

        answered = prove_all(system, source.watch(unit), _PROBLEM, refused, self.batch)
        lines = [json.dumps(self._line(item.problem, given)) for item, given in answered]
        notes.counts["file_logic"] = source.from_file
        return lines, notes

    def _line(self, problem: Problem, prediction: Prediction) -> dict[str, Any]:
        verdict = verdict_on(problem, prediction, self.world)
        return prediction.to_json() | ({} if verdict is None else {"verdict": verdict})


Scored = list[tuple[int, Prediction, Marks]]  # place in the unit


@dataclass(frozen=True)
class ScoreJob(QuestionJob):
    """`ibr evaluate`: predictions and their marks."""

    recorded: Recorded | None  # predictions in place of a reasoner
    gold: GoldDecision | None
    text_order: bool

    def start(self) -> Callable[[Sequence[Example]], tuple[Scored, BlockNotes]]:
        source = FileLogic(self.logic, self.world)
        solvers = Solvers(source.read)
        wrap = {} if self.gold is None else {"wrap": oracle.oracle(self.gold, source.proofs_of)}
        system = self.recorded or self.system(solvers, **wrap)
        return partial(self._score, system, source, solvers)

    def _score(
        self, system: Reasoner, source: FileLogic, solvers: Solvers, unit: Sequence[Example]
    ) -> tuple[Scored, BlockNotes]:
        source.from_file = source.without_proofs = 0
        bad = BadLines() if self.skip_bad else None
        refused = RefusedProblems(self.file, bad, labelled=True)
        answered = prove_all(
            system,
            enumerate(source.watch(unit)),
            lambda item: self._problem(item[1]),
            lambda item, why: refused(item[1], why),
        )
        scored = [
            (place, prediction, score(example, gold.accepted(example, solvers), prediction))
            for (place, example), prediction in answered
        ]
        counts = Counter(
            file_logic=source.from_file,
            solver_proofs=source.without_proofs,
            not_stratified=refused.not_stratified,
        )
        return scored, BlockNotes(counts, bad or BadLines())

    def _problem(self, example: Example) -> Problem:
        if not self.text_order:
            return example.problem
        return replace(example.problem, theory=example.theory.as_shown)


@dataclass(frozen=True)
class MakeJob:
    """`ibr generate`: theories with their questions, as lines."""

    recipe: Recipe
    seed: int
    ruletaker: bool  # else our own JSONL

    @staticmethod
    def blocks(count: int) -> Iterator[range]:
        return (range(k, min(k + _THEORIES, count)) for k in range(0, count, _THEORIES))

    def start(self) -> Callable[[range], list[TheoryLines]]:
        return self._make

    def _make(self, block: range) -> list[TheoryLines]:
        made = generate(self.recipe, self.seed, len(block), block.start)
        return [TheoryLines.of(group) if self.ruletaker else _own(group) for group in made]


def _own(examples: Sequence[Example]) -> TheoryLines:
    lines = [dump_line(example.to_json()) for example in examples]
    return TheoryLines(len(lines), "\n".join(lines))
