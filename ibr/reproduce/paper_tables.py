"""The tables of the paper as data (`paper.json`): published figures, and what each cell measures.

A cell is a `Query`: which system, trained on what, tested on what, which questions, which metric.
Its fields come from the table (`where`), from its row ("PA IBR" is metric and system) and from its
column. The runs that a table needs follow from its cells.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ibr.errors import UsageError

PAPER: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("paper.json").read_text(encoding="utf-8")
)
SYSTEMS: Final[dict[str, str]] = PAPER["systems"]  # the paper's names, and ours
LABELS: Final = {system: label for label, system in SYSTEMS.items()}
_METRICS: Final = ("QA", "PA", "FA")
Cells = dict[tuple[str, str], "Query"]


@dataclass(frozen=True)
class Query:
    system: str
    metric: str  # qa, pa, fa or strategy
    data: str = "du5"  # trained on: a key of `plan.TrainingData`
    test: str = "du5"  # du5, birds or para
    subset: str = "all"  # questions: all, proof (those that have one) or fail
    part: str = "all"  # or a depth, or a group of theories
    changes: tuple[str, ...] = ()  # of the settings
    oracle: str | None = None  # a gold decision at test: parent or child


@dataclass(frozen=True)
class PaperTable:
    """Rows and columns are those of `rows`, turned around in print if `transpose` is set."""

    name: str
    title: str
    label: str  # in the paper's source
    columns: dict[str, dict[str, Any]]
    rows: dict[str, list[float | None]]  # published; None: the paper has no figure
    notes: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()  # questions of each column, as published
    where: dict[str, Any] = field(default_factory=dict)
    where_of: dict[str, dict[str, Any]] = field(default_factory=dict)  # by system
    row_queries: dict[str, dict[str, Any]] = field(default_factory=dict)
    others: dict[str, list[float | None]] = field(default_factory=dict)  # other papers' rows
    others_citation: str = ""
    transpose: bool = False
    chart: str = ""  # the metric to draw against the columns

    @property
    def compares(self) -> bool:
        """Whether its rows are of several systems."""
        return bool(self.systems)

    @property
    def systems(self) -> list[str]:
        """Of the paper, in its order."""
        labels = dict.fromkeys(parts[1] for row in self.rows if len(parts := _parts(row)) > 1)
        return [SYSTEMS[label] for label in labels]

    def published(self, row: str, column: str) -> float | None:
        figures = self.rows.get(row) or self.others.get(row)
        return None if figures is None else figures[list(self.columns).index(column)]

    def chosen(self, systems: Sequence[str] | None) -> list[str]:
        """The rows of these systems, in the order of the paper; others than its own follow."""
        if systems is None or not self.compares:
            return list(self.rows)
        unknown = sorted(set(systems) - set(LABELS))
        if unknown:
            raise UsageError(f"no system {', '.join(unknown)}: use {', '.join(LABELS)}")
        ordered = [s for s in self.systems if s in systems]
        ordered += [s for s in systems if s not in ordered]
        return [
            f"{metric} {LABELS[system]}"
            for metric in _METRICS
            for system in ordered
            if metric == "QA" or system != "ruletaker"  # it makes no proofs
        ]

    def cells(self, systems: Sequence[str] | None = None) -> Cells:
        """By row and column; where the paper's own row has no figure, there is none."""
        found: Cells = {}
        for row in self.chosen(systems) if self.name not in ("statistics", "latency") else ():
            for column, by_column in self.columns.items():
                if row not in self.rows or self.published(row, column) is not None:
                    found[row, column] = self._query(row, by_column)
        return found

    def _query(self, row: str, by_column: dict[str, Any]) -> Query:
        values = {**self.where, **by_column, **self.row_queries.get(row, {})}
        parts = _parts(row)
        if len(parts) > 1:
            values |= {"metric": parts[0].lower(), "system": SYSTEMS[parts[1]]}
            values |= self.where_of.get(values["system"], {})
        return Query(**{**values, "changes": tuple(values.get("changes", ()))})


def _parts(row: str) -> list[str]:
    """ "PA IBR" → ["PA", "IBR"]; another row is one part."""
    metric, _, label = row.partition(" ")
    return [metric, label] if metric in _METRICS and label in SYSTEMS else [row]


def tables() -> Iterator[PaperTable]:
    """In the order of the paper."""
    for name, own in PAPER["tables"].items():
        values = {**PAPER["tables"].get(own.get("like"), {}), **own}
        values.pop("like", None)
        lists = {key: tuple(values[key]) for key in ("notes", "counts") if key in values}
        yield PaperTable(name, **(values | lists))


def table(name: str) -> PaperTable:
    found = {one.name: one for one in tables()}
    if name not in found:
        raise UsageError(f"no table {name!r}: use list, or one of {', '.join(found)}")
    return found[name]
