"""Answers to the questions of a file as lines of JSON, for `ibr predict`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Final

from ibr.asking.reasoners import SystemName
from ibr.bulk.parts import UNIT, OutputKey, Places, Shard, digest, working
from ibr.cli.output import note, progress
from ibr.data.formats.jsonl import STANDARD, BadLines, writing
from ibr.data.formats.sources import (
    FileLogic,
    ProblemAtLine,
    Reader,
    RefusedProblems,
    count_questions,
)
from ibr.decoding.manifest import MANIFEST
from ibr.errors import UsageError
from ibr.prediction import NoAnswer, Prediction
from ibr.reasoner import Reasoner, Unanswerable, prove_all, runs

_PROBLEM: Final = attrgetter("problem")


@dataclass(frozen=True)
class Answering:
    """A system, a file of problems and how it is read."""

    system: Reasoner
    reader: Reader
    source: FileLogic
    problems: str
    batch: int
    unanswered: BadLines = field(default_factory=BadLines)  # questions whose line is `cannot say`

    def write(self, out: str) -> None:
        with writing(out) as stream:
            for lines in self._units(Shard()):
                stream.writelines(f"{line}\n" for line in lines)

    def write_part(self, out: str, key: OutputKey, part: Shard | None, resume: bool) -> None:
        """Write a shard, or all, so that the run can be resumed."""
        with working(Places(out), key, part, resume) as work:
            if work is None:
                note(f"{out} is there already, and whole")
                return
            done = work.manifest.units
            if done:
                note(f"going on after {sum(done):,} lines")
            for lines in self._units(part or Shard(), skipped=len(done)):
                work.add(lines)

    def _units(self, shard: Shard, skipped: int = 0) -> Iterator[list[str]]:
        """The lines of each unit of the shard, without those of the first ones."""
        asked = progress(
            self.reader.problems(self.problems, self.source),
            "questions",
            lambda: count_questions(self.problems),
        )
        for unit in islice(shard.of(runs(asked, _PROBLEM, UNIT)), skipped, None):
            answered = prove_all(self.system, unit, _PROBLEM, self._refused, self.batch)
            yield [json.dumps(prediction.to_json()) for _, prediction in answered]

    def _refused(self, item: ProblemAtLine, why: Unanswerable) -> Prediction | None:
        """Left out and counted with `--skip-bad`; else a line that says why there is no answer."""
        skipped = self.reader.bad
        RefusedProblems(self.problems, self.unanswered if skipped is None else skipped)(item, why)
        if skipped is not None:
            return None
        return NoAnswer(item.problem.id, False, self.system.name, why=f"{why.field}: {why.why}")


def check_apart(problems: str, out: str) -> None:
    """Raise UsageError if the output would replace the input."""
    if Path(problems).is_file() and Path(out).is_file() and Path(problems).samefile(out):
        raise UsageError(f"--out {out}: is the input; give the output another name")


def check_files(problems: str, out: str) -> None:
    """Raise UsageError for streams: the input is read more than once, the output in part."""
    files = (("--in", problems, Path(problems).is_dir()), ("--out", out, False))
    streams = [
        f"{option} {name}"
        for option, name, is_folder in files
        if name == STANDARD or (Path(name).exists() and not (is_folder or Path(name).is_file()))
    ]
    if streams:
        raise UsageError(f"{', '.join(streams)}: --shard and --resume need files")


def model_sha256(reasoner: str) -> str | None:
    """Of the files that make the model; an exported one lists the sums of all of them."""
    folder = SystemName.parse(reasoner).folder
    if folder is None:
        return None
    if (folder / MANIFEST).exists():
        return digest(folder / MANIFEST)
    from ibr.training.checkpoint import model_folder  # needs torch

    return digest(model_folder(folder))
