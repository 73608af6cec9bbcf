"""The metrics of proof generation: exact, by depth and by group.

A prediction is scored against an example whose acceptable proofs are an `Accepted` (see
`ibr.evaluation.gold`). Nothing here predicts, reads files or draws tables. Per question, with
predicted nodes N and edges E and gold proofs (N_i, E_i):

* QA: the answer is the label. Strategy: proof or fail-proof, as in the example.
* Node: N is some N_i. Edge: E is some E_j, where j may differ from i.
* PA: one i has N = N_i and E = E_i. PAmin: the same, among minimal proofs. FA: PA and QA.
* Depth, length, fine strategy: whether the claim agrees with the file.

Sets are equal or not, there is no partial credit. A failure at depth 0 has an empty gold proof, so
that no nodes are right there; the strategy plays no part in PA or FA. A report also counts the
sources of the proofs and the confidence of the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from ibr.data.formats.example import Example
from ibr.evaluation.calibration import Reliability
from ibr.evaluation.gold import Accepted
from ibr.logic.solving.covering import Target
from ibr.prediction import Prediction, Source, Status
from ibr.theory import Strategy

PAPER_DEPTHS = range(6)  # the paper drops questions deeper than 5
DEEP = 4  # where the paper's fail-proofs are weak
Origin = tuple[Source | None, Status | None]  # of a proof, and the result of its check


class Metric(StrEnum):
    QA = "qa"
    NODE = "node"
    EDGE = "edge"
    PA = "pa"
    PA_MIN = "pa_min"
    FA = "fa"
    STRATEGY = "strategy"
    DEPTH = "depth"
    LENGTH = "length"
    FINE_STRATEGY = "fine_strategy"


# Right, wrong, or None: the system makes no such claim. A metric without a gold value is left out.
Marks = Mapping[Metric, bool | None]


def score(example: Example, accepted: Accepted | None, prediction: Prediction) -> Marks:
    """The marks of one prediction; `accepted` is None if the gold proofs are not known."""
    marks: dict[Metric, bool | None] = {Metric.QA: prediction.answer == example.answer}
    claims = {
        Metric.STRATEGY: (example.strategy, prediction.strategy),
        Metric.DEPTH: (example.depth, prediction.depth),
        Metric.LENGTH: (example.length, prediction.length),
        Metric.FINE_STRATEGY: (example.fine_strategy, prediction.fine_strategy),
    }
    for metric, (gold, claim) in claims.items():
        if gold is not None:
            marks[metric] = None if claim is None else claim == gold
    if accepted is not None:
        marks |= _proof_marks(accepted, prediction)
        marks[Metric.FA] = marks[Metric.PA] and marks[Metric.QA]  # None stays None
    return marks


def _proof_marks(accepted: Accepted, prediction: Prediction) -> dict[Metric, bool | None]:
    graph = prediction.graph
    if graph is None:
        return dict.fromkeys((Metric.NODE, Metric.EDGE, Metric.PA, Metric.PA_MIN))
    proved = accepted.accepts(graph)
    return {
        Metric.NODE: proved or accepted.accepts(Target(nodes=graph.nodes)),
        Metric.EDGE: proved or accepted.accepts(Target(edges=graph.edges)),
        Metric.PA: proved,
        Metric.PA_MIN: proved and accepted.accepts_minimal(graph),
    }


class Tally(NamedTuple):
    """How often a metric was right, claimed, and asked for."""

    right: int = 0
    claimed: int = 0
    asked: int = 0

    def plus(self, right: int, claimed: int, asked: int) -> Tally:
        return Tally(self.right + right, self.claimed + claimed, self.asked + asked)

    @property
    def percent(self) -> float | None:
        return 100 * self.right / self.asked if self.asked else None


@dataclass
class Scores:
    """Tallies of all metrics over some questions; `a + b` scores the union."""

    count: int = 0
    tallies: dict[Metric, Tally] = field(default_factory=dict)

    def add(self, marks: Marks) -> None:
        self.count += 1
        for metric, mark in marks.items():
            self.tallies[metric] = self[metric].plus(bool(mark), mark is not None, 1)

    def __getitem__(self, metric: Metric) -> Tally:
        return self.tallies.get(metric, Tally())

    def __add__(self, other: Scores) -> Scores:
        tallies = {m: self[m].plus(*other[m]) for m in Metric}
        return Scores(self.count + other.count, tallies)

    @property
    def claims(self) -> frozenset[Metric]:
        """The metrics that the system makes claims for: no claim is not a wrong one."""
        return frozenset(m for m in Metric if self[m].claimed)

    def to_json(self, claims: frozenset[Metric]) -> dict[str, Any]:
        percents = {str(m): self[m].percent if m in claims else None for m in Metric}
        return {"count": self.count} | percents


@dataclass
class Split:
    """Scores of one set of questions, by depth; the whole is their sum."""

    by_depth: dict[int | None, Scores] = field(default_factory=dict)  # None: the file has no QDep

    def add(self, depth: int | None, marks: Marks) -> None:
        self.by_depth.setdefault(depth, Scores()).add(marks)

    def _of(self, is_kept: Callable[[int | None], bool]) -> Scores:
        return sum((s for depth, s in self.by_depth.items() if is_kept(depth)), Scores())

    @property
    def all(self) -> Scores:
        return self._of(lambda _: True)

    @property
    def paper(self) -> Scores:
        """Depths 0 to 5 only, as the paper counts."""
        return self._of(lambda depth: depth in PAPER_DEPTHS)

    @property
    def deep(self) -> Scores:
        return self._of(lambda depth: (depth or 0) >= DEEP)

    @property
    def depths(self) -> list[int | None]:
        return sorted(self.by_depth, key=lambda d: (d is None, d or 0))

    def to_json(self, claims: frozenset[Metric]) -> dict[str, Any]:
        return {
            "all": self.all.to_json(claims),
            "depth_0_to_5": self.paper.to_json(claims),
            f"depth_{DEEP}_up": self.deep.to_json(claims),
            "by_depth": self._by_depth(claims),
        }

    def group_to_json(self, claims: frozenset[Metric]) -> dict[str, Any]:
        by_depth = self._by_depth(claims).items()
        return self.all.to_json(claims) | {"fa_by_depth": {d: row["fa"] for d, row in by_depth}}

    def _by_depth(self, claims: frozenset[Metric]) -> dict[str, dict[str, Any]]:
        names = {d: "unknown" if d is None else str(d) for d in self.depths}
        return {name: self.by_depth[d].to_json(claims) for d, name in names.items()}


@dataclass
class Report:
    """Scores of all questions, of each group of theories, of the provable questions (as EVR
    reports) and of the others. `origins` and `reliability` are of predictions that have them."""

    every: Split = field(default_factory=Split)
    provable: Split = field(default_factory=Split)
    groups: dict[str, Split] = field(default_factory=dict)
    unreadable: int = 0  # answers about a theory with unreadable sentences
    failing: Split = field(default_factory=Split)
    origins: Counter[Origin] = field(default_factory=Counter)
    reliability: Reliability = field(default_factory=Reliability)

    def add(self, example: Example, marks: Marks, prediction: Prediction) -> None:
        self.every.add(example.depth, marks)
        self.groups.setdefault(group_of(example.problem.id), Split()).add(example.depth, marks)
        if example.strategy is not None:
            alone = self.provable if example.strategy is Strategy.PROOF else self.failing
            alone.add(example.depth, marks)
        self.unreadable += bool(prediction.unreadable)
        if prediction.source is not None:
            self.origins[prediction.source, prediction.checked] += 1
        if prediction.confidence is not None:
            self.reliability.add(prediction.confidence, bool(marks[Metric.QA]))

    @property
    def claims(self) -> frozenset[Metric]:
        """Other metrics are n/a in every row; of these, no claim counts as wrong."""
        return self.every.all.claims

    def to_json(self) -> dict[str, Any]:
        claims = self.claims
        groups = {name: split.group_to_json(claims) for name, split in sorted(self.groups.items())}
        return {
            **self.every.to_json(claims),
            "by_group": groups,
            "provable": self.provable.to_json(claims),
            "failing": self.failing.to_json(claims),
            "unreadable": self.unreadable,
            "origins": origins_to_json(self.origins),
            "calibration": self.reliability.to_json() if self.reliability.count else None,
        }


def evaluate(
    answered: Iterable[tuple[Example, Prediction]],
    accepted_of: Callable[[Example], Accepted | None],
) -> Report:
    """Score a stream of answered examples; only the report is kept."""
    report = Report()
    for example, prediction in answered:
        report.add(example, score(example, accepted_of(example), prediction), prediction)
    return report


def origins_to_json(origins: Counter[Origin]) -> list[dict[str, Any]]:
    """The most frequent first; [] if no prediction states its source."""
    whole = origins.total()
    return [
        {"source": source, "checked": checked, "count": count, "percent": 100 * count / whole}
        for (source, checked), count in sorted(origins.items(), key=lambda o: (-o[1], str(o[0])))
    ]


def group_of(id: str) -> str:
    """`AttNeg-D5-537-1` → AttNeg, `AttPosBirdsVar1-1-3` → B1 (the paper's names)."""
    name = id.partition("-")[0]
    if paper := re.fullmatch(r"AttPos(?:(B)irdsVar([12])|(E)lectricityRB([1-4]))", name):
        return "".join(filter(None, paper.groups()))
    # Other ids may be anything: a row for each of them would not be a group.
    return name if name.startswith(("Att", "Rel")) else "other"
