"""What a dataset is made of, figure by figure, in the words of docs/formats.md.

`describe` counts, `compare` sets two descriptions side by side; the figures that are published are
in `published`. Knows Examples, whatever they were read from; prints nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ibr.data.example import Example, by_theory
from ibr.logic.clause import Clause, Program, Sign
from ibr.logic.language import program_of
from ibr.proof import Proof
from ibr.theory import FineStrategy, Theory

_FAMILY: Final = re.compile(r"(Att|Rel)(Noneg|Neg)(?![A-Za-z])")
_PERSON: Final = re.compile(r"\b(someone|they|people)\b", re.IGNORECASE)
_THING: Final = re.compile(r"\b(something|it|things)\b", re.IGNORECASE)


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

    def nothing(self, name: str, unit: Unit) -> Figure | None:
        """A share of 0, if what it would be a share of was counted at all."""
        kin = name.rpartition(": ")[0] + ": "
        counted = len(kin) > 2 and any(other.startswith(kin) for other in self.figures)
        return Figure(Unit.SHARE, 0.0) if counted and unit is Unit.SHARE else None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison; `difference` is a fraction of a mean, or of 1 for a share."""

    name: str
    measured: Figure | None
    published: Figure
    difference: float | None
    within: bool


def compare(
    measured: Statistics, published: Mapping[str, Figure], mean: float = 0.10, share: float = 0.05
) -> list[Row]:
    """Every published figure beside the measured one: means within 10 %, shares within 5 points.

    A figure that cannot be measured (no such theories, no proofs) is not within.
    """
    rows = []
    for name, other in published.items():
        own = measured.figures.get(name) or measured.nothing(name, other.unit)
        difference = None
        if own is not None:
            scale = other.value if other.unit is Unit.MEAN else 1.0
            difference = (own.value - other.value) / scale
        tolerance = mean if other.unit is Unit.MEAN else share
        within = difference is not None and abs(difference) <= tolerance + 1e-12
        rows.append(Row(name, own, other, difference, within))
    return rows


def describe(examples: Iterable[Example]) -> Statistics:
    """Every figure of section 5: means, then shares. A theory's questions must come together."""
    tally = _Tally()
    theories = questions = 0
    for group in by_theory(examples):
        theories += 1
        questions += len(group)
        _count_theory(tally, group)
        for example in group:
            _count_question(tally, example)
    return Statistics(theories, questions, dict(tally.figures()))


class _Tally:
    """Numbers to be averaged, and yes/no answers to be counted, by name."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, list[float]] = defaultdict(list)
        self._kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._shares: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def number(self, name: str, value: float) -> None:
        self._numbers[name].append(value)

    def share(self, name: str, yes: bool) -> None:
        counted = self._shares[name]
        counted[0] += yes
        counted[1] += 1

    def kind(self, name: str, value: str) -> None:
        """One of several kinds that together make up 1."""
        self._kinds[name][value] += 1

    def figures(self) -> Iterator[tuple[str, Figure]]:
        for name, values in self._numbers.items():
            mean = sum(values) / len(values)
            yield name, Figure(Unit.MEAN, mean, min(values), max(values))
        for name, (yes, total) in sorted(self._shares.items()):
            yield name, Figure(Unit.SHARE, yes / total)
        for name, kinds in sorted(self._kinds.items()):
            for kind, count in sorted(kinds.items()):
                yield f"{name}: {kind}", Figure(Unit.SHARE, count / kinds.total())


def _count_theory(tally: _Tally, group: Sequence[Example]) -> None:
    theory = group[0].theory
    program = group[0].program or program_of(theory)
    facts = [(i, clause) for i, clause in program if clause.is_fact]
    rules = [(i, clause) for i, clause in program if not clause.is_fact]
    tally.number("facts", len(facts))
    tally.number("rules", len(rules))
    tally.number("sentences", len(theory))
    tally.number("questions", len(group))
    tally.number("entities", len(program.entities))
    tally.number("words of the context", len(theory.text.split()))
    for name, said in (("fact", facts), ("rule", rules)):
        for index in dict.fromkeys(i for i, _ in said):
            tally.number(f"words of a {name}", len(theory[index].text.split()))
    family = family_of(group[0].theory_id, program)
    tally.kind("theories", family)
    _count_style(tally, theory)
    for _, clause in facts:
        _count_fact(tally, family, clause)
    for index, clause in rules:
        _count_rule(tally, family, clause)
        tally.kind("rules", _form(theory[index].text))


def family_of(theory_id: str, program: Program) -> str:
    """ "AttNeg" by the id if it says so, else by what the theory says."""
    named = _FAMILY.match(theory_id)
    if named:
        return named[0]
    literals = [lit for _, clause in program for lit in (clause.head, *clause.body)]
    relational = any(lit.relation != "is" and lit.object for lit in literals)
    negative = any(not lit.positive for lit in literals)
    return ("Rel" if relational else "Att") + ("Neg" if negative else "Noneg")


def _count_style(tally: _Tally, theory: Theory) -> None:
    person, thing = bool(_PERSON.search(theory.text)), bool(_THING.search(theory.text))
    if person != thing:
        tally.share("theories: someone, not something", person)


def _count_fact(tally: _Tally, family: str, fact: Clause) -> None:
    tally.share(f"{family}: negative facts", not fact.head.positive)
    tally.share(f"{family}: relational facts", fact.head.relation != "is")


def _count_rule(tally: _Tally, family: str, rule: Clause) -> None:
    absent = any(literal.sign is Sign.NAF for literal in rule.body)
    open_body = any(literal.variables for literal in rule.body)
    tally.share(f"{family}: 1-condition rules", len(rule.body) == 1)
    tally.share(f"{family}: rules with NAF", absent)
    tally.share(f"{family}: negative heads", not rule.head.positive)
    tally.share(f"{family}: ground rules", not rule.variables)
    tally.share(f"{family}: variable body, ground head", open_body and not rule.head.variables)
    tally.share(f"{family}: relational heads", rule.head.relation != "is")


def _form(text: str) -> str:
    return "If" if text.startswith("If ") else "All" if text.startswith("All ") else "bare plural"


def _count_question(tally: _Tally, example: Example) -> None:
    tally.share("questions: true", example.answer)
    if example.fine_strategy is not None:
        tally.kind("questions", example.fine_strategy)
        if example.depth is not None and example.fine_strategy not in _AT_DEPTH_0:
            tally.kind(f"{example.fine_strategy} at depth", str(example.depth))
    if example.proofs and example.depth is not None:
        size = min(map(_cost, example.proofs))[1]
        tally.number(f"size of the shortest proof, depth {example.depth}", size)


_AT_DEPTH_0: Final = (FineStrategy.RANDOM, FineStrategy.INV_RANDOM)  # there is no other


def _cost(proof: Proof) -> tuple[int, int]:
    return (proof.root.depth if proof.root else 0, proof.size)
