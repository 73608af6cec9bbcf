"""`python -m benchmarks audit`: is every proof that a reasoner marks valid one for clingo, too?

Each question is asked; of what comes back as checked and valid, clingo is given the cited sentences
alone (`benchmarks.asp`). Ends with exit code 10 if it rejects any.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Final

from benchmarks.asp import objection
from ibr.choices import LogicFrom
from ibr.commands.output import progress
from ibr.commands.tables import shares
from ibr.data.example import Example
from ibr.data.generate import Recipe, generate
from ibr.errors import ExitCode
from ibr.evaluate import Origin, origins_to_json
from ibr.prediction import Status
from ibr.reasoner import Read, Reasoner, Unanswerable, get_reasoner, prove_all
from ibr.sources import FileLogic, Reader

# Of each in turn: RuleTaker's own kind, other words, and any structure.
RECIPES: Final = tuple(
    Recipe(depth, preset, words, max_proofs=1, all_proofs=False)
    for depth, preset, words in (
        (3, "ruletaker", "ruletaker"),
        (5, "ruletaker", "ruletaker"),
        (5, "ruletaker", "open"),
        (5, "wide", "open"),
    )
)
TOGETHER: Final = 8  # theories: a batch of a few sizes wastes less on padding
LISTED: Final = 1000  # rejected proofs whose ids are told


@dataclass
class Audit:
    """What was found in one set of questions."""

    questions: int = 0
    refused: int = 0  # questions that the reasoner does not take
    origins: Counter[Origin] = field(default_factory=Counter)
    agrees: int = 0
    rejects: int = 0
    rejected: list[tuple[str, str]] = field(default_factory=list)  # id, why

    @property
    def valid(self) -> int:
        return self.agrees + self.rejects

    def add(self, id: str, why: str | None) -> None:
        if why is None:
            self.agrees += 1
            return
        self.rejects += 1
        if len(self.rejected) < LISTED:
            self.rejected.append((id, why))

    def to_json(self) -> dict[str, Any]:
        return {
            "questions": self.questions,
            "refused": self.refused,
            "origins": origins_to_json(self.origins),
            "valid": self.valid,
            "agrees": self.agrees,
            "rejects": self.rejects,
            "rejected": [{"id": id, "why": why} for id, why in self.rejected],
        }

    def lines(self) -> Iterator[str]:
        if self.origins:
            yield f"  proofs: {shares(self.origins)}"
        if self.refused:
            yield f"  {self.refused:,} more questions were not taken"
        yield (
            f"  {self.valid:,} proofs marked valid: clingo agrees with {self.agrees:,} "
            f"and rejects {self.rejects:,}"
        )
        yield from (f"    {id}: {why}" for id, why in self.rejected)


def audit(reasoner: Reasoner, examples: Iterable[Example], read: Read) -> Audit:
    """Streams; `read` says what a problem means to clingo."""
    found = Audit()

    def refuse(example: Example, why: Unanswerable) -> None:
        found.refused += 1

    for example, said in prove_all(reasoner, examples, lambda e: e.problem, refuse):
        found.questions += 1
        found.origins[said.source, said.checked] += 1
        if said.checked is Status.VALID:
            found.add(example.id, objection(read(example.problem), said))
    return found


def generated(seed: int) -> Iterator[Example]:
    """Questions without end, from all recipes in turn; theories of one size come together."""
    for first in count(0, TOGETHER):
        for recipe in RECIPES:
            yield from chain.from_iterable(generate(recipe, seed, TOGETHER, first))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks audit", description=__doc__)
    parser.add_argument("--reasoner", default="verified")
    parser.add_argument("--data", type=Path, action="append", default=[], help="may be repeated")
    parser.add_argument("--limit", type=int, help="the first N questions of each --data")
    parser.add_argument("--generated", type=int, default=0, help="so many generated questions")
    parser.add_argument("--seed", type=int, default=0, help="of the generated questions")
    parser.add_argument(
        "--logic",
        type=LogicFrom,
        default=LogicFrom.TEXT,
        help="what clingo takes a file's sentences to mean: text (as the checker does), file, auto",
    )
    parser.add_argument("--json", action="store_true", help="one line per set of questions")
    options = parser.parse_args(arguments)
    if not options.data and not options.generated:
        parser.error("nothing to ask: give --data or --generated")
    reasoner, rejects = get_reasoner(options.reasoner), 0
    for name, examples in _sets(options):
        source, began = FileLogic(options.logic), time.process_time()
        found = audit(reasoner, source.watch(progress(examples, "questions")), source.read)
        seconds = time.process_time() - began
        rejects += found.rejects
        if options.json:
            head = {"reasoner": reasoner.name, "data": name, "logic": options.logic}
            print(json.dumps(head | found.to_json() | {"cpu_seconds": round(seconds, 1)}))
        else:
            print(f"{reasoner.name} on {name}: {found.questions:,} questions", end="")
            print(f" ({found.questions / max(seconds, 1e-9):,.0f} per CPU second)")
            print("\n".join(found.lines()))
        sys.stdout.flush()
    if rejects:
        sys.exit(ExitCode.UNPROVED)


def _sets(options: argparse.Namespace) -> Iterator[tuple[str, Iterable[Example]]]:
    for path in options.data:
        yield str(path), islice(Reader().examples(path), options.limit)
    if options.generated:
        name = f"generated questions, seed {options.seed}"
        yield name, islice(generated(options.seed), options.generated)
