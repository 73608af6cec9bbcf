"""`python -m benchmarks audit`: does clingo accept every proof that a reasoner marks valid?

For each proof that is checked and valid, clingo gets only the cited sentences (`benchmarks.asp`).
Exits with code 10 if it rejects any.
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
from ibr.asking.reasoners import get_reasoner
from ibr.choices import LogicFrom
from ibr.cli.output import progress
from ibr.cli.tables import shares
from ibr.data.formats.example import Example
from ibr.data.formats.sources import FileLogic, Reader
from ibr.data.making.generator import Recipe, generate
from ibr.errors import ExitCode
from ibr.evaluation.metrics import Origin, origins_to_json
from ibr.logic.solver_reasoner import Read
from ibr.prediction import Status
from ibr.reasoner import Reasoner, Unanswerable, prove_all

# In turn: like RuleTaker, with other words, with any structure.
RECIPES: Final = tuple(
    Recipe(depth, preset, words, max_proofs=1, all_proofs=False)
    for depth, preset, words in (
        (3, "ruletaker", "ruletaker"),
        (5, "ruletaker", "ruletaker"),
        (5, "ruletaker", "open"),
        (5, "wide", "open"),
    )
)
TOGETHER: Final = 8  # consecutive theories of one recipe, so that batches have little padding
LISTED: Final = 1000  # rejected proofs whose ids are printed


@dataclass
class Audit:
    """Counts for one set of questions."""

    questions: int = 0
    refused: int = 0  # questions that the reasoner cannot answer
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
            yield f"  {self.refused:,} more questions could not be answered"
        yield (
            f"  {self.valid:,} proofs marked valid: clingo agrees with {self.agrees:,} "
            f"and rejects {self.rejects:,}"
        )
        yield from (f"    {id}: {why}" for id, why in self.rejected)


def audit(reasoner: Reasoner, examples: Iterable[Example], read: Read) -> Audit:
    """Audit a stream of examples; `read` gives the logic of a problem to clingo."""
    found = Audit()

    def refuse(example: Example, why: Unanswerable) -> None:
        found.refused += 1

    for example, found_proof in prove_all(reasoner, examples, lambda e: e.problem, refuse):
        found.questions += 1
        found.origins[found_proof.source, found_proof.checked] += 1
        if found_proof.checked is Status.VALID:
            found.add(example.id, objection(read(example.problem), found_proof))
    return found


def generated(seed: int) -> Iterator[Example]:
    """Endless questions, from all recipes in turn; theories of similar size are consecutive."""
    for first in count(0, TOGETHER):
        for recipe in RECIPES:
            yield from chain.from_iterable(generate(recipe, seed, TOGETHER, first))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks audit", description=__doc__)
    parser.add_argument("--reasoner", default="verified")
    parser.add_argument("--data", type=Path, action="append", default=[], help="may be repeated")
    parser.add_argument("--limit", type=int, help="the first N questions of each --data")
    parser.add_argument("--generated", type=int, default=0, help="number of generated questions")
    parser.add_argument("--seed", type=int, default=0, help="of the generated questions")
    parser.add_argument(
        "--logic",
        type=LogicFrom,
        default=LogicFrom.TEXT,
        help="where clingo's logic comes from: text (as the checker's), file, auto",
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
