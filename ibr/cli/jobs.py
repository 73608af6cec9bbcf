"""What `ibr predict`, `evaluate`, `check` and `generate` do with files, and workers with a block.

Blocks are units (questions about one theory, at most `UNIT`) or numbers of theories to make. A job
is pickled for workers elsewhere: files are read and written by the command, models by the workers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar

from ibr.asking.judge import verdict_on
from ibr.asking.reasoners import SystemName, get_reasoner
from ibr.asking.rulebook import Rulebook
from ibr.bulk.checks import check_in_words, check_prediction, check_text, check_to_json
from ibr.bulk.engines import Engine
from ibr.bulk.parts import UNIT, Output, Shard, digest
from ibr.choices import Assumption, GoldDecision, LogicFrom
from ibr.cli.output import emit_json, note, note_oddities, progress, show
from ibr.data.formats.example import Example, Reported
from ibr.data.formats.jsonl import BadLines, dump_line, read_text
from ibr.data.formats.rule_reasoning import TheoryLines
from ibr.data.formats.sources import (
    FileLogic,
    ProblemAtLine,
    Reader,
    RefusedProblems,
    count_questions,
    read_predictions,
)
from ibr.data.making.generator import Recipe, generate
from ibr.decoding.manifest import MANIFEST
from ibr.evaluation import gold, oracle
from ibr.evaluation.answers import AnswerReport
from ibr.evaluation.metrics import Marks, Report, score
from ibr.files import new_file
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

    def note_run(self, reader: Reader) -> bool:
        """What there is to say of a run; False if some questions have no answer."""
        if reader.bad is not None:
            reader.bad.extend(self.refused)
        note_oddities(reader)
        if self.counts["file_logic"]:
            note(f"the file's own logic was used for {self.counts['file_logic']} questions")
        if reader.bad is not None or not self.refused.count:
            return True
        note(f"cannot say for {self.refused.count} questions, the first: {self.refused.first[0]}")
        return False


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

    def answer_all(
        self, reader: Reader, shard: Shard, engine: Engine, output: Output
    ) -> BlockNotes:
        total = BlockNotes()
        with engine(self) as run, output as written:
            if written is None:
                note("the output is there already, and whole")
                return total
            if written.done:
                note(f"going on after {sum(written.done):,} lines")
            problems = reader.problems(self.file)
            asked = progress(problems, "questions", lambda: count_questions(self.file))
            for _, (lines, notes) in run(islice(shard.of(units(asked)), len(written.done), None)):
                written.add(lines)
                total.add(notes)
        return total


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
        wrap = {}
        if self.gold is not None:
            proofs_of = gold.listed_or_solved(source, solvers)
            wrap["wrap"] = oracle.oracle(self.gold, proofs_of)
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

    def score_all(
        self, examples: Iterable[Example], engine: Engine, answers: AnswerReport
    ) -> tuple[Report, BlockNotes]:
        report, total = Report(), BlockNotes()
        with engine(self) as run:
            for unit, (scored, notes) in run(units(progress(examples, "questions"))):
                total.add(notes)
                for place, prediction, marks in scored:
                    example = unit[place]
                    report.add(example, marks, prediction)
                    if isinstance(example, Reported):
                        answers.add(example, prediction)
        return report, total


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


def write_own(out: Path, theories: Iterable[TheoryLines]) -> int:
    """Our own JSONL; returns the number of questions."""
    count = 0
    with new_file(out) as stream:
        for theory in theories:
            stream.write(f"{theory.text}\n")
            count += theory.questions
    return count


_SIDES: Final = {
    "negation": "; it shows the negation",
    "neither": "; it shows that neither the statement nor its negation can be proved",
}


def check_one(rules: str, question: str, proof: str, world: Assumption, is_json: bool) -> bool:
    """Of a file; True if it is a proof of the question."""
    book = Rulebook.parse(read_text(rules), world)
    found = check_text(book.program, question, read_text(proof), proof)
    if is_json:
        emit_json(check_to_json(found))
    else:
        show(check_in_words(found) + _SIDES.get(str(found.side), ""))
    return found.side == "statement"


def check_run(
    problems: str,
    predictions: str,
    source: FileLogic,
    mappings: Path | None,
    skip_bad: bool,
    is_json: bool,
) -> bool:
    """Every prediction; True if all are proofs."""
    bad = BadLines() if skip_bad else None
    reader, recorded = Reader(mappings=mappings, bad=bad), read_predictions(predictions, bad)
    asked = source.watch(reader.problems(problems))
    counts: Counter[str] = Counter()
    for item, prediction in prove_all(recorded, asked, _PROBLEM, RefusedProblems(problems, bad)):
        found = check_prediction(item.problem, prediction, source.read)
        counts[str(found.status) if found else "without a proof"] += 1
        if is_json:
            emit_json({"id": prediction.id} | check_to_json(found))
        elif found and not found.valid:
            show(f"{prediction.id}: {check_in_words(found)}")
    if not is_json:
        show(", ".join(f"{count:,} {name}" for name, count in sorted(counts.items())) or "none")
    note_oddities(reader)
    return set(counts) <= {"valid"}
