"""What a dataset is made of, figure by figure, in the terms of docs/formats.md.

`describe` counts, `compare` sets the figures beside published ones (`du5_dev.json`). Works on
Examples of any format; prints nothing.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from ibr.data.formats.example import Example, by_theory
from ibr.logic.clause import Clause, Program, Sign
from ibr.logic.language import program_of
from ibr.theory import FineStrategy

_FAMILY: Final = re.compile(r"(Att|Rel)(Noneg|Neg)(?![A-Za-z])")
_PERSON: Final = re.compile(r"\b(someone|they|people)\b", re.IGNORECASE)
_THING: Final = re.compile(r"\b(something|it|things)\b", re.IGNORECASE)
_RANDOM: Final = (FineStrategy.RANDOM, FineStrategy.INV_RANDOM)  # always of depth 0


class Unit(StrEnum):
    MEAN = "mean"
    SHARE = "share"  # from 0 to 1


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with its range, or a share."""

    unit: Unit
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    theories: int
    questions: int
    figures: Mapping[str, Figure]

    def find(self, name: str, unit: Unit) -> Figure | None:
        """Of a share without counts it is 0 if others of its group were counted."""
        group = name.rpartition(": ")[0] + ": "
        counted = len(group) > 2 and any(other.startswith(group) for other in self.figures)
        zero = Figure(Unit.SHARE, 0.0) if counted and unit is Unit.SHARE else None
        return self.figures.get(name, zero)


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One line of a comparison; `difference` is a fraction of a mean, or of 1 for a share."""

    name: str
    measured: Figure | None
    published: Figure
    difference: float | None
    within: bool


@cache
def du5_dev() -> Mapping[str, Figure]:
    """The figures of DU5 dev, as counted on its files."""
    data = json.loads(Path(__file__).with_name("du5_dev.json").read_text(encoding="utf-8"))
    figures = {name: Figure(Unit.MEAN, *numbers) for name, numbers in data["mean"].items()}
    shares = dict(data["share"])
    for name, counts in data["count"].items():
        total = sum(counts.values())
        shares |= {f"{name}: {kind}": count / total for kind, count in counts.items()}
    for name, families in data["percent"].items():
        shares |= {f"{family}: {name}": percent / 100 for family, percent in families.items()}
    return figures | {name: Figure(Unit.SHARE, share) for name, share in shares.items()}


def compare(
    measured: Statistics, published: Mapping[str, Figure], mean: float = 0.10, share: float = 0.05
) -> list[ComparisonRow]:
    """Every published figure beside the measured one: means within 10 %, shares within 5 points.

    A figure that cannot be measured (no such theories, no proofs) is not within.
    """
    rows = []
    for name, other in published.items():
        own = measured.find(name, other.unit)
        scale, tolerance = (other.value, mean) if other.unit is Unit.MEAN else (1.0, share)
        difference = None if own is None else (own.value - other.value) / scale
        within = difference is not None and abs(difference) <= tolerance + 1e-12
        rows.append(ComparisonRow(name, own, other, difference, within))
    return rows


def describe(examples: Iterable[Example]) -> Statistics:
    """All figures, means first. The questions of a theory must be consecutive."""
    tally = _FigureTally()
    theories = questions = 0
    for group in by_theory(examples):
        theories += 1
        questions += len(group)
        _count_theory(tally, group)
        for example in group:
            _count_question(tally, example)
    return Statistics(theories, questions, dict(tally.figures()))


class _FigureTally:
    """Numbers to be averaged, truth values and kinds to be counted, by name."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, list[float]] = defaultdict(list)
        self.shares: defaultdict[str, list[bool]] = defaultdict(list)
        self.kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)  # their shares sum to 1

    def figures(self) -> Iterator[tuple[str, Figure]]:
        for name, values in self.numbers.items():
            mean = sum(values) / len(values)
            yield name, Figure(Unit.MEAN, mean, min(values), max(values))
        for name, truths in sorted(self.shares.items()):
            yield name, Figure(Unit.SHARE, sum(truths) / len(truths))
        for name, kinds in sorted(self.kinds.items()):
            for kind, count in sorted(kinds.items()):
                yield f"{name}: {kind}", Figure(Unit.SHARE, count / kinds.total())


def _count_theory(tally: _FigureTally, group: Sequence[Example]) -> None:
    theory = group[0].theory
    program = group[0].program or program_of(theory)
    facts = [(i, clause) for i, clause in program if clause.is_fact]
    rules = [(i, clause) for i, clause in program if not clause.is_fact]
    tally.numbers["facts"].append(len(facts))
    tally.numbers["rules"].append(len(rules))
    tally.numbers["sentences"].append(len(theory))
    tally.numbers["questions"].append(len(group))
    tally.numbers["entities"].append(len(program.entities))
    tally.numbers["words of the context"].append(len(theory.text.split()))
    for name, clauses in (("fact", facts), ("rule", rules)):
        for index in dict.fromkeys(i for i, _ in clauses):
            tally.numbers[f"words of a {name}"].append(len(theory[index].text.split()))
    family = family_of(group[0].theory_id, program)
    tally.kinds["theories"][family] += 1
    person, thing = bool(_PERSON.search(theory.text)), bool(_THING.search(theory.text))
    if person != thing:
        tally.shares["theories: someone, not something"].append(person)
    for _, fact in facts:
        tally.shares[f"{family}: negative facts"].append(not fact.head.positive)
        tally.shares[f"{family}: relational facts"].append(fact.head.relation != "is")
    for index, rule in rules:
        _count_rule(tally, family, rule)
        first = theory[index].text.partition(" ")[0]
        tally.kinds["rules"][first if first in ("If", "All") else "bare plural"] += 1


def family_of(theory_id: str, program: Program) -> str:
    """ "AttNeg" by the id if it has a family, else by the logic."""
    named = _FAMILY.match(theory_id)
    if named:
        return named[0]
    literals = [lit for _, clause in program for lit in (clause.head, *clause.body)]
    relational = any(lit.relation != "is" and lit.object for lit in literals)
    negative = any(not lit.positive for lit in literals)
    return ("Rel" if relational else "Att") + ("Neg" if negative else "Noneg")


def _count_rule(tally: _FigureTally, family: str, rule: Clause) -> None:
    absent = any(literal.sign is Sign.NAF for literal in rule.body)
    grounds = any(literal.variables for literal in rule.body) and not rule.head.variables
    tally.shares[f"{family}: 1-condition rules"].append(len(rule.body) == 1)
    tally.shares[f"{family}: rules with NAF"].append(absent)
    tally.shares[f"{family}: negative heads"].append(not rule.head.positive)
    tally.shares[f"{family}: ground rules"].append(not rule.variables)
    tally.shares[f"{family}: variable body, ground head"].append(grounds)
    tally.shares[f"{family}: relational heads"].append(rule.head.relation != "is")


def _count_question(tally: _FigureTally, example: Example) -> None:
    tally.shares["questions: true"].append(example.answer)
    if example.fine_strategy is not None:
        tally.kinds["questions"][example.fine_strategy] += 1
        if example.depth is not None and example.fine_strategy not in _RANDOM:
            tally.kinds[f"{example.fine_strategy} at depth"][str(example.depth)] += 1
    if example.proofs and example.depth is not None:
        size = min(proof.cost for proof in example.proofs)[1]
        tally.numbers[f"size of the shortest proof, depth {example.depth}"].append(size)
