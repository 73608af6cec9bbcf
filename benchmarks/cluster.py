"""`python -m benchmarks cluster`: what a block costs, and `--engine ray` beside one process.

The cost of a block is processor time: of reading, packing and sending its questions (the command)
and of answering them (a worker). The runs are wall-clock time, so nothing else should run: one
process, then 1, 2 and 4 workers; in the last one a worker is killed in the middle. Exits with code
10 if one of them writes other bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ibr.bulk.engines import Engine, RayEngine, run_here
from ibr.choices import Assumption, LogicFrom
from ibr.cli.jobs import AnswerJob, units
from ibr.data.formats.sources import ProblemAtLine, Reader
from ibr.data.making.generator import Recipe, generate
from ibr.errors import ExitCode
from ibr.files import write_file

Unit = list[ProblemAtLine]


@dataclass(frozen=True)
class KilledJob(AnswerJob):
    """Ends its worker once, before the block with the question `last`."""

    last: str
    mark: str

    def start(self) -> Callable[[Sequence[ProblemAtLine]], Any]:
        answer = super().start()

        def answer_or_die(unit: Sequence[ProblemAtLine]) -> Any:
            if unit[0].problem.id == self.last and not os.path.exists(self.mark):
                Path(self.mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return answer(unit)

        return answer_or_die


@dataclass(frozen=True)
class NoJob:
    def start(self) -> Callable[[Unit], int]:
        return len


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks cluster", description=__doc__)
    parser.add_argument("--reasoner", default="verified")
    parser.add_argument("--theories", type=int, default=100, help="of some 20 questions each")
    parser.add_argument("--workers", default="1,2,4")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        same = all([*_report(options, Path(folder))])
    sys.exit(ExitCode.OK if same else ExitCode.UNPROVED)


def _report(options: argparse.Namespace, folder: Path) -> Iterator[bool]:
    file = folder / "questions.jsonl"
    _write_questions(file, options.theories)
    began = time.process_time()
    blocks = list(units(Reader(kinds=False).problems(str(file))))
    questions = sum(map(len, blocks))
    print(f"{len(blocks)} blocks, {questions:,} questions; load {os.getloadavg()[0]:.1f}")
    _print_cost("reading", began, blocks)
    job = AnswerJob(
        str(file), options.reasoner, LogicFrom.AUTO, Assumption.CLOSED, {}, False, 64
    )  # fmt: skip
    began = time.process_time()
    one, seconds = _run(job, run_here, blocks)
    _print_cost("answering", began, blocks)
    print(f"one process: {questions / seconds:.1f} questions/s", flush=True)
    counts = [int(count) for count in options.workers.split(",")]
    RayEngine(max(counts)).connect()  # once: it takes seconds
    for count in counts:
        last = blocks[len(blocks) // 2][0].problem.id if count == counts[-1] else ""
        mark = str(folder / "killed")
        many, taken = _run(KilledJob(*vars(job).values(), last, mark), RayEngine(count), blocks)
        killed = ", one of them killed" if last else ""
        rate = f"{questions / taken:.1f} questions/s, {seconds / taken:.2f} of one process"
        print(f"{count} workers{killed}: {rate}; same bytes: {many == one}", flush=True)
        yield many == one
    with RayEngine(1)(NoJob()) as run:
        began = time.process_time()
        list(run(blocks))
        _print_cost("packing and sending", began, blocks)


def _write_questions(file: Path, theories: int) -> None:
    lines = [
        json.dumps({"id": e.id, "sentences": [s.text for s in e.theory], "question": e.question})
        for group in generate(Recipe(depth=5), 11, theories)
        for e in group
    ]
    write_file(file, "".join(f"{line}\n" for line in lines))


def _run(job: AnswerJob, engine: Engine, blocks: list[Unit]) -> tuple[list[str], float]:
    """The lines, and the seconds from the first block on: not those of the start."""
    with engine(job) as run:
        began = time.perf_counter()
        lines = [line for _, (answered, _) in run(blocks) for line in answered]
        return lines, time.perf_counter() - began


def _print_cost(what: str, began: float, blocks: list[Unit]) -> None:
    spent = time.process_time() - began
    each = 1e6 * spent / sum(map(len, blocks))
    print(f"{what}: {1000 * spent / len(blocks):.2f} ms a block, {each:.0f} µs a question")
