"""Labelled data and problems by path: which format a file has, and the logic that it gives.

The formats themselves are the other modules of `ibr.data.formats`.
"""

import random
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ibr.choices import Assumption, LogicFrom
from ibr.data.formats import hub, jsonl, reported_sets, rule_reasoning
from ibr.data.formats.example import Example, Reported, read_jsonl
from ibr.data.formats.exchange import prediction_of, problem_of
from ibr.data.formats.jsonl import STANDARD, BadLines, DataError, read_records, reading
from ibr.data.formats.pararules import Paraphrased, hold_out, read_tsv
from ibr.data.formats.record_in import ReadReport
from ibr.data.making.questions import sample_paraphrased
from ibr.files import path_of
from ibr.logic.language import Logic, program_of
from ibr.logic.reading import ReadError
from ibr.logic.solver_reasoner import read_text
from ibr.logic.solving.solver import NotStratified
from ibr.prediction import NoAnswer, Prediction
from ibr.proof import Proof
from ibr.reasoner import Recorded, Unanswerable
from ibr.theory import Problem, Sentence, Theory

T = TypeVar("T")
HELD_OUT = 0.05  # of the theories of a ParaRules tsv, for its split "dev"


class ProblemAtLine(NamedTuple):
    """A problem, the line that an error about it names, and the labels if its file has them."""

    line: int | None
    problem: Problem
    example: Example | None = None


class RefusedProblems:
    """Handles problems that a reasoner cannot answer: counted in `bad`, or an error without it.

    With `labelled` data, theories that are not stratified have no agreed labels: they are always
    left out, and counted. On a set that others report on, no question is left out.
    """

    def __init__(self, file: str, bad: BadLines | None, labelled: bool = False) -> None:
        self.file, self.bad, self.labelled = file, bad, labelled
        self.not_stratified = 0

    def __call__(self, item: object, why: Unanswerable) -> Prediction | None:
        if isinstance(item, Reported):
            return NoAnswer(item.id, False, "", why=why.why)
        if self.labelled and isinstance(why.__cause__, NotStratified):
            self.not_stratified += 1
            return None
        line = item.line if isinstance(item, ProblemAtLine) else None
        error = DataError(self.file, line, f"question {why.problem.id}: {why.field}", why.why)
        if self.bad is None:
            raise error from why
        self.bad.add(error)
        return None


@dataclass(frozen=True)
class Reader:
    """How to read labelled data."""

    split: str | None = None  # of a directory; None: all of them
    mappings: Path | None = None  # ParaRules' tsv, for files of NatLang
    bad: BadLines | None = None  # counts bad lines; None: a bad line is an error
    met: ReadReport = field(default_factory=ReadReport)
    kinds: bool = True  # False: hide which sentences are facts and rules, as for a user's text

    def examples(self, path: Path) -> Iterator[Example]:
        """Labelled questions of a RuleTaker directory or file, our own JSONL, ParaRules' tsv, a
        dataset of Hugging Face (`hf:NAME`), or one of the `reported_sets`.

        A tsv has theories only: their questions are sampled, the same for the same theory. The
        kinds in our own JSONL are its author's and are kept; elsewhere they come from gold logic.
        """
        examples: Iterator[Example]
        if str(path).startswith(hub.PREFIX):
            examples = hub.read(str(path), self.split, self.bad)
        elif path.suffix == ".tsv":
            theories = self.paraphrased(path)
            examples = (e for t in theories for e in sample_paraphrased(t, random.Random(t.id)))
        elif read_set := _set_reader(path):
            examples = read_set(path, self.met, self.bad)
        elif path.is_file() and "questions" not in _first_record(path):
            return read_jsonl(path, self.bad)
        else:
            examples = rule_reasoning.read(
                path, self.split, mappings=self.mappings, report=self.met, bad=self.bad
            )
        if self.kinds:
            return examples
        problems = ((e, replace(e.problem, theory=_unlabelled(e.theory))) for e in examples)
        return (replace(example, problem=problem) for example, problem in problems)

    def paraphrased(self, path: Path) -> Iterable[Paraphrased]:
        """The theories of a tsv. Its splits `train` and `dev` share no theory and no paraphrase."""
        theories = read_tsv(path, self.bad)
        if self.split is None:
            return theories
        train, held_out = hold_out(theories, HELD_OUT, seed=0)
        return train if self.split == "train" else held_out

    def problems(self, path: str) -> Iterator[ProblemAtLine]:
        """Problem lines as in `ibr.data.formats.exchange` (`-` is stdin), or labelled data."""
        if path != STANDARD and _is_labelled(path_of(path)):
            for example in self.examples(path_of(path)):
                yield ProblemAtLine(None, example.problem, example)
        else:
            with reading(path) as stream:
                for line, problem in read_records(stream, path, problem_of, self.bad):
                    yield ProblemAtLine(line, problem)


@lru_cache(maxsize=64)
def _unlabelled(theory: Theory) -> Theory:
    return replace(theory, sentences=tuple(Sentence(sentence.text) for sentence in theory))


def read_predictions(path: str, bad: BadLines | None = None) -> Recorded:
    """The lines that `ibr predict` wrote, as a reasoner."""
    with reading(path) as stream:
        records = read_records(stream, path, prediction_of, bad)
        return Recorded((prediction for _, prediction in records), path)


def count_questions(path: str) -> int | None:
    """The number of lines of a file with one question a line; None for other files."""
    file = path_of(path)
    if path == STANDARD or not file.is_file() or file.suffix == ".tsv":
        return None
    if _set_reader(file) or "questions" in _first_record(file):
        return None
    with file.open("rb") as stream:
        return sum(not line.isspace() for line in stream)


def _is_labelled(path: Path) -> bool:
    if path.is_dir() or path.suffix == ".tsv" or str(path).startswith(hub.PREFIX):
        return True
    labels = {"questions", "program", "proofs"}
    return bool(_set_reader(path)) or not labels.isdisjoint(_first_record(path))


def _set_reader(path: Path) -> reported_sets.SetReader | None:
    return reported_sets.reader_of(path, _first_record(path)) if path.is_file() else None


def _first_record(path: Path) -> dict[str, Any]:
    """The record by which formats are distinguished; {} if there is none. Ignores bad lines."""
    for number, text in jsonl.number_lines(path) if path.is_file() else ():
        with suppress(DataError):
            return jsonl.parse_line(text, path, number)
    return {}


class FileLogic:
    """Reads problems by the logic in their file, for the last examples that it has watched."""

    KEPT_EXAMPLES = 4096  # more than any batch

    def __init__(self, choice: LogicFrom, world: Assumption = Assumption.CLOSED) -> None:
        self.choice, self.world = choice, world
        self.from_file = 0  # questions whose meaning came from the file
        self.without_proofs = 0  # questions for which the file lists none
        self._examples: OrderedDict[Problem, Example] = OrderedDict()

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, examples or problems that may have one."""
        for item in items:
            example = item.example if isinstance(item, ProblemAtLine) else item
            if isinstance(example, Example):
                self._add(example)
            yield item

    def _add(self, example: Example) -> None:
        self._examples[example.problem] = example
        self.from_file += self._uses_file(example)
        self.without_proofs += not (example.proofs or isinstance(example, Reported))
        if len(self._examples) > self.KEPT_EXAMPLES:
            self._examples.popitem(last=False)

    def proofs_of(self, problem: Problem) -> tuple[Proof, ...]:
        """The gold proofs of a problem; () if the file lists none."""
        example = self._examples.get(problem)
        return example.proofs or () if example else ()

    def read(self, problem: Problem) -> Logic:
        example = self._examples.get(problem)
        if example and example.program and self._uses_file(example):
            return Logic(example.program, example.statement).in_world(self.world)
        if self.choice is LogicFrom.FILE:
            raise ReadError(problem.question.text, "its file gives no logic; use --logic text")
        return read_text(problem, self.world)

    def _uses_file(self, example: Example) -> bool:
        if example.program is None or self.choice is LogicFrom.TEXT:
            return False
        # The logic of a paraphrase is not in its words: what can be read may still be wrong.
        natural = "NatLang" in example.id or bool(program_of(example.theory).unreadable)
        return natural or self.choice is LogicFrom.FILE
