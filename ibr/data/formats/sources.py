"""Data by path: which format a file has, and the logic that comes with it.

The formats themselves are `ibr.data` and `ibr.exchange`.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ibr.choices import LogicFrom
from ibr.data import rule_reasoning
from ibr.data.example import Example, read_jsonl
from ibr.data.jsonl import BadLines, DataError, number_lines, parse_line
from ibr.data.pararules import Paraphrased, hold_out, read_tsv
from ibr.data.questions import sample_paraphrased
from ibr.data.rule_reasoning import Report
from ibr.exchange import prediction_of, problem_of, read_records
from ibr.files import STANDARD, reading
from ibr.logic.language import program_of, read_question
from ibr.logic.reading import ReadError
from ibr.logic.solver import NotStratified
from ibr.proof import Proof
from ibr.reasoner import Logic, Recorded, Unanswerable, read_text
from ibr.theory import Problem, Sentence, Theory

HELD_OUT = 0.05  # of the theories of a ParaRules tsv, for its split "dev"


class Asked(NamedTuple):
    """A problem and the line that an error about it should name."""

    line: int | None
    problem: Problem


class Refused:
    """What becomes of problems that a reasoner cannot take: counted in `bad`, or an error."""

    def __init__(self, file: str, bad: BadLines | None) -> None:
        self.file, self.bad = file, bad

    def __call__(self, item: object, why: Unanswerable) -> None:
        line = item.line if isinstance(item, Asked) else None
        error = DataError(self.file, line, f"question {why.problem.id}: {why.field}", why.why)
        if self.bad is None:
            raise error from why
        self.bad.add(error)


class RefusedData(Refused):
    """The same for labelled data, whose few theories with cyclic negation have no agreed labels.

    Those are always left out, and counted.
    """

    not_stratified = 0

    def __call__(self, item: object, why: Unanswerable) -> None:
        if isinstance(why.__cause__, NotStratified):
            self.not_stratified += 1
        else:
            super().__call__(item, why)


@dataclass(frozen=True)
class Reader:
    """How to open labelled data: what to do with bad lines, and where oddities are told."""

    split: str | None = None  # of a directory; None: all of them
    mappings: Path | None = None  # ParaRules' tsv, for files of NatLang
    bad: BadLines | None = None
    met: Report = field(default_factory=Report)
    kinds: bool = True  # False: as a user asks, who has no logic that tells facts from rules

    def examples(self, path: Path) -> Iterator[Example]:
        """Labelled questions of a RuleTaker directory or file, our own JSONL, or ParaRules' tsv.

        A tsv has theories only: their questions are sampled, the same for the same theory. The
        kinds in our own JSONL are its author's, and stay; elsewhere they come from the gold logic.
        """
        if path.is_file() and path.suffix != ".tsv" and "questions" not in _first_record(path):
            return read_jsonl(path, self.bad)
        examples = self._sampled(path) if path.suffix == ".tsv" else self._ruletaker(path)
        return examples if self.kinds else map(_without_kinds, examples)

    def _ruletaker(self, path: Path) -> Iterator[Example]:
        return rule_reasoning.read(
            path, self.split, mappings=self.mappings, report=self.met, bad=self.bad
        )

    def paraphrased(self, path: Path) -> Iterable[Paraphrased]:
        """Of a tsv, `train` is what shares no theory and no paraphrase with `dev`, a twentieth."""
        theories = read_tsv(path, self.bad)
        if self.split is None:
            return theories
        parts = hold_out(theories, HELD_OUT, seed=0)
        return parts.train if self.split == "train" else parts.held_out

    def _sampled(self, path: Path) -> Iterator[Example]:
        for theory in self.paraphrased(path):
            yield from sample_paraphrased(theory, random.Random(theory.id))

    def problems(self, path: str, logic: FileLogic) -> Iterator[Asked]:
        """Problem lines in the form of `ibr.exchange` (`-` is stdin), or labelled data."""
        if path != STANDARD and _is_labelled(Path(path)):
            for example in logic.watch(self.examples(Path(path))):
                yield Asked(None, example.problem)
        else:
            with reading(path) as stream:
                for line, problem in read_records(stream, path, problem_of, self.bad):
                    yield Asked(line, problem)


def _without_kinds(example: Example) -> Example:
    theory = _unlabelled(example.theory)
    return replace(example, problem=replace(example.problem, theory=theory))


@lru_cache(maxsize=64)
def _unlabelled(theory: Theory) -> Theory:
    return replace(theory, sentences=tuple(Sentence(sentence.text) for sentence in theory))


def read_predictions(path: str, bad: BadLines | None = None) -> Recorded:
    """The lines that `ibr predict` wrote, as the reasoner that wrote them."""
    with reading(path) as stream:
        records = read_records(stream, path, prediction_of, bad)
        return Recorded((prediction for _, prediction in records), path)


def count_questions(path: str) -> int | None:
    """As many as lines, where each line is one; elsewhere only reading the file would tell."""
    file = Path(path)
    if path == STANDARD or not file.is_file() or file.suffix == ".tsv":
        return None
    if "questions" in _first_record(file):
        return None
    with file.open("rb") as stream:
        return sum(not line.isspace() for line in stream)


def _is_labelled(path: Path) -> bool:
    if path.is_dir() or path.suffix == ".tsv":
        return True
    return not {"questions", "program", "proofs"}.isdisjoint(_first_record(path))


def _first_record(path: Path) -> dict[str, Any]:
    """What tells the formats apart; {} if there is none (bad lines are its reader's to report)."""
    for number, text in number_lines(path) if path.is_file() else ():
        with suppress(DataError):
            return parse_line(text, path, number)
    return {}


class FileLogic:
    """Reads problems by the logic in their file; it knows those that were streamed through it."""

    REMEMBERED = 4096  # more than any batch

    def __init__(self, choice: LogicFrom) -> None:
        self.choice = choice
        self.from_file = 0  # questions whose meaning came from the file
        self.without_proofs = 0  # questions for which the file lists none
        self._examples: OrderedDict[Problem, Example] = OrderedDict()

    def watch(self, examples: Iterable[Example]) -> Iterator[Example]:
        for example in examples:
            self._examples[example.problem] = example
            self.from_file += self._uses_file(example)
            self.without_proofs += not example.proofs
            if len(self._examples) > self.REMEMBERED:
                self._examples.popitem(last=False)
            yield example

    def proofs_of(self, problem: Problem) -> tuple[Proof, ...]:
        """The gold proofs of a problem that was streamed lately; () if the file lists none."""
        example = self._examples.get(problem)
        return example.proofs or () if example else ()

    def read(self, problem: Problem) -> Logic:
        example = self._examples.get(problem)
        if example and example.program and self._uses_file(example):
            return Logic(example.program, example.literal or read_question(example.question))
        if self.choice is LogicFrom.FILE:
            raise ReadError(problem.question.text, "its file gives no logic; use --logic text")
        return read_text(problem)

    def _uses_file(self, example: Example) -> bool:
        if example.program is None or self.choice is LogicFrom.TEXT:
            return False
        # Paraphrases say more than their words: what can be read of them may still be wrong.
        natural = "NatLang" in example.id or bool(program_of(example.theory).unreadable)
        return natural or self.choice is LogicFrom.FILE
